"""Materials: the layers of the game as a tree of shaders, drawn over each other in their order."""

from __future__ import annotations

import bpy
import pyeffigy


class Pictures:
    """The images of a model's textures, packed into the file."""

    def __init__(self, model: pyeffigy.Model, team: int | None) -> None:
        self.model, self.team = model, team
        self.made: dict[int, bpy.types.Image] = {}
        self.missing: list[str] = []

    def get(self, texture: int, numbers: bool = False) -> bpy.types.Image:
        """The image of a texture; ``numbers``: it holds no colours."""
        if texture not in self.made:
            self.made[texture] = self._load(texture, numbers)
        return self.made[texture]

    def _load(self, texture: int, numbers: bool) -> bpy.types.Image:
        described = self.model.textures[texture]
        name = described.path or f"Replaceable {described.replaceable}"
        try:
            image = self.model.texture(texture, team=self.team)
        except pyeffigy.EffigyError:
            image = None
        stem = name.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
        if image is None:
            self.missing.append(name)
            # White, so that the shape is seen; an export knows the texture by its path.
            made = bpy.data.images.new(stem, 8, 8, alpha=True)
            made.generated_color = (1.0, 1.0, 1.0, 1.0)
            made["effigy_missing"] = True
        else:
            made = bpy.data.images.new(stem, image.width, image.height, alpha=True)
            content = image.encode("png")
            made.pack(data=content, data_len=len(content))
            made.source = "FILE"
        made.alpha_mode = "CHANNEL_PACKED"
        if numbers:
            made.colorspace_settings.name = "Non-Color"
        made["effigy_path"], made["effigy_texture"] = described.path, texture
        if described.replaceable is not None:
            made["effigy_replaceable"] = described.replaceable
        return made


def build(scene: pyeffigy.scene.Scene, number: int, pictures: Pictures) -> bpy.types.Material:
    """Makes a material."""
    source = scene.materials[number]
    made = bpy.data.materials.new(_name(scene, source, number))
    if not made.use_nodes:
        made.use_nodes = True
    made["effigy_material"] = number
    tree = made.node_tree
    tree.nodes.clear()
    builder = _Builder(scene, tree, pictures)
    for layer in source.layers:
        builder.add(layer, source.physical)
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    if builder.shader is not None:
        tree.links.new(builder.shader, output.inputs["Surface"])
    if builder.see_through:
        made.surface_render_method = "BLENDED" if builder.blends else "DITHERED"
    made.use_backface_culling = not any(layer.two_sided for layer in source.layers)
    tidy(tree)
    return made


def _name(scene: pyeffigy.scene.Scene, source: pyeffigy.scene.Material, number: int) -> str:
    if source.name and not source.name.startswith("Material "):
        return source.name
    for layer in source.layers:
        for use in layer.textures:
            if use.texture is not None and scene.textures[use.texture].path:
                return scene.textures[use.texture].path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return f"Material {number}"


class _Builder:
    def __init__(self, scene: pyeffigy.scene.Scene, tree: bpy.types.NodeTree, pictures: Pictures) -> None:
        self.scene, self.tree, self.pictures = scene, tree, pictures
        self.shader: bpy.types.NodeSocket | None = None
        self.see_through = False
        self.blends = False

    def add(self, layer: pyeffigy.scene.Layer, physical: bool) -> None:
        color, alpha = self._picture(layer, "base")
        color = self._times(color, self._rgb(layer.color.base))
        fade = self._alpha(alpha, layer.alpha.base * layer.color_alpha.base)
        if layer.blend in ("add", "add_alpha"):
            strength = fade if layer.blend == "add_alpha" else self._alpha(None, layer.alpha.base)
            self.shader = self._glow(color, strength)
        elif layer.blend in ("modulate", "modulate2x"):
            self._shade(color)
        else:
            surface = self._surface(layer, color, physical)
            if layer.blend == "opaque" and self.shader is None:
                self.shader = self._mix(self._clear(), surface, self._alpha(None, layer.alpha.base))
            elif layer.blend == "alpha_key":
                self.shader = self._mix(self.shader or self._clear(), surface, self._key(fade, layer))
            elif layer.blend == "opaque":
                self.shader = surface
            else:
                self.blends |= self.shader is None
                self.shader = self._mix(self.shader or self._clear(), surface, fade)

    def _node(self, kind: str, **inputs: object) -> bpy.types.Node:
        node = self.tree.nodes.new(kind)
        for name, value in inputs.items():
            self._set(node.inputs[name], value)
        return node

    def _set(self, socket: bpy.types.NodeSocket, value: object) -> None:
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        elif value is not None:
            socket.default_value = value

    def _picture(
        self, layer: pyeffigy.scene.Layer, role: str
    ) -> tuple[bpy.types.NodeSocket | None, bpy.types.NodeSocket | None]:
        for use in layer.textures:
            if use.role != role or (use.texture is None and use.flipbook is None):
                continue
            number = use.texture if use.texture is not None else int(use.flipbook.values[0])
            image = self.pictures.get(number, role in ("normal", "orm"))
            if "effigy_missing" in image and role != "base":
                return None, None
            node = self.tree.nodes.new("ShaderNodeTexImage")
            node.image = image
            repeats = self.scene.textures[number].repeat
            node.extension = "REPEAT" if all(repeats) else "EXTEND"
            if isinstance(use.coordinates, int) and use.coordinates > 0:
                way = self.tree.nodes.new("ShaderNodeUVMap")
                way.uv_map = f"UVMap{use.coordinates}"
                self.tree.links.new(way.outputs["UV"], node.inputs["Vector"])
            return node.outputs["Color"], node.outputs["Alpha"]
        return None, None

    @staticmethod
    def _rgb(color: tuple[float, float, float]) -> tuple[float, float, float, float]:
        red, green, blue = (max(0.0, part) ** 2.2 for part in color)
        return red, green, blue, 1.0

    def _times(self, color: bpy.types.NodeSocket | None, factor: tuple[float, ...]) -> object:
        if color is None:
            return factor
        if factor == (1.0, 1.0, 1.0, 1.0):
            return color
        mix = self.tree.nodes.new("ShaderNodeMix")
        mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
        mix.inputs[0].default_value = 1.0
        self.tree.links.new(color, mix.inputs[6])
        mix.inputs[7].default_value = factor
        return mix.outputs[2]

    def _alpha(self, alpha: bpy.types.NodeSocket | None, factor: float) -> bpy.types.NodeSocket:
        """Alpha of the texture times that of the layer times that of the object, which the actions animate."""
        info = self.tree.nodes.new("ShaderNodeObjectInfo")
        value = info.outputs["Alpha"]
        if factor != 1.0:
            value = self._product(value, factor)
        return value if alpha is None else self._product(value, alpha)

    def _product(self, one: bpy.types.NodeSocket, two: object) -> bpy.types.NodeSocket:
        node = self.tree.nodes.new("ShaderNodeMath")
        node.operation = "MULTIPLY"
        self.tree.links.new(one, node.inputs[0])
        self._set(node.inputs[1], two)
        return node.outputs[0]

    def _key(self, alpha: bpy.types.NodeSocket, layer: pyeffigy.scene.Layer) -> bpy.types.NodeSocket:
        self.see_through = True
        node = self.tree.nodes.new("ShaderNodeMath")
        node.operation = "LESS_THAN" if layer.alpha_below else "GREATER_THAN"
        self.tree.links.new(alpha, node.inputs[0])
        node.inputs[1].default_value = (layer.alpha_test or 0.5) - 1e-4
        return node.outputs[0]

    def _clear(self) -> bpy.types.NodeSocket:
        return self._node("ShaderNodeBsdfTransparent").outputs[0]

    def _mix(
        self, below: bpy.types.NodeSocket, above: bpy.types.NodeSocket, share: bpy.types.NodeSocket
    ) -> bpy.types.NodeSocket:
        self.see_through = True
        node = self.tree.nodes.new("ShaderNodeMixShader")
        self.tree.links.new(share, node.inputs[0])
        self.tree.links.new(below, node.inputs[1])
        self.tree.links.new(above, node.inputs[2])
        return node.outputs[0]

    def _glow(self, color: object, strength: bpy.types.NodeSocket) -> bpy.types.NodeSocket:
        self.see_through, self.blends = True, True
        light = self._node("ShaderNodeEmission", Color=color, Strength=strength)
        node = self.tree.nodes.new("ShaderNodeAddShader")
        self.tree.links.new(self.shader or self._clear(), node.inputs[0])
        self.tree.links.new(light.outputs[0], node.inputs[1])
        return node.outputs[0]

    def _shade(self, color: object) -> None:
        """A factor of what is behind: only a first layer can be one, for shaders are not multiplied."""
        if self.shader is None:
            self.see_through, self.blends = True, True
            self.shader = self._node("ShaderNodeBsdfTransparent", Color=color).outputs[0]

    def _surface(self, layer: pyeffigy.scene.Layer, color: object, physical: bool) -> bpy.types.NodeSocket:
        if layer.unlit:
            return self._node("ShaderNodeEmission", Color=color).outputs[0]
        node = self._node("ShaderNodeBsdfPrincipled")
        self._set(node.inputs["Base Color"], color)
        node.inputs["Roughness"].default_value = 1.0
        node.inputs["Specular IOR Level"].default_value = 0.0
        if physical:
            self._physical(layer, node)
        return node.outputs[0]

    def _physical(self, layer: pyeffigy.scene.Layer, node: bpy.types.Node) -> None:
        packed, _ = self._picture(layer, "orm")
        if packed is not None:
            split = self._node("ShaderNodeSeparateColor", Color=packed)
            self.tree.links.new(split.outputs["Green"], node.inputs["Roughness"])
            self.tree.links.new(split.outputs["Blue"], node.inputs["Metallic"])
            node.inputs["Specular IOR Level"].default_value = 0.5
        glow, _ = self._picture(layer, "emissive")
        if glow is not None:
            self.tree.links.new(glow, node.inputs["Emission Color"])
            node.inputs["Emission Strength"].default_value = layer.emissive_gain.base


def tidy(tree: bpy.types.NodeTree) -> None:
    """Places the nodes from left to right by their distance from the output."""
    depths: dict[str, int] = {}

    def visit(node: bpy.types.Node, depth: int) -> None:
        if depths.get(node.name, -1) >= depth:
            return
        depths[node.name] = depth
        for socket in node.inputs:
            for link in socket.links:
                visit(link.from_node, depth + 1)

    for node in tree.nodes:
        if node.type == "OUTPUT_MATERIAL":
            visit(node, 0)
    rows: dict[int, int] = {}
    for node in tree.nodes:
        depth = depths.get(node.name, 0)
        node.location = (-220.0 * depth, -220.0 * rows.get(depth, 0))
        rows[depth] = rows.get(depth, 0) + 1
