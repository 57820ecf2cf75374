//! An independent reader for WoW alpha, written only from the public description of client 0.5.3 and without code of
//! effigy-mdx, reads the alpha samples and compares the values with those that they were made from.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::cast_possible_truncation, reason = "the packing of rotations is defined by these casts")]

mod reader;

use effigy_mdx::{Dialect, Model};
use effigy_samples::mdx;
use reader::{Reader, bounds, chunks, node, tracks};

fn surface(tag: &str, chunk: &mut Reader<'_>, model: &Model) -> bool {
    match tag {
        "MTLS" => {
            let count = chunk.size();
            // Layers with keys for their alpha or their texture; all of the samples' tracks have keys.
            let moving = chunk.size();
            let mut found = 0;
            assert_eq!(count, model.materials.len());
            for ours in &model.materials {
                let mut material = chunk.block();
                assert_eq!(material.u32(), ours.priority_plane.cast_unsigned());
                assert_eq!(material.size(), ours.layers.len());
                for ours in &ours.layers {
                    let mut layer = material.block();
                    assert_eq!([layer.u32(), layer.u32()], [ours.filter_mode.0, ours.flags.bits()]);
                    let ids = [ours.texture, ours.texture_animation, ours.coordinates];
                    assert_eq!([layer.u32(), layer.u32(), layer.u32()], ids.map(i32::cast_unsigned));
                    assert_eq!(layer.f32(), ours.alpha);
                    found += usize::from(layer.peek() == b"KMTA" || layer.peek() == b"KMTF");
                    tracks(&mut layer, "KMTA KMTF", &ours.tracks, "layer");
                    layer.end("layer");
                }
                material.end("material");
            }
            assert_eq!(moving, found);
        }
        "TEXS" => {
            for ours in &model.textures {
                assert_eq!(chunk.u32(), ours.replaceable);
                assert_eq!(chunk.text(260), ours.path.text());
                assert_eq!(chunk.u32(), ours.flags.bits());
            }
        }
        "TXAN" => {
            assert_eq!(chunk.size(), model.texture_animations.len());
            for ours in &model.texture_animations {
                let mut animation = chunk.block();
                tracks(&mut animation, "KTAT KTAR KTAS", &ours.tracks, "texture animation");
                animation.end("texture animation");
            }
        }
        "GEOS" if model.version() == 1500 => batches(chunk, model),
        "GEOS" => {
            assert_eq!(chunk.size(), model.geosets.len());
            for ours in &model.geosets {
                geoset(&mut chunk.block(), ours);
            }
        }
        "GEOA" => {
            assert_eq!(chunk.size(), model.geoset_animations.len());
            for ours in &model.geoset_animations {
                let mut animation = chunk.block();
                assert_eq!(animation.u32(), ours.geoset.cast_unsigned());
                assert_eq!(animation.f32(), ours.alpha);
                assert_eq!(animation.floats(), ours.color);
                assert_eq!(animation.u32(), ours.flags.bits());
                tracks(&mut animation, "KGAO KGAC", &ours.tracks, "geoset animation");
                animation.end("geoset animation");
            }
        }
        _ => return false,
    }
    true
}

fn geoset(reader: &mut Reader<'_>, ours: &effigy_mdx::Geoset) {
    let points = reader.section("VRTX");
    assert_eq!((0..points).map(|_| reader.floats()).collect::<Vec<_>>(), ours.vertices);
    let count = reader.section("NRMS");
    assert_eq!((0..count).map(|_| reader.floats()).collect::<Vec<_>>(), ours.normals);
    let sets = reader.section("UVAS");
    let sets: Vec<Vec<[f32; 2]>> =
        (0..sets).map(|_| (0..points).map(|_| reader.floats()).collect()).collect();
    assert_eq!(sets, ours.uv_sets);
    let count = reader.section("PTYP");
    assert_eq!((0..count).map(|_| u32::from(reader.u8())).collect::<Vec<_>>(), ours.primitive_types);
    let count = reader.section("PCNT");
    assert_eq!((0..count).map(|_| reader.u32()).collect::<Vec<_>>(), ours.primitive_counts);
    let count = reader.section("PVTX");
    assert_eq!((0..count).map(|_| reader.u16()).collect::<Vec<_>>(), ours.indices);
    let count = reader.section("GNDX");
    assert_eq!((0..count).map(|_| reader.u8()).collect::<Vec<_>>(), ours.vertex_groups);
    let count = reader.section("MTGC");
    assert_eq!((0..count).map(|_| reader.u32()).collect::<Vec<_>>(), ours.group_sizes);
    let count = reader.section("MATS");
    assert_eq!((0..count).map(|_| reader.u32()).collect::<Vec<_>>(), ours.group_nodes);
    let count = reader.section("BIDX");
    let bones: Vec<[u8; 4]> = (0..count).map(|_| reader.array()).collect();
    let count = reader.section("BWGT");
    let weights: Vec<[u8; 4]> = (0..count).map(|_| reader.array()).collect();
    influences_follow_the_groups(ours, &bones, &weights);
    let words = [ours.material, ours.selection_group, ours.selection_flags];
    assert_eq!([reader.u32(), reader.u32(), reader.u32()], words);
    bounds(reader, &ours.extent);
    assert_eq!(reader.size(), ours.sequence_extents.len());
    ours.sequence_extents.iter().for_each(|extent| bounds(reader, extent));
    assert!(reader.0.is_empty());
}

/// Rows are in the order of matrix groups, and weights run opposite to bones, as in original files.
fn influences_follow_the_groups(ours: &effigy_mdx::Geoset, bones: &[[u8; 4]], weights: &[[u8; 4]]) {
    assert_eq!((bones.len(), weights.len()), (ours.vertices.len(), ours.vertices.len()));
    let mut row = 0;
    for (group, nodes) in (0..).zip(ours.groups()) {
        for _ in ours.vertex_groups.iter().filter(|it| **it == group) {
            let [d, c, b, a] = weights[row];
            let pulled = bones[row].iter().zip([a, b, c, d]).filter(|(_, weight)| *weight > 0);
            assert_eq!(pulled.map(|(bone, _)| u32::from(*bone)).collect::<Vec<_>>(), nodes);
            assert_eq!(weights[row].iter().map(|weight| u32::from(*weight)).sum::<u32>(), 255);
            row += 1;
        }
    }
    assert_eq!(row, bones.len());
}

/// The geosets of 1500: all heads, then all bodies.
fn batches(chunk: &mut Reader<'_>, model: &Model) {
    assert_eq!(chunk.size(), model.batched_geosets.len());
    for (index, ours) in (0..).zip(&model.batched_geosets) {
        let head = &ours.header;
        assert_eq!(chunk.u32(), head.material);
        assert_eq!((chunk.floats::<3>(), chunk.f32()), (head.center, head.radius));
        assert_eq!([chunk.u32(), chunk.u32(), chunk.u32()], [head.selection_group, index, head.flags]);
        assert_eq!(chunk.section("PVTX"), ours.vertices.len());
        assert_eq!(chunk.section("PTYP"), 1);
        assert_eq!(chunk.section("PVTX"), ours.batch.indices.list.len());
        assert_eq!([chunk.u32(), chunk.u32()], [0, 0]);
    }
    for ours in &model.batched_geosets {
        for vertex in &ours.vertices {
            assert_eq!(chunk.floats(), vertex.position);
            assert_eq!([chunk.array(), chunk.array()], [vertex.weights, vertex.bones]);
            assert_eq!(chunk.floats(), vertex.normal);
            assert_eq!([chunk.floats(), chunk.floats()], vertex.uv);
        }
        assert_eq!([chunk.u32(), chunk.u32()], [3, 0]);
        let count = chunk.u16();
        let list = &ours.batch.indices.list;
        assert_eq!(usize::from(count), list.len());
        assert_eq!([chunk.u16(), chunk.u16(), chunk.u16()], [0, *list.iter().max().unwrap(), 0]);
        list.iter().for_each(|index| assert_eq!(chunk.u16(), *index));
        if !count.is_multiple_of(8) {
            (0..8 - count % 8).for_each(|_| assert_eq!(chunk.u16(), 0));
        }
    }
}

fn skeleton(tag: &str, chunk: &mut Reader<'_>, model: &Model) -> bool {
    match tag {
        "BONE" => {
            assert_eq!(chunk.size(), model.bones.len());
            for ours in &model.bones {
                node(chunk, &ours.node);
                assert_eq!(
                    [chunk.u32(), chunk.u32()],
                    [ours.geoset, ours.geoset_animation].map(i32::cast_unsigned)
                );
            }
        }
        "LITE" => {
            assert_eq!(chunk.size(), model.lights.len());
            for ours in &model.lights {
                let mut light = chunk.block();
                node(&mut light, &ours.node);
                assert_eq!(light.u32(), ours.kind.0);
                assert_eq!(light.floats(), [ours.attenuation_start, ours.attenuation_end]);
                assert_eq!((light.floats(), light.f32()), (ours.color, ours.intensity));
                assert_eq!((light.floats(), light.f32()), (ours.ambient_color, ours.ambient_intensity));
                tracks(&mut light, "KLAS KLAE KLAC KLAI KLBC KLBI KVIS", &ours.tracks, "light");
                light.end("light");
            }
        }
        "HELP" => {
            assert_eq!(chunk.size(), model.helpers.len());
            model.helpers.iter().for_each(|ours| node(chunk, &ours.node));
        }
        "ATCH" => {
            assert_eq!(chunk.size(), model.attachments.len());
            assert_eq!(chunk.u32(), model.attachments.iter().map(|a| a.id).max().unwrap());
            for ours in &model.attachments {
                let mut attachment = chunk.block();
                node(&mut attachment, &ours.node);
                assert_eq!((attachment.u32(), attachment.u8()), (ours.id, ours.padding));
                assert_eq!(attachment.text(260), ours.path.text());
                tracks(&mut attachment, "KVIS", &ours.tracks, "attachment");
                attachment.end("attachment");
            }
        }
        "PIVT" => model.pivots.iter().for_each(|ours| assert_eq!(chunk.floats(), *ours)),
        "EVTS" => {
            assert_eq!(chunk.size(), model.event_objects.len());
            for ours in &model.event_objects {
                let mut event = chunk.block();
                node(&mut event, &ours.node);
                let track = ours.track.as_ref().unwrap();
                assert_eq!(event.section("KEVT"), track.times.len());
                assert_eq!(event.u32(), track.global_sequence.cast_unsigned());
                track.times.iter().for_each(|time| assert_eq!(event.u32(), time.cast_unsigned()));
                event.end("event");
            }
        }
        "HTST" => {
            assert_eq!(chunk.size(), model.hit_test_shapes.len());
            for ours in &model.hit_test_shapes {
                let mut shape = chunk.block();
                node(&mut shape, &ours.node);
                let floats = match shape.u8() {
                    0 => 6,
                    1 => 5,
                    2 => 4,
                    3 => 2,
                    other => panic!("{other} is not a shape"),
                };
                (0..floats).for_each(|_| assert!(shape.f32().is_finite()));
                shape.end("shape");
            }
        }
        _ => return false,
    }
    true
}

fn emitters(tag: &str, chunk: &mut Reader<'_>, model: &Model) -> bool {
    match tag {
        "PREM" => {
            assert_eq!(chunk.size(), model.particle_emitters.len());
            for ours in &model.particle_emitters {
                let mut emitter = chunk.block();
                node(&mut emitter, &ours.node);
                let numbers = [ours.emission_rate, ours.gravity, ours.longitude, ours.latitude];
                assert_eq!(emitter.floats(), numbers);
                assert_eq!(emitter.text(260), ours.path.text());
                assert_eq!(emitter.floats(), [ours.life_span, ours.speed]);
                tracks(&mut emitter, "KPEL KPES KPEE KPEG KPLN KPLT KVIS", &ours.tracks, "PREM");
                emitter.end("PREM");
            }
        }
        "PRE2" => {
            assert_eq!(chunk.size(), model.particle_emitters_2.len());
            model.particle_emitters_2.iter().for_each(|ours| particles(chunk.block(), ours));
        }
        "RIBB" => {
            assert_eq!(chunk.size(), model.ribbon_emitters.len());
            for ours in &model.ribbon_emitters {
                let mut ribbon = chunk.block();
                node(&mut ribbon, &ours.node);
                assert_eq!(ribbon.u32(), 56);
                assert_eq!(ribbon.floats(), [ours.height_above, ours.height_below, ours.alpha]);
                assert_eq!((ribbon.floats(), ribbon.f32()), (ours.color, ours.life_span));
                let words = [ours.texture_slot, ours.emission_rate, ours.rows, ours.columns, ours.material];
                words.iter().for_each(|word| assert_eq!(ribbon.u32(), *word));
                assert_eq!(ribbon.f32(), ours.gravity);
                tracks(&mut ribbon, "KRHA KRHB KRAL KRCO KRTX KVIS", &ours.tracks, "RIBB");
                ribbon.end("RIBB");
            }
        }
        "CAMS" => {
            assert_eq!(chunk.size(), model.cameras.len());
            for ours in &model.cameras {
                let mut camera = chunk.block();
                assert_eq!(camera.text(80), ours.name.text());
                assert_eq!(camera.floats(), ours.position);
                assert_eq!(camera.floats(), [ours.field_of_view, ours.far_clip, ours.near_clip]);
                assert_eq!(camera.floats(), ours.target);
                tracks(&mut camera, "KCTR KCRL KVIS KTTR", &ours.tracks, "camera");
                camera.end("camera");
            }
        }
        _ => return false,
    }
    true
}

fn particles(mut emitter: Reader<'_>, ours: &effigy_mdx::ParticleEmitter2) {
    node(&mut emitter, &ours.node);
    let before = emitter.0.len();
    let size = emitter.size();
    assert_eq!(emitter.u32(), ours.emitter_type);
    assert_eq!(emitter.floats(), [ours.speed, ours.variation, ours.latitude, ours.longitude]);
    assert_eq!(emitter.floats(), [ours.gravity, ours.z_source, ours.life_span, ours.emission_rate]);
    assert_eq!(emitter.floats(), [ours.length, ours.width]);
    assert_eq!([emitter.u32(), emitter.u32(), emitter.u32()], [ours.rows, ours.columns, ours.head_or_tail]);
    assert_eq!(emitter.floats(), [ours.tail_length, ours.time_middle]);
    assert_eq!(emitter.floats(), ours.segment_colors);
    assert_eq!(emitter.array(), ours.segment_alphas);
    assert_eq!(emitter.floats(), ours.segment_scales);
    for cells in [ours.head_life, ours.head_decay, ours.tail_life, ours.tail_decay] {
        assert_eq!([emitter.u32(), emitter.u32(), emitter.u32()], cells);
    }
    assert_eq!([emitter.u32(), emitter.u32()], [ours.filter_mode.0, ours.texture.cast_unsigned()]);
    assert_eq!([emitter.u32(), emitter.u32()], [ours.priority_plane.cast_unsigned(), ours.replaceable]);
    assert_eq!(emitter.text(260), ours.geometry_model.text());
    assert_eq!(emitter.text(260), ours.recursion_model.text());
    assert_eq!(emitter.floats(), [ours.twinkle_fps, ours.twinkle_on_off]);
    assert_eq!(emitter.floats(), ours.twinkle_scale);
    assert_eq!(emitter.f32(), ours.instant_velocity_scale);
    assert_eq!(emitter.floats(), ours.tumble);
    assert_eq!(emitter.floats(), [ours.drag, ours.spin]);
    assert_eq!((emitter.floats(), emitter.f32()), (ours.wind, ours.wind_time));
    assert_eq!(emitter.floats(), ours.follow);
    let points = emitter.size();
    assert_eq!((0..points).map(|_| emitter.floats()).collect::<Vec<_>>(), ours.spline);
    assert_eq!(emitter.u32(), ours.squirt);
    assert_eq!(before - emitter.0.len(), size, "the inner size");
    tracks(&mut emitter, "KVIS KP2S KP2R KP2L KPLN KP2G KLIF KP2E KP2W KP2N KP2Z", &ours.tracks, "PRE2");
    emitter.end("PRE2");
}

/// Chunks about the model as a whole.
fn general(tag: &str, chunk: &mut Reader<'_>, model: &Model) -> bool {
    match tag {
        "VERS" => assert_eq!(chunk.u32(), model.version()),
        "MODL" => {
            let info = &model.info[0];
            assert_eq!(chunk.text(80), info.name.text());
            assert_eq!(chunk.text(260), info.animation_file.text());
            bounds(chunk, &info.extent);
            assert_eq!((chunk.u8(), chunk.size()), (info.flags, model.nodes().count()));
            assert_eq!(info.node_count as usize, model.pivots.len());
        }
        "SEQS" => {
            assert_eq!(chunk.size(), model.sequences.len());
            for ours in &model.sequences {
                assert_eq!(chunk.text(80), ours.name.text());
                assert_eq!([chunk.u32(), chunk.u32()], ours.interval);
                assert_eq!((chunk.f32(), chunk.u32()), (ours.move_speed, ours.flags.bits()));
                bounds(chunk, &ours.extent);
                assert_eq!((chunk.f32(), [chunk.u32(), chunk.u32()]), (ours.frequency, ours.replay));
                assert_eq!(chunk.u32(), ours.blend_time);
            }
        }
        "GLBS" => model.global_sequences.iter().for_each(|ours| assert_eq!(chunk.u32(), *ours)),
        "CLID" => {
            let mesh = &model.collision_mesh[0];
            let count = chunk.section("VRTX");
            assert_eq!((0..count).map(|_| chunk.floats()).collect::<Vec<_>>(), mesh.vertices);
            let count = chunk.section("TRI ");
            assert_eq!((0..count).map(|_| chunk.u16()).collect::<Vec<_>>(), mesh.indices);
            let count = chunk.section("NRMS");
            assert_eq!((0..count).map(|_| chunk.floats()).collect::<Vec<_>>(), mesh.normals);
        }
        "MDVI" | "INFO" => chunk.0 = &[],
        _ => return false,
    }
    true
}

#[test]
fn the_description_alone_is_enough_to_read_the_alpha_samples() {
    for &version in Dialect::WowAlpha.versions() {
        let models = [mdx::creature(Dialect::WowAlpha, version), mdx::everything(Dialect::WowAlpha, version)];
        for model in models {
            let bytes = model.write().unwrap();
            let list = chunks(&bytes);
            assert!(list.len() >= 18, "{} chunks", list.len());
            for (tag, mut chunk) in list {
                let known = general(&tag, &mut chunk, &model)
                    || surface(&tag, &mut chunk, &model)
                    || skeleton(&tag, &mut chunk, &model)
                    || emitters(&tag, &mut chunk, &model);
                assert!(known, "{tag}");
                chunk.end(&tag);
            }
        }
    }
}
