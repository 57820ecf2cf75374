//! Pipelines: one for each way of mixing, testing and shading, made when first needed.

use crate::Gpu;
use crate::geometry::{Motion, Paint, Point};
use crate::target::{DEPTH, Surface};
use effigy_scene::{Blend, Combine};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// An end of a line of an overlay.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct LineVertex {
    pub(crate) position: [f32; 3],
    pub(crate) color: [u8; 4],
}

/// What plain colours are drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Drawing {
    /// Lines that nearer surfaces hide.
    Inside,
    /// Lines over everything.
    Over,
    /// Triangles below everything.
    Ground,
}

/// How fragments reach the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mix {
    /// They replace or blend.
    Color(Blend),
    /// Only depth is written, so that the inside of a fading mesh does not show through it.
    DepthOnly,
}

/// How the edges of cut-outs become soft: by the share of a pixel's samples that is covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Edges {
    /// They do not: a pixel passes the alpha test or not.
    Hard,
    /// Over a background that covers everything.
    Soft,
    /// Over nothing, where alpha of the target counts as well.
    SoftOverNothing,
}

/// Everything that needs a pipeline of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// What moves the vertices.
    pub(crate) motion: Motion,
    pub(crate) physical: bool,
    /// Light changes the colour.
    pub(crate) lit: bool,
    /// Back faces are lit as fronts.
    pub(crate) flip_back: bool,
    /// Coordinates of some texture come from the reflected view direction.
    pub(crate) sphere: bool,
    /// There is a second texture.
    pub(crate) second: bool,
    /// What the textures do to the colour.
    pub(crate) joins: [Combine; 2],
    pub(crate) mix: Mix,
    /// Alpha decides which pixels are drawn. Without that, what is hidden need not be shaded.
    pub(crate) tested: bool,
    pub(crate) two_sided: bool,
    pub(crate) depth_test: bool,
    pub(crate) depth_write: bool,
}

impl Key {
    /// Whether its edges are those of a cut-out.
    const fn is_cut_out(&self) -> bool {
        matches!(self.mix, Mix::Color(Blend::AlphaKey))
    }
}

/// Colour mixes as the games define it. Alpha of the target counts how much is covered: light that is only added or
/// multiplied covers nothing.
fn blend_state(blend: Blend) -> Option<wgpu::BlendState> {
    use wgpu::BlendFactor::{Dst, One, OneMinusSrcAlpha, Src, SrcAlpha, Zero};
    let part = |src_factor, dst_factor| wgpu::BlendComponent {
        src_factor,
        dst_factor,
        operation: wgpu::BlendOperation::Add,
    };
    let keep = part(Zero, One);
    Some(match blend {
        Blend::Opaque | Blend::AlphaKey => return None,
        Blend::Alpha => {
            wgpu::BlendState { color: part(SrcAlpha, OneMinusSrcAlpha), alpha: part(One, OneMinusSrcAlpha) }
        }
        Blend::Add => wgpu::BlendState { color: part(One, One), alpha: keep },
        Blend::AddAlpha => wgpu::BlendState { color: part(SrcAlpha, One), alpha: keep },
        Blend::Modulate => wgpu::BlendState { color: part(Dst, Zero), alpha: keep },
        Blend::Modulate2x => wgpu::BlendState { color: part(Dst, Src), alpha: keep },
    })
}

/// The number of a join in `shaders/plain.wgsl`.
fn join(combine: Combine) -> f64 {
    f64::from(match combine {
        Combine::Modulate => 0_u8,
        Combine::ModulateColor => 1,
        Combine::Modulate2x => 2,
        Combine::Modulate2xColor => 3,
        Combine::Add => 4,
        Combine::AddColor => 5,
        Combine::Decal => 6,
        Combine::Fade => 7,
    })
}

const POINT: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const PAINT: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![2 => Float32x2, 3 => Float32x2, 4 => Uint32];
const NEXT_POINT: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![5 => Float32x3, 6 => Float32x3];
const LINE: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];

struct Modules {
    plain: Option<wgpu::ShaderModule>,
    physical: Option<wgpu::ShaderModule>,
    made: HashMap<(Surface, Edges, Key), wgpu::RenderPipeline>,
    backdrops: HashMap<Surface, wgpu::RenderPipeline>,
    lines: HashMap<(Surface, Drawing), wgpu::RenderPipeline>,
}

/// All pipelines and the layouts they share.
pub(crate) struct Pipelines {
    pub(crate) draw_layout: wgpu::BindGroupLayout,
    pub(crate) plain_layout: wgpu::BindGroupLayout,
    pub(crate) physical_layout: wgpu::BindGroupLayout,
    pub(crate) simple_layout: wgpu::BindGroupLayout,
    plain: wgpu::PipelineLayout,
    physical: wgpu::PipelineLayout,
    simple: wgpu::PipelineLayout,
    modules: Mutex<Modules>,
}

fn uniform(binding: u32, dynamic: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: dynamic,
            min_binding_size: None,
        },
        count: None,
    }
}

fn texture(binding: u32, visibility: wgpu::ShaderStages, filterable: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        count: None,
    }
}

fn picture(binding: u32) -> wgpu::BindGroupLayoutEntry {
    texture(binding, wgpu::ShaderStages::FRAGMENT, true)
}

fn matrices(binding: u32) -> wgpu::BindGroupLayoutEntry {
    texture(binding, wgpu::ShaderStages::VERTEX, false)
}

fn sampler(binding: u32) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        count: None,
    }
}

impl Pipelines {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let group = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            gpu.device
                .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let draw_layout = group("draw", &[uniform(0, false), uniform(1, true), matrices(2)]);
        let plain_layout = group("plain", &[picture(0), sampler(1), picture(2), sampler(3)]);
        let physical_layout =
            group("physical", &[picture(0), sampler(1), picture(2), picture(3), picture(4), picture(5)]);
        let simple_layout = group("simple", &[uniform(0, false)]);
        let layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        Self {
            plain: layout("plain", &[Some(&draw_layout), Some(&plain_layout)]),
            physical: layout("physical", &[Some(&draw_layout), Some(&physical_layout)]),
            simple: layout("simple", &[Some(&simple_layout)]),
            draw_layout,
            plain_layout,
            physical_layout,
            simple_layout,
            modules: Mutex::new(Modules {
                plain: None,
                physical: None,
                made: HashMap::new(),
                backdrops: HashMap::new(),
                lines: HashMap::new(),
            }),
        }
    }

    /// The pipeline for a key, into views of a surface. `edges` concerns cut-outs only.
    pub(crate) fn get(&self, gpu: &Gpu, surface: Surface, edges: Edges, key: Key) -> wgpu::RenderPipeline {
        let edges = if key.is_cut_out() && surface.samples > 1 { edges } else { Edges::Hard };
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = modules.made.get(&(surface, edges, key)) {
            return pipeline.clone();
        }
        let (slot, layout, source) = if key.physical {
            let source = concat!(include_str!("shaders/common.wgsl"), include_str!("shaders/physical.wgsl"));
            (&mut modules.physical, &self.physical, source)
        } else {
            let source = concat!(include_str!("shaders/common.wgsl"), include_str!("shaders/plain.wgsl"));
            (&mut modules.plain, &self.plain, source)
        };
        let module = slot.get_or_insert_with(|| module(gpu, source));
        let (blend, write_mask) = match key.mix {
            // Alpha of a soft edge is not what it covers; the background has covered everything already.
            Mix::Color(_) if edges == Edges::Soft => (None, wgpu::ColorWrites::COLOR),
            Mix::Color(blend) => (blend_state(blend), wgpu::ColorWrites::ALL),
            Mix::DepthOnly => (None, wgpu::ColorWrites::empty()),
        };
        let [first, second] = key.joins;
        let combined = first != Combine::Modulate || (key.second && second != Combine::Modulate);
        let between = key.motion == Motion::Morph;
        let buffers = [
            (size_of::<Point>(), POINT.as_slice()),
            (size_of::<Paint>(), PAINT.as_slice()),
            (size_of::<Point>(), NEXT_POINT.as_slice()),
        ];
        let pipeline = build(
            gpu,
            &Recipe {
                surface,
                layout,
                module,
                constants: &[
                    ("skinned", f64::from(u8::from(key.motion == Motion::Skin))),
                    ("lit_layer", f64::from(u8::from(key.lit))),
                    ("lit_from_behind", f64::from(u8::from(key.flip_back))),
                    ("sphere_mapped", f64::from(u8::from(key.sphere))),
                    ("two_textures", f64::from(u8::from(key.second))),
                    ("combined", f64::from(u8::from(combined))),
                    ("first_join", join(first)),
                    ("second_join", join(second)),
                    ("tested", f64::from(u8::from(key.tested))),
                    ("soft_edges", f64::from(u8::from(edges != Edges::Hard))),
                    ("over_nothing", f64::from(u8::from(edges == Edges::SoftOverNothing))),
                ],
                entry: if between { "vertex_between_frames" } else { "vertex" },
                buffers: buffers.get(..if between { 3 } else { 2 }).unwrap_or(&[]),
                topology: wgpu::PrimitiveTopology::TriangleList,
                cull: (!key.two_sided).then_some(wgpu::Face::Back),
                blend,
                write_mask,
                depth_test: key.depth_test,
                depth_write: key.depth_write,
                soft_edges: edges != Edges::Hard,
            },
        );
        modules.made.insert((surface, edges, key), pipeline.clone());
        pipeline
    }

    /// A pipeline that covers the target with triangles and needs nothing but one block of numbers.
    fn simple<'a>(&'a self, surface: Surface, module: &'a wgpu::ShaderModule) -> Recipe<'a> {
        Recipe {
            surface,
            layout: &self.simple,
            module,
            constants: &[],
            entry: "vertex",
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: None,
            blend: None,
            write_mask: wgpu::ColorWrites::ALL,
            depth_test: false,
            depth_write: false,
            soft_edges: false,
        }
    }

    /// The pipeline of the gradient.
    pub(crate) fn backdrop(&self, gpu: &Gpu, surface: Surface) -> wgpu::RenderPipeline {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let module = module(gpu, include_str!("shaders/backdrop.wgsl"));
            build(gpu, &self.simple(surface, &module))
        };
        modules.backdrops.entry(surface).or_insert_with(make).clone()
    }

    /// The pipeline of lines and triangles with colours of their own.
    pub(crate) fn lines(&self, gpu: &Gpu, surface: Surface, drawing: Drawing) -> wgpu::RenderPipeline {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let module = module(gpu, include_str!("shaders/lines.wgsl"));
            let recipe = Recipe {
                buffers: &[(size_of::<LineVertex>(), LINE.as_slice())],
                topology: match drawing {
                    Drawing::Inside | Drawing::Over => wgpu::PrimitiveTopology::LineList,
                    Drawing::Ground => wgpu::PrimitiveTopology::TriangleList,
                },
                blend: blend_state(Blend::Alpha),
                depth_test: drawing == Drawing::Inside,
                ..self.simple(surface, &module)
            };
            build(gpu, &recipe)
        };
        modules.lines.entry((surface, drawing)).or_insert_with(make).clone()
    }
}

fn module(gpu: &Gpu, source: &'static str) -> wgpu::ShaderModule {
    gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}

struct Recipe<'a> {
    surface: Surface,
    layout: &'a wgpu::PipelineLayout,
    module: &'a wgpu::ShaderModule,
    constants: &'a [(&'a str, f64)],
    entry: &'a str,
    /// Bytes per vertex and their contents.
    buffers: &'a [(usize, &'a [wgpu::VertexAttribute])],
    topology: wgpu::PrimitiveTopology,
    cull: Option<wgpu::Face>,
    blend: Option<wgpu::BlendState>,
    write_mask: wgpu::ColorWrites,
    depth_test: bool,
    depth_write: bool,
    /// Alpha decides how many samples of a pixel are covered.
    soft_edges: bool,
}

fn build(gpu: &Gpu, recipe: &Recipe<'_>) -> wgpu::RenderPipeline {
    let buffers: Vec<_> = recipe
        .buffers
        .iter()
        .map(|(stride, attributes)| {
            Some(wgpu::VertexBufferLayout {
                array_stride: u64::try_from(*stride).unwrap_or(0),
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes,
            })
        })
        .collect();
    let compare =
        if recipe.depth_test { wgpu::CompareFunction::LessEqual } else { wgpu::CompareFunction::Always };
    let options = wgpu::PipelineCompilationOptions {
        constants: recipe.constants,
        ..wgpu::PipelineCompilationOptions::default()
    };
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(recipe.layout),
        vertex: wgpu::VertexState {
            module: recipe.module,
            entry_point: Some(recipe.entry),
            compilation_options: options.clone(),
            buffers: &buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: recipe.topology,
            front_face: wgpu::FrontFace::Ccw,
            cull_mode: recipe.cull,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(recipe.depth_write),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: recipe.surface.samples,
            alpha_to_coverage_enabled: recipe.soft_edges,
            ..wgpu::MultisampleState::default()
        },
        fragment: Some(wgpu::FragmentState {
            module: recipe.module,
            entry_point: Some("fragment"),
            compilation_options: options,
            targets: &[Some(wgpu::ColorTargetState {
                format: recipe.surface.format,
                blend: recipe.blend,
                write_mask: recipe.write_mask,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
