"""Evaluates a .glb as the glTF 2.0 specification says: node transforms, animation, skins, morph targets.

Small, slow, and independent of the exporter: the result of a program that follows the standard exactly.
"""

import json
import struct

import numpy as np

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Document:
    def __init__(self, path):
        data = path.read_bytes()
        (length,) = struct.unpack_from("<I", data, 12)
        self.root = json.loads(data[20 : 20 + length])
        self.bin = data[28 + length :]
        self.cache = {}
        nodes = self.root.get("nodes", [])
        self.parents = {child: index for index, node in enumerate(nodes) for child in node.get("children", [])}
        self.order = []
        waiting = [index for index in range(len(nodes)) if index not in self.parents]
        while waiting:
            index = waiting.pop()
            self.order.append(index)
            waiting.extend(nodes[index].get("children", []))

    def accessor(self, index):
        if index not in self.cache:
            self.cache[index] = self.read(self.root["accessors"][index])
        return self.cache[index]

    def view(self, part, component, kind, count):
        view = self.root["bufferViews"][part["bufferView"]]
        kind, width = np.dtype(COMPONENTS[component]), WIDTHS[kind]
        start = view.get("byteOffset", 0) + part.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        return np.ndarray((count, width), kind, self.bin, start, (stride, kind.itemsize))

    def read(self, accessor):
        component, kind, count = accessor["componentType"], accessor["type"], accessor["count"]
        if "bufferView" in accessor:
            values = self.view(accessor, component, kind, count).astype(np.float64)
        else:
            values = np.zeros((count, WIDTHS[kind]))
        if sparse := accessor.get("sparse"):
            places = self.view(sparse["indices"], sparse["indices"]["componentType"], "SCALAR", sparse["count"])
            values[places[:, 0]] = self.view(sparse["values"], component, kind, sparse["count"])
        return values

    def pose(self, animation, time):
        """Node matrices and morph weights, `time` seconds into the animation of that name."""
        nodes = self.root["nodes"]
        moved = {}
        for entry in self.root.get("animations", []):
            if entry["name"] != animation:
                continue
            for channel in entry["channels"]:
                target = channel["target"]
                if "node" not in target:
                    continue
                sampler = entry["samplers"][channel["sampler"]]
                times = self.accessor(sampler["input"])[:, 0]
                values = self.accessor(sampler["output"])
                mode = sampler.get("interpolation", "LINEAR")
                moved[target["node"], target["path"]] = interpolate(mode, target["path"], times, values, time)
        world = np.zeros((len(nodes), 4, 4))
        for index in self.order:
            node = nodes[index]
            place = moved.get((index, "translation"), node.get("translation", [0, 0, 0]))
            turn = moved.get((index, "rotation"), node.get("rotation", [0, 0, 0, 1]))
            scale = moved.get((index, "scale"), node.get("scale", [1, 1, 1]))
            local = np.eye(4)
            local[:3, :3] = matrix(turn) * np.asarray(scale)
            local[:3, 3] = place
            world[index] = world[self.parents[index]] @ local if index in self.parents else local
        weights = {index: value for (index, path), value in moved.items() if path == "weights"}
        return world, weights

    def vertices(self, name, pose):
        """Positions of the mesh of a node, with Z up again; those that triangles use."""
        world, weights = pose
        index = next(i for i, node in enumerate(self.root["nodes"]) if node["name"] == name and "mesh" in node)
        node = self.root["nodes"][index]
        primitive = self.root["meshes"][node["mesh"]]["primitives"][0]
        points = self.accessor(primitive["attributes"]["POSITION"]).copy()
        for weight, target in zip(weights.get(index, []), primitive.get("targets", [])):
            if weight:
                points += weight * self.accessor(target["POSITION"])
        points = np.concatenate([points, np.ones((len(points), 1))], axis=1)
        if "skin" in node:
            skin = self.root["skins"][node["skin"]]
            # Matrices are stored column by column.
            binds = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            joints = world[skin["joints"]] @ binds
            blended = np.zeros((len(points), 4, 4))
            for number in range(2):
                if f"JOINTS_{number}" not in primitive["attributes"]:
                    break
                places = self.accessor(primitive["attributes"][f"JOINTS_{number}"]).astype(int)
                shares = self.accessor(primitive["attributes"][f"WEIGHTS_{number}"])
                for column in range(4):
                    blended += shares[:, column, None, None] * joints[places[:, column]]
            points = np.einsum("vij,vj->vi", blended, points)
        else:
            points = points @ world[index].T
        used = np.unique(self.accessor(primitive["indices"])[:, 0].astype(int))
        x, y, z = points[used, :3].T
        # The root turns the games' front (+X) to glTF's (+Z).
        return np.stack([z, x, y], axis=1)


def interpolate(mode, path, times, values, time):
    # Key times are single precision: a time on a key is on it.
    time = np.float32(time)
    cubic = mode == "CUBICSPLINE"
    values = values.reshape(len(times), 3 if cubic else 1, -1)
    value = 1 if cubic else 0
    if time <= times[0] or len(times) == 1:
        return values[0, value]
    if time >= times[-1]:
        return values[-1, value]
    a = int(np.searchsorted(times, time, side="right")) - 1
    b = a + 1
    length = times[b] - times[a]
    t = (time - times[a]) / length
    if mode == "STEP":
        return values[a, value]
    if cubic:
        t2, t3 = t * t, t * t * t
        result = (2 * t3 - 3 * t2 + 1) * values[a, 1] + length * (t3 - 2 * t2 + t) * values[a, 2]
        result = result + (3 * t2 - 2 * t3) * values[b, 1] + length * (t3 - t2) * values[b, 0]
        return result
    if path == "rotation":
        return slerp(values[a, 0], values[b, 0], t)
    return values[a, 0] + (values[b, 0] - values[a, 0]) * t


def slerp(a, b, t):
    cosine = float(a @ b)
    if cosine < 0:
        b, cosine = -b, -cosine
    if cosine > 1 - 1e-9:
        return a + (b - a) * t
    angle = np.arccos(min(cosine, 1.0))
    return (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / np.sin(angle)


def matrix(quaternion):
    x, y, z, w = np.asarray(quaternion, dtype=np.float64) / (np.linalg.norm(quaternion) or 1.0)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
