//! The JSON of a glTF file as it is read. Only what the importer uses has a field; everything has a default, because files leave
//! out what they do not need.
//!
//! Own types instead of the crate `gltf`: it refuses every file with `KHR_animation_pointer` (a channel there has no node),
//! knows neither `KHR_node_visibility` nor `MSFT_lod`, and gives `extras` as unparsed text.

use super::value::Value;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A word of the specification, such as `VEC3` or `CUBICSPLINE`, without an allocation: there are tens of thousands of them. A
/// longer text is none of these words, and becomes empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    length: u8,
    bytes: [u8; 15],
}

impl std::ops::Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length)).unwrap_or(&[]);
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Word;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a word")
            }
            fn visit_str<E>(self, text: &str) -> Result<Word, E> {
                let mut word = Word::default();
                if let (Ok(length), true) = (u8::try_from(text.len()), text.len() <= word.bytes.len()) {
                    word.length = length;
                    word.bytes.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
                }
                Ok(word)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// The whole document.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Document {
    pub asset: Asset,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub scene: Option<usize>,
    pub scenes: Vec<SceneJson>,
    pub nodes: Vec<NodeJson>,
    pub meshes: Vec<MeshJson>,
    pub skins: Vec<SkinJson>,
    pub cameras: Vec<CameraJson>,
    pub materials: Vec<MaterialJson>,
    pub textures: Vec<TextureJson>,
    pub samplers: Vec<SamplerJson>,
    pub images: Vec<ImageJson>,
    pub animations: Vec<AnimationJson>,
    pub accessors: Vec<AccessorJson>,
    pub buffer_views: Vec<BufferViewJson>,
    pub buffers: Vec<BufferJson>,
    pub extensions: RootExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Asset {
    pub version: String,
    pub min_version: Option<String>,
    pub generator: Option<String>,
    pub copyright: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RootExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights: Option<Lights>,
    #[serde(rename = "KHR_materials_variants")]
    pub variants: Option<Variants>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Lights {
    pub lights: Vec<LightJson>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LightJson {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub color: Option<[f32; 3]>,
    pub intensity: Option<f32>,
    pub range: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Variants {
    pub variants: Vec<Named>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Named {
    pub name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SceneJson {
    pub name: String,
    pub nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct NodeJson {
    pub name: String,
    pub children: Vec<usize>,
    pub matrix: Option<[f32; 16]>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub camera: Option<usize>,
    pub weights: Option<Vec<f32>>,
    pub extensions: NodeExtensions,
    pub extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub light: Option<LightRef>,
    #[serde(rename = "KHR_node_visibility")]
    pub visibility: Option<Visible>,
    #[serde(rename = "MSFT_lod")]
    pub lod: Option<Lods>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LightRef {
    pub light: usize,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub(crate) struct Visible {
    pub visible: bool,
}
impl Default for Visible {
    fn default() -> Self {
        Self { visible: true }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Lods {
    pub ids: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MeshJson {
    pub name: String,
    pub primitives: Vec<PrimitiveJson>,
    pub weights: Option<Vec<f32>>,
    pub extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PrimitiveJson {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    pub mode: Option<u32>,
    pub targets: Vec<BTreeMap<String, usize>>,
    pub extensions: PrimitiveExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PrimitiveExtensions {
    #[serde(rename = "KHR_materials_variants")]
    pub variants: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SkinJson {
    pub inverse_bind_matrices: Option<usize>,
    pub joints: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CameraJson {
    pub name: String,
    pub perspective: Option<Perspective>,
    pub extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Perspective {
    pub aspect_ratio: Option<f32>,
    pub yfov: f32,
    pub znear: f32,
    pub zfar: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MaterialJson {
    pub name: String,
    pub pbr_metallic_roughness: Pbr,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: Option<[f32; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
    pub extensions: MaterialExtensions,
    pub extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Pbr {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<f32>,
    pub roughness_factor: Option<f32>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Option<Value>,
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub strength: Option<Strength>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Strength {
    pub emissive_strength: Option<f32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TextureInfo {
    pub index: usize,
    pub tex_coord: Option<u32>,
    /// How steep a normal map is.
    pub scale: Option<f32>,
    pub extensions: InfoExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct InfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<Transform>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Transform {
    pub offset: Option<[f32; 2]>,
    pub rotation: Option<f32>,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TextureJson {
    pub sampler: Option<usize>,
    pub source: Option<usize>,
    pub extensions: TextureExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TextureExtensions {
    #[serde(rename = "EXT_texture_webp")]
    pub webp: Option<OtherSource>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct OtherSource {
    pub source: Option<usize>,
}

impl TextureJson {
    /// Its image; a plain one first.
    pub(crate) fn image(&self) -> Option<usize> {
        self.source.or_else(|| self.extensions.webp.as_ref()?.source)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SamplerJson {
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ImageJson {
    pub name: String,
    pub uri: Option<String>,
    pub mime_type: Option<String>,
    pub buffer_view: Option<usize>,
    pub extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AnimationJson {
    pub name: String,
    pub channels: Vec<ChannelJson>,
    pub samplers: Vec<AnimationSamplerJson>,
    pub extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChannelJson {
    pub sampler: usize,
    pub target: TargetJson,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TargetJson {
    pub node: Option<usize>,
    pub path: Word,
    pub extensions: TargetExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pub pointer: Option<Pointer>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Pointer {
    pub pointer: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AnimationSamplerJson {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<Word>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AccessorJson {
    pub buffer_view: Option<usize>,
    pub byte_offset: usize,
    pub component_type: u32,
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: Word,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Sparse {
    pub count: usize,
    pub indices: SparsePart,
    pub values: SparsePart,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SparsePart {
    pub buffer_view: usize,
    pub byte_offset: usize,
    pub component_type: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BufferViewJson {
    pub buffer: usize,
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BufferJson {
    pub uri: Option<String>,
    pub byte_length: usize,
}
