//! The picture of the model in the window, pixel by pixel.
//!
//! egui can show it as a texture, but filters, dithers and blends each pixel of it, which on a software driver takes about a fifth
//! of a frame's time.

use effigy::pictures::wgpu;

const SHADER: &str = "
@group(0) @binding(0) var picture: texture_2d<f32>;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Varying {
    let corner = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return Varying(vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0), vec2<f32>(corner.x, 1.0 - corner.y));
}

@fragment
fn fragment(in: Varying) -> @location(0) vec4<f32> {
    return textureLoad(picture, vec2<i32>(in.at * vec2<f32>(textureDimensions(picture))), 0);
}
";

/// Draws pictures into the window.
#[derive(Clone)]
pub struct Blit {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
}

impl Blit {
    /// None where the window converts colours: a picture has them as they are shown.
    pub fn new(state: &egui_wgpu::RenderState) -> Option<Self> {
        if state.target_format.is_srgb() {
            return None;
        }
        let device = &state.device;
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("picture"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("picture"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("picture"),
            layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("picture"),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            })),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            // As egui draws by default: one sample, no depth.
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: state.target_format,
                    // A picture over nothing shows the window.
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Some(Self { pipeline, layout })
    }

    /// What shows a picture.
    pub fn of(&self, device: &wgpu::Device, view: &wgpu::TextureView) -> Copied {
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("picture"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(view),
            }],
        });
        Copied { pipeline: self.pipeline.clone(), group }
    }
}

/// A picture that is drawn over a rectangle of its size.
#[derive(Clone)]
pub struct Copied {
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
}

impl egui_wgpu::CallbackTrait for Copied {
    fn paint(
        &self,
        _: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        _: &egui_wgpu::CallbackResources,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..3, 0..1);
    }
}
