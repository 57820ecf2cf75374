//! Drawing into views of the caller, such as those of a window.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{
    Background, Canvas, DrawStyle, Frame, Gpu, Image, Model, Overlays, Picture, Progress, Renderer, Shot,
    Stage, wgpu,
};
use effigy_scene::{Blend, Scene, Sequence, ValidScene, validate};
use effigy_wire::{Error, Kind};
use std::collections::BTreeSet;

/// Pixels of a texture, in the order of its channels.
fn read(gpu: &Gpu, texture: &wgpu::Texture) -> Vec<u8> {
    let (width, height) = (texture.width(), texture.height());
    let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        texture.size(),
    );
    gpu.queue().submit([encoder.finish()]);
    buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.unwrap());
    gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let mapped = buffer.slice(..).get_mapped_range().unwrap();
    mapped.chunks_exact(row as usize).flat_map(|line| &line[..width as usize * 4]).copied().collect()
}

/// The pixels of a frame in a texture of its own, and how many draws it has.
fn drawn_into(renderer: &Renderer, frame: &Frame<'_>, canvas: &Canvas) -> (Vec<u8>, usize) {
    let [width, height] = canvas.size();
    let texture = renderer.gpu().device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: canvas.format(),
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let summary = renderer.draw_into(frame, &view, canvas).unwrap();
    (read(renderer.gpu(), &texture), summary.draws)
}

/// A tilted square over one colour has pixels of two colours, and mixed ones at its edges.
#[test]
fn a_quick_canvas_has_no_mixed_pixels_at_edges() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let mut tilted = square(0.0, 2.0);
    let (sin, cos) = 0.4_f32.sin_cos();
    tilted.positions.iter_mut().for_each(|[_, y, z]| (*y, *z) = (*y * cos - *z * sin, *y * sin + *z * cos));
    // One with a blended layer, one that is opaque, one cut out: three ways through the pipelines.
    for (blend, texture) in [
        (Blend::Opaque, "200,100,50,255"),
        (Blend::Alpha, "200,100,50,255"),
        (Blend::AlphaKey, "200,100,50,255"),
    ] {
        let layer = layer(&mut scene, texture, blend);
        add(&mut scene, tilted.clone(), 0, vec![layer]);
    }
    let scene = validate(scene).unwrap();
    let model = Model::new(renderer, &scene, [0; 3], &mut Named);
    let stage = Stage::new(scene.clone());
    let look = DrawStyle {
        background: Background::Color(BACKGROUND),
        overlays: Overlays::default(),
        shadow: false,
        ..DrawStyle::default()
    };
    let frame = Frame { model: &model, stage: &stage, camera: &camera(), style: &look };
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let colors = |canvas: Canvas| -> BTreeSet<[u8; 3]> {
        let (pixels, _) = drawn_into(renderer, &frame, &canvas);
        pixels.as_chunks::<4>().0.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect()
    };
    let quick = colors(Canvas::quick(renderer.gpu(), format, [SIDE, SIDE]).unwrap());
    assert_eq!(quick, BTreeSet::from([BACKGROUND, [200, 100, 50]]));
    if renderer.gpu().samples() > 1 {
        let smooth = colors(Canvas::new(renderer.gpu(), format, [SIDE, SIDE]).unwrap());
        assert!(smooth.len() > 3, "{smooth:?}");
    }
}

fn half_transparent_square() -> ValidScene {
    let mut scene = Scene::default();
    let layer = layer(&mut scene, "200,100,50,128", Blend::Alpha);
    add(&mut scene, square(0.0, 2.0), 0, vec![layer]);
    validate(scene).unwrap()
}

#[test]
fn a_view_of_the_caller_gets_the_pixels_of_a_picture_in_its_own_format() {
    let Some(renderer) = renderer() else { return };
    let scene = half_transparent_square();
    let model = Model::new(renderer, &scene, [0; 3], &mut Named);
    let stage = Stage::new(scene.clone());
    let look = DrawStyle {
        overlays: Overlays { grid: true, bounds: true, ..Overlays::default() },
        ..DrawStyle::default()
    };
    let frame = Frame { model: &model, stage: &stage, camera: &camera(), style: &look };
    let expected = renderer.draw(&frame, [SIDE, SIDE]).unwrap();
    for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Bgra8Unorm] {
        let canvas = Canvas::new(renderer.gpu(), format, [SIDE, SIDE]).unwrap();
        let (mut found, draws) = drawn_into(renderer, &frame, &canvas);
        assert_eq!(draws, expected.draws);
        if format == wgpu::TextureFormat::Bgra8Unorm {
            found.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        }
        let differs = found.as_chunks::<4>().0.iter().zip(expected.picture.pixels().as_chunks::<4>().0);
        assert!(differs.into_iter().all(|(a, b)| a[..3] == b[..3]), "{format:?}");
    }
}

/// What is larger than a million pixels is drawn band by band; a canvas of the caller is drawn at once.
#[test]
fn a_large_picture_is_the_same_as_one_that_is_drawn_at_once() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    for (blend, texture, x) in [(Blend::Opaque, "200,100,50,255", 0.0), (Blend::Alpha, "20,200,90,128", 0.5)]
    {
        let layer = layer(&mut scene, texture, blend);
        add(&mut scene, square(x, 2.0), 0, vec![layer]);
    }
    let scene = validate(scene).unwrap();
    let model = Model::new(renderer, &scene, [0; 3], &mut Named);
    let stage = Stage::new(scene.clone());
    let style = DrawStyle {
        background: Background::Gradient([10, 20, 30], [200, 210, 220]),
        overlays: Overlays { grid: true, bounds: true, ..Overlays::default() },
        ..DrawStyle::default()
    };
    let frame = Frame { model: &model, stage: &stage, camera: &camera(), style: &style };
    // Bands of 896 rows, of which the second has 204; the second size has bands of 64 that end in the middle of one.
    for size in [[1100, 1100], [16_384, 200]] {
        if size[0] > renderer.gpu().largest_side() {
            continue;
        }
        let banded = renderer.draw(&frame, size).unwrap();
        let canvas = Canvas::new(renderer.gpu(), wgpu::TextureFormat::Rgba8Unorm, size).unwrap();
        let (whole, draws) = drawn_into(renderer, &frame, &canvas);
        assert_eq!(draws, banded.draws);
        let pairs = whole.as_chunks::<4>().0.iter().zip(banded.picture.pixels().as_chunks::<4>().0);
        // A driver may round the middle of a colour in another way.
        let most = pairs.map(|(a, b)| (0..3).map(|n| a[n].abs_diff(b[n])).max().unwrap()).max();
        assert!(most.unwrap() <= 1, "{size:?}: {most:?}");
    }
}

#[test]
fn formats_that_convert_colours_are_rejected() {
    let Some(renderer) = renderer() else { return };
    let format = wgpu::TextureFormat::Bgra8UnormSrgb;
    assert!(Canvas::new(renderer.gpu(), format, [8, 8]).is_err());
    assert!(Canvas::new(renderer.gpu(), format.remove_srgb_suffix(), [8, 8]).is_ok());
    assert!(Canvas::new(renderer.gpu(), wgpu::TextureFormat::Rgba8Unorm, [0, 8]).is_err());
}

#[test]
fn a_picture_arrives_without_waiting_after_everything_else_is_gone() {
    let Some(renderer) = renderer() else { return };
    let scene = half_transparent_square();
    let submit = || {
        let model = Model::new(renderer, &scene, [0; 3], &mut Named);
        let stage = Stage::new(scene.clone());
        let frame = Frame { model: &model, stage: &stage, camera: &camera(), style: &look() };
        renderer.submit(&frame, [SIDE, SIDE]).unwrap()
    };
    let waited = submit().wait().unwrap();
    // Half of the square's colour over half of the background (40, 80, 120).
    near(waited.picture.pixel(SIDE / 2, SIDE / 2), [120.3, 90.0, 84.9]);
    assert_eq!(pollster::block_on(submit()).unwrap(), waited);
    let mut pending = submit();
    let polled = std::iter::repeat_with(|| pending.try_take()).flatten().next().unwrap().unwrap();
    assert_eq!(polled, waited);
    assert!(pending.try_take().unwrap().is_err(), "a picture can be taken once");
}

#[test]
fn pictures_are_the_same_whether_they_are_awaited_or_waited_for() {
    let Some(renderer) = renderer() else { return };
    let scene = half_transparent_square();
    let picture = Picture { size: [SIDE, SIDE], ..Picture::default() };
    let waited = renderer.take(&scene, &mut Named, &picture).unwrap();
    let progress = Progress::default();
    let mut pictures = Vec::new();
    let mut each = |image: Image, total: u32| {
        assert_eq!(total, 1);
        pictures.push(image);
        Ok(())
    };
    let mut textures = Named;
    let work = renderer.take_each_async(&scene, &mut textures, &picture, &progress, &mut each);
    let awaited = pollster::block_on(work).unwrap();
    assert!(awaited.pictures.is_empty());
    assert_eq!(waited.pictures, pictures);
    assert_eq!((awaited.frames, awaited.size), (1, [SIDE, SIDE]));
    assert!(!waited.empty && waited.pictures.len() == 1);
    // The camera of such a picture, without taking it.
    assert_eq!(Some(Stage::new(scene.clone()).pose_for_still(1.0)), waited.camera);
    // Half a second at 20 frames per second.
    let frames = Picture { shot: Shot::Frames, seconds: Some(0.5), ..picture };
    let mut totals = Vec::new();
    let mut each = |_: Image, total: u32| {
        totals.push(total);
        Ok(())
    };
    let work = renderer.take_each_async(&scene, &mut textures, &frames, &progress, &mut each);
    assert_eq!(pollster::block_on(work).unwrap().frames, 10);
    assert_eq!(progress.steps(), (10, 10));
    assert_eq!(totals, [10; 10]);
    // A caller that has no room stops it.
    let full = |_: Image, _: u32| Err(Error::new(Kind::Io, "full"));
    let stopped = renderer.take_each(&scene, &mut Named, &frames, &mut { full });
    assert_eq!(stopped.unwrap_err().message(), "full");
}

#[test]
fn a_long_sequence_is_shown_in_part_and_one_that_cannot_be_meant_in_a_short_piece() {
    let Some(renderer) = renderer() else { return };
    // Milliseconds of the sequence; seconds asked for; frames at one a second; what is reported.
    for (length, seconds, frames, note) in [
        (19_000, None, 19, None),
        (35_000, None, 20, Some("it lasts 35 s, and only the first 20 s are shown")),
        (35_000, Some(30.0), 30, None),
        (2_000_000_000, None, 2, Some("it lasts 2000000 s, and only the first 2 s are shown")),
    ] {
        let mut scene = half_transparent_square().into_scene();
        let sequence = Sequence { name: "Stand".to_owned(), end: length, ..Sequence::default() };
        scene.sequences.push(sequence);
        let scene = validate(scene).unwrap();
        let picture = Picture { shot: Shot::Frames, size: [16, 16], fps: 1, seconds, ..Picture::default() };
        let shots = renderer.take(&scene, &mut Named, &picture).unwrap();
        assert_eq!((shots.frames, shots.pictures.len()), (frames, frames as usize), "{length}");
        let notes: Vec<_> = shots.report.notes().iter().map(|note| note.message.to_string()).collect();
        assert_eq!(notes.iter().map(String::as_str).collect::<Vec<_>>(), Vec::from_iter(note), "{length}");
    }
}

#[test]
fn tiles_of_a_sheet_are_smaller_where_there_are_many() {
    let Some(renderer) = renderer() else { return };
    let mut scene = half_transparent_square().into_scene();
    for name in ["a", "b", "c", "d"] {
        scene.sequences.push(Sequence { name: name.to_owned(), end: 1000, ..Sequence::default() });
    }
    let scene = validate(scene).unwrap();
    // Two columns, with a gap of 4 pixels next to each. A quarter of 20 million pixels is the square of 1,581, doubled.
    for (size, width) in [([64, 32], 64), ([4000, 2000], 3162)] {
        let picture = Picture { shot: Shot::Sheet, size, ..Picture::default() };
        let shots = renderer.take(&scene, &mut Named, &picture).unwrap();
        assert_eq!(shots.size[0], 2 * (width + 4) + 4);
        let smaller = shots.report.notes().iter().any(|note| note.path == "size");
        assert_eq!(smaller, size[0] != width);
    }
}

#[test]
fn a_device_of_somebody_else_draws_the_same() {
    let Some(renderer) = renderer() else { return };
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let name = |adapter: &wgpu::Adapter| {
        let info = adapter.get_info();
        format!("{} ({})", info.name, info.backend)
    };
    let adapter = adapters.into_iter().find(|adapter| name(adapter) == renderer.gpu().name()).unwrap();
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits::downlevel_webgl2_defaults(),
        ..wgpu::DeviceDescriptor::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    let foreign = Renderer::new(Gpu::from_parts(&adapter, device, queue));
    assert_eq!(foreign.gpu().name(), renderer.gpu().name());
    let scene = half_transparent_square();
    let [ours, theirs] = [renderer, &foreign].map(|renderer| draw_with(renderer, &scene, &camera(), &look()));
    assert_eq!(ours, theirs);
}

#[test]
fn many_threads_draw_on_one_device_and_none_loses_its_picture() {
    let Some(renderer) = renderer() else { return };
    let scene = half_transparent_square();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let model = Model::new(renderer, &scene, [0; 3], &mut Named);
                let stage = Stage::new(scene.clone());
                let camera = camera();
                let frame = Frame { model: &model, stage: &stage, camera: &camera, style: &look() };
                for _ in 0..100 {
                    renderer.draw(&frame, [16, 16]).unwrap();
                }
            });
        }
    });
}
