"""Materials of Blender as layers of the games: the picture of the surface, its colour, and how it mixes with what is behind."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pyeffigy
from pyeffigy.scene import Layer, LayerTexture, Material

from .motion import fixed

# The alpha test where a material does not say another.
HALF = 0.5


class Pictures:
    """The textures of a model: those that it has already, and those of images that it gets."""

    def __init__(self, known: tuple[pyeffigy.scene.Texture, ...], folder: str, native: bool) -> None:
        self.textures = list(known)
        self.images: dict[int, pyeffigy.Image] = {}
        self.files: dict[str, bytes] = {}
        """Files that the model needs and that nobody else writes."""
        self.folder, self.native = folder, native
        self.numbers: dict[str, int] = {}
        self.unreadable: list[str] = []

    def number(self, image: bpy.types.Image) -> int:
        """The texture of an image."""
        if image.name in self.numbers:
            return self.numbers[image.name]
        number = image.get("effigy_texture")
        path = image.get("effigy_path")
        if not isinstance(number, int) or not 0 <= number < len(self.textures) or self.textures[number].path != path:
            number = len(self.textures)
            self.textures.append(self._new(image))
        picture = None if "effigy_missing" in image else pixels(image)
        if picture is not None:
            self.images[number] = picture
        else:
            self.unreadable.append(path or image.name)
        self.numbers[image.name] = number
        return number

    def white(self) -> int:
        """The texture of surfaces without an image: the game draws none without one."""
        if "" not in self.numbers:
            self.numbers[""] = len(self.textures)
            self.textures.append(pyeffigy.scene.Texture("Textures\\white.blp", None, (True, True)))
        return self.numbers[""]

    def _new(self, image: bpy.types.Image) -> pyeffigy.scene.Texture:
        if self.native and isinstance(image.get("effigy_path"), str):
            # The game has it, or the model's folder: nobody has to write it.
            return pyeffigy.scene.Texture(image["effigy_path"], image.get("effigy_replaceable"), (True, True))
        stem = Path(bpy.path.basename(image.filepath) or image.name).stem or "texture"
        if not self.native:
            return pyeffigy.scene.Texture(f"{stem}.png", None, (True, True))
        path = f"{self.folder}\\{stem}.blp" if self.folder else f"{stem}.blp"
        picture = pixels(image)
        if picture is not None:
            self.files[path.replace("\\", "/")] = picture.encode("blp1-jpeg")
        return pyeffigy.scene.Texture(path, None, (True, True))


def pixels(image: bpy.types.Image) -> pyeffigy.Image | None:
    """The pixels of an image."""
    kept = image.packed_file.data if image.packed_file else None
    if kept is None and image.source == "FILE" and not image.is_dirty:
        path = Path(bpy.path.abspath(image.filepath, library=image.library))
        kept = path.read_bytes() if path.is_file() else None
    if kept is not None and not image.is_dirty:
        try:
            return pyeffigy.read_texture(bytes(kept))
        except pyeffigy.EffigyError:
            pass
    # Painted, generated, or of a kind that only Blender reads.
    if not image.size[0] or not image.size[1]:
        return None
    return pyeffigy.read_texture(_tga(image))


def _tga(image: bpy.types.Image) -> bytes:
    """The pixels of an image as an uncompressed TGA file, whose rows begin below like Blender's."""
    width, height = image.size
    values = np.empty(width * height * image.channels, dtype=np.float32)
    image.pixels.foreach_get(values)
    rows = np.ones((width * height, 4), dtype=np.float32)
    given = values.reshape(-1, image.channels)
    rows[:, : image.channels] = given
    if image.channels == 1:
        rows[:, 1:3] = given
    if image.is_float:
        # Only those are stored as light; the others as a display shows them.
        rows[:, :3] = np.clip(rows[:, :3], 0.0, 1.0) ** (1.0 / 2.2)
    colors = (np.clip(rows, 0.0, 1.0) * 255.0).round().astype(np.uint8)
    head = struct.pack("<3B5x4H2B", 0, 0, 2, 0, 0, width, height, 32, 8)
    return head + colors[:, [2, 1, 0, 3]].tobytes()


def read(material: bpy.types.Material | None, pictures: Pictures) -> Material:
    """A material with one layer for what Blender shows."""
    if material is None or material.node_tree is None or (surface := _surface(material.node_tree)) is None:
        plain = (_use("base", pictures.white(), 0),) if pictures.native else ()
        color = tuple(material.diffuse_color) if material is not None else (1.0, 1.0, 1.0, 1.0)
        return _material(material, _layer("opaque", plain, _display(color[:3]), 1.0, False, False))
    blend, node, fade = _blend(surface)
    name = "Base Color" if node.type == "BSDF_PRINCIPLED" else "Color"
    socket = node.inputs.get(name)
    textures: list[LayerTexture] = []
    color: tuple[float, ...] = (1.0, 1.0, 1.0)
    alpha, cutoff = 1.0, 0.0
    if socket is not None:
        image, coordinates = _image(socket)
        if image is not None:
            textures.append(_use("base", pictures.number(image), coordinates))
        elif not socket.is_linked:
            color = _display(tuple(socket.default_value)[:3])
    if not textures and pictures.native:
        textures.append(_use("base", pictures.white(), 0))
    if node.type == "BSDF_PRINCIPLED":
        fade = fade or node.inputs["Alpha"]
        textures.extend(_maps(node, pictures))
    if fade is not None and blend != "add":
        blend, alpha, cutoff = _fade(fade, blend)
    layer = _layer(blend, tuple(textures), color, alpha, node.type == "EMISSION", not material.use_backface_culling)
    return _material(material, layer, cutoff)


def _display(color: tuple[float, ...]) -> tuple[float, float, float]:
    """A colour as a display shows it: Blender's are linear."""
    red, green, blue = (min(max(part, 0.0), 1.0) ** (1.0 / 2.2) for part in color)
    return red, green, blue


def _material(material: bpy.types.Material | None, layer: Layer, cutoff: float = 0.0) -> Material:
    layer = dataclasses.replace(layer, alpha_test=cutoff)
    roles = {use.role for use in layer.textures}
    name = material.name if material is not None else ""
    return Material(name, 0, (layer,), bool(roles & {"normal", "orm"}), {})


def _use(role: str, texture: int, coordinates: int) -> LayerTexture:
    return LayerTexture(role, texture, None, coordinates, None, "modulate")  # type: ignore[arg-type]


def _layer(
    blend: str,
    textures: tuple[LayerTexture, ...],
    color: tuple[float, ...],
    alpha: float,
    unlit: bool,
    two_sided: bool,
) -> Layer:
    return Layer(
        blend=blend,  # type: ignore[arg-type]
        alpha_test=0.0,
        alpha_below=False,
        textures=textures,
        color=fixed(color),
        alpha=fixed(alpha),
        color_alpha=fixed(1.0),
        unlit=unlit,
        two_sided=two_sided,
        unfogged=False,
        no_depth_test=False,
        no_depth_write=blend in ("add", "alpha"),
        emissive_gain=fixed(1.0),
        extras={},
    )


def _surface(tree: bpy.types.NodeTree) -> bpy.types.Node | None:
    outputs = [node for node in tree.nodes if node.type == "OUTPUT_MATERIAL"]
    outputs.sort(key=lambda node: not node.is_active_output)
    for output in outputs:
        if output.inputs["Surface"].is_linked:
            return output.inputs["Surface"].links[0].from_node
    return None


def _linked(node: bpy.types.Node, at: int) -> bpy.types.Node | None:
    return node.inputs[at].links[0].from_node if node.inputs[at].is_linked else None


def _blend(surface: bpy.types.Node) -> tuple[str, bpy.types.Node, bpy.types.NodeSocket | None]:
    """How the surface mixes, the node with its colour, and the socket that fades it."""
    if surface.type == "ADD_SHADER":
        for at in (1, 0):
            found = _linked(surface, at)
            if found is not None and found.type == "EMISSION":
                return "add", found, None
    if surface.type == "MIX_SHADER":
        below, above = _linked(surface, 1), _linked(surface, 2)
        if above is not None and below is not None and above.type == "BSDF_TRANSPARENT" != below.type:
            above = below
        if above is not None:
            _, node, _ = _blend(above)
            return "alpha", node, surface.inputs[0]
    if surface.type == "BSDF_TRANSPARENT":
        return "modulate", surface, None
    return "opaque", surface, None


def _upstream(socket: bpy.types.NodeSocket) -> Iterator[bpy.types.Node]:
    """The nodes that a socket gets its value from, the nearest first."""
    waiting = [link.from_node for link in socket.links]
    seen: set[str] = set()
    while waiting:
        node = waiting.pop(0)
        if node.name in seen:
            continue
        seen.add(node.name)
        yield node
        waiting.extend(link.from_node for one in node.inputs for link in one.links)


def _image(socket: bpy.types.NodeSocket) -> tuple[bpy.types.Image | None, int]:
    for node in _upstream(socket):
        if node.type == "TEX_IMAGE" and node.image is not None:
            sets = [one for one in _upstream(node.inputs["Vector"]) if one.type == "UVMAP"]
            digits = sets[0].uv_map.removeprefix("UVMap").strip(".") if sets else ""
            return node.image, int(digits) if digits.isdigit() else 0
    return None, 0


def _fade(socket: bpy.types.NodeSocket, blend: str) -> tuple[str, float, float]:
    """Blend, alpha and alpha test of what fades a surface."""
    nodes = list(_upstream(socket))
    if not nodes:
        alpha = float(socket.default_value)
        return ("alpha" if alpha < 1.0 else "opaque"), alpha, 0.0
    if not any(node.type == "TEX_IMAGE" for node in nodes):
        return ("opaque" if blend == "alpha" else blend), 1.0, 0.0
    for node in nodes:
        if node.type == "MATH" and node.operation in ("GREATER_THAN", "LESS_THAN", "ROUND"):
            limit = [one.default_value for one in node.inputs if not one.is_linked]
            cutoff = float(limit[0]) if limit and node.operation != "ROUND" else HALF
            return "alpha_key", 1.0, min(max(cutoff, 1.0 / 255.0), 1.0)
    return "alpha", 1.0, 0.0


def _maps(node: bpy.types.Node, pictures: Pictures) -> Iterator[LayerTexture]:
    """The maps of a physical material."""
    for name, role in (("Normal", "normal"), ("Roughness", "orm"), ("Emission Color", "emissive")):
        socket = node.inputs.get(name)
        if socket is not None and socket.is_linked:
            image, coordinates = _image(socket)
            if image is not None:
                yield _use(role, pictures.number(image), coordinates)
