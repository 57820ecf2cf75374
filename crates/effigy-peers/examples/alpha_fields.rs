//! The fields of World of Warcraft alpha models as Effigy reads them, by the names that wow-mdx-viewer uses, for
//! `js/alpha.mjs`.
//!
//! ```text
//! alpha_fields OUT [FILE...]
//! ```
//!
//! Writes the alpha samples and the given files as `OUT/NAME.mdx`, with `OUT/NAME.fields.json` next to each.

#![allow(clippy::print_stderr, reason = "a command")]

use effigy_mdx::track::tags;
use effigy_mdx::{Dialect, Extent, Model, Node, Shape, Tracks};
use effigy_wire::Tag;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A track: the words of its keys, so that whoever compares decides what they mean.
fn track(tracks: &Tracks, tag: Tag) -> Value {
    let Some(track) = tracks.get(tag) else { return Value::Null };
    let keys: Vec<&[u32]> = track.words().chunks(track.stride().max(1)).collect();
    json!({ "type": track.interpolation().0, "global": track.global_sequence, "keys": keys })
}

fn tracks(all: &Tracks, pairs: &[(&str, Tag)]) -> Value {
    pairs
        .iter()
        .map(|(name, tag)| ((*name).to_owned(), track(all, *tag)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn bounds(extent: &Extent) -> Value {
    json!({ "BoundsRadius": extent.radius, "MinimumExtent": extent.min, "MaximumExtent": extent.max })
}

fn node(node: &Node, rest: Value) -> Value {
    let moves = [("Translation", tags::KGTR), ("Rotation", tags::KGRT), ("Scaling", tags::KGSC)];
    let mut value = json!({
        "Name": node.name.text(), "ObjectId": node.object_id, "Parent": node.parent, "Flags": node.flags.bits(),
        "tracks": tracks(&node.tracks, &moves),
    });
    merge(&mut value, rest);
    value
}

/// Adds the fields of one object to another; tracks are collected.
fn merge(into: &mut Value, from: Value) {
    let (Some(into), Value::Object(from)) = (into.as_object_mut(), from) else { return };
    for (key, value) in from {
        match into.get_mut(&key) {
            Some(known @ Value::Object(_)) => merge(known, value),
            _ => {
                into.insert(key, value);
            }
        }
    }
}

fn with(mut value: Value, more: Value) -> Value {
    merge(&mut value, more);
    value
}

fn general(model: &Model) -> Value {
    let info: Vec<Value> = model
        .info
        .iter()
        .map(|it| {
            let own = json!({ "Name": it.name.text(), "AnimationFile": it.animation_file.text(), "Flags": it.flags, "nodes": it.node_count });
            with(own, bounds(&it.extent))
        })
        .collect();
    let sequences: Vec<Value> = model
        .sequences
        .iter()
        .map(|it| {
            let own = json!({
                "Name": it.name.text(), "Interval": it.interval, "MoveSpeed": it.move_speed,
                "NonLooping": it.flags.bits() > 0, "Frequency": it.frequency, "Replay": it.replay, "BlendTime": it.blend_time,
            });
            with(own, bounds(&it.extent))
        })
        .collect();
    let materials: Vec<Value> = model
        .materials
        .iter()
        .map(|it| {
            let layers: Vec<Value> = it
                .layers
                .iter()
                .map(|it| {
                    json!({
                        "FilterMode": it.filter_mode.0, "Shading": it.flags.bits(), "TextureID": it.texture,
                        "TVertexAnimId": it.texture_animation, "CoordId": it.coordinates, "Alpha": it.alpha,
                        "tracks": tracks(&it.tracks, &[("Alpha", tags::KMTA), ("TextureID", tags::KMTF)]),
                    })
                })
                .collect();
            json!({ "PriorityPlane": it.priority_plane, "Layers": layers })
        })
        .collect();
    let textures: Vec<Value> = model
        .textures
        .iter()
        .map(|it| json!({ "ReplaceableId": it.replaceable, "Image": it.path.text(), "Flags": it.flags.bits() }))
        .collect();
    let moves = [("Translation", tags::KTAT), ("Rotation", tags::KTAR), ("Scaling", tags::KTAS)];
    let texture_anims: Vec<Value> =
        model.texture_animations.iter().map(|it| json!({ "tracks": tracks(&it.tracks, &moves) })).collect();
    json!({
        "Version": model.version(), "Info": info.first(), "Sequences": sequences,
        "GlobalSequences": model.global_sequences, "Materials": materials, "Textures": textures,
        "TextureAnims": texture_anims, "PivotPoints": model.pivots,
    })
}

fn surfaces(model: &Model) -> Value {
    let plain = model.geosets.iter().map(|it| {
        let groups: Vec<&[u32]> = it.groups().collect();
        let anims: Vec<Value> = it.sequence_extents.iter().map(bounds).collect();
        let own = json!({
            "Vertices": it.vertices.as_flattened(), "Normals": it.normals.as_flattened(),
            "TVertices": it.uv_sets.iter().map(|set| set.as_flattened()).collect::<Vec<_>>(),
            "Faces": it.indices, "VertexGroup": it.vertex_groups, "Groups": groups, "MaterialID": it.material,
            "SelectionGroup": it.selection_group, "Flags": it.selection_flags, "Anims": anims,
        });
        with(own, bounds(&it.extent))
    });
    let batched = model.batched_geosets.iter().map(|it| {
        let (head, all) = (&it.header, &it.vertices);
        json!({
            "Vertices": all.iter().flat_map(|v| v.position).collect::<Vec<_>>(),
            "Normals": all.iter().flat_map(|v| v.normal).collect::<Vec<_>>(),
            "TVertices": [all.iter().flat_map(|v| v.uv[0]).collect::<Vec<_>>()],
            "bones": all.iter().map(|v| v.bones).collect::<Vec<_>>(),
            "Faces": it.batch.indices.list, "MaterialID": head.material, "BoundsRadius": head.radius,
            "SelectionGroup": head.selection_group, "Flags": head.flags,
        })
    });
    let geosets: Vec<Value> = plain.chain(batched).collect();
    let anims: Vec<Value> = model
        .geoset_animations
        .iter()
        .map(|it| {
            json!({
                "GeosetId": it.geoset, "Alpha": it.alpha, "Color": it.color, "Flags": it.flags.bits(),
                "tracks": tracks(&it.tracks, &[("Alpha", tags::KGAO), ("Color", tags::KGAC)]),
            })
        })
        .collect();
    let collision = model.collision_mesh.first().map(|it| {
        json!({
            "Vertices": it.vertices.as_flattened(), "TriIndices": it.indices, "FacetNormals": it.normals.as_flattened(),
        })
    });
    json!({ "Geosets": geosets, "GeosetAnims": anims, "Collision": collision })
}

fn nodes(model: &Model) -> Value {
    let shape = |shape: &Shape| match *shape {
        Shape::Box { min, max } => [min, max].concat(),
        Shape::Cylinder { base: [x, y, z], height, radius } => vec![x, y, z, height, radius],
        Shape::Sphere { center: [x, y, z], radius } => vec![x, y, z, radius],
        Shape::Plane { length, width } => vec![length, width],
        Shape::TwoPointPlane(points) => points.concat(),
        Shape::TwoPointCylinder { points, radius } => [points.concat(), vec![radius]].concat(),
    };
    let bones: Vec<Value> = (model.bones.iter())
        .map(|it| node(&it.node, json!({ "GeosetId": it.geoset, "GeosetAnimId": it.geoset_animation })))
        .collect();
    let helpers: Vec<Value> = model.helpers.iter().map(|it| node(&it.node, json!({}))).collect();
    let attachments: Vec<Value> = (model.attachments.iter())
        .map(|it| {
            let seen = tracks(&it.tracks, &[("Visibility", tags::KVIS)]);
            node(&it.node, json!({ "AttachmentID": it.id, "Path": it.path.text(), "tracks": seen }))
        })
        .collect();
    let events: Vec<Value> = (model.event_objects.iter())
        .map(|it| {
            let times = it
                .track
                .as_ref()
                .map(|it| json!({ "GlobalSeqId": it.global_sequence, "EventTrack": it.times }));
            node(&it.node, times.unwrap_or_default())
        })
        .collect();
    let shapes: Vec<Value> = (model.hit_test_shapes.iter())
        .map(|it| node(&it.node, json!({ "Shape": it.shape.number(), "Vertices": shape(&it.shape) })))
        .collect();
    let lights: Vec<Value> = (model.lights.iter())
        .map(|it| {
            let pairs = [
                ("AttenuationStart", tags::KLAS), ("AttenuationEnd", tags::KLAE), ("Color", tags::KLAC),
                ("Intensity", tags::KLAI), ("AmbColor", tags::KLBC), ("AmbIntensity", tags::KLBI), ("Visibility", tags::KVIS),
            ];
            node(&it.node, json!({
                "LightType": it.kind.0, "AttenuationStart": it.attenuation_start, "AttenuationEnd": it.attenuation_end,
                "Color": it.color, "Intensity": it.intensity, "AmbColor": it.ambient_color,
                "AmbIntensity": it.ambient_intensity, "tracks": tracks(&it.tracks, &pairs),
            }))
        })
        .collect();
    let cameras: Vec<Value> = (model.cameras.iter())
        .map(|it| {
            let pairs = [
                ("Visibility", tags::KVIS), ("Translation", tags::KCTR), ("TargetTranslation", tags::KTTR), ("Rotation", tags::KCRL),
            ];
            json!({
                "Name": it.name.text(), "Pivot": it.position, "FieldOfView": it.field_of_view, "FarClip": it.far_clip,
                "NearClip": it.near_clip, "TargetPosition": it.target, "tracks": tracks(&it.tracks, &pairs),
            })
        })
        .collect();
    json!({
        "Bones": bones, "Helpers": helpers, "Attachments": attachments, "EventObjects": events, "HitTestShapes": shapes,
        "Lights": lights, "Cameras": cameras,
    })
}

fn emitters(model: &Model) -> Value {
    let first: Vec<Value> = (model.particle_emitters.iter())
        .map(|it| {
            let pairs = [
                ("Visibility", tags::KVIS), ("EmissionRate", tags::KPEE), ("Gravity", tags::KPEG), ("Longitude", tags::KPLN),
                ("Latitude", tags::KPLT), ("LifeSpan", tags::KPEL), ("InitVelocity", tags::KPES),
            ];
            node(&it.node, json!({
                "EmissionRate": it.emission_rate, "Gravity": it.gravity, "Longitude": it.longitude, "Latitude": it.latitude,
                "Path": it.path.text(), "LifeSpan": it.life_span, "InitVelocity": it.speed, "tracks": tracks(&it.tracks, &pairs),
            }))
        })
        .collect();
    let second: Vec<Value> = (model.particle_emitters_2.iter())
        .map(|it| {
            let pairs = [
                ("Speed", tags::KP2S), ("Variation", tags::KP2R), ("Gravity", tags::KP2G), ("Width", tags::KP2W),
                ("Length", tags::KP2N), ("Visibility", tags::KVIS), ("EmissionRate", tags::KP2E), ("Latitude", tags::KP2L),
                ("Longitude", tags::KPLN), ("LifeSpan", tags::KLIF), ("ZSource", tags::KP2Z),
            ];
            let [a, b, c, d] = it.follow;
            let colors: Vec<&[f32]> = it.segment_colors.chunks(3).collect();
            let one = json!({
                "EmitterType": it.emitter_type, "Speed": it.speed, "Variation": it.variation, "Latitude": it.latitude,
                "Longitude": it.longitude, "Gravity": it.gravity, "ZSource": it.z_source, "LifeSpan": it.life_span,
                "EmissionRate": it.emission_rate, "Length": it.length, "Width": it.width, "Rows": it.rows,
                "Columns": it.columns, "ParticleType": it.head_or_tail + 1, "TailLength": it.tail_length,
                "MiddleTime": it.time_middle, "SegmentColor": colors, "Alpha": it.segment_alphas,
                "ParticleScaling": it.segment_scales, "LifeSpanUVAnim": it.head_life, "DecayUVAnim": it.head_decay,
                "TailUVAnim": it.tail_life, "TailDecayUVAnim": it.tail_decay,
            });
            let two = json!({
                "BlendMode": it.filter_mode.0, "TextureID": it.texture, "PriorityPlane": it.priority_plane,
                "ReplaceableId": it.replaceable, "GeometryModel": it.geometry_model.text(),
                "RecursionModel": it.recursion_model.text(), "TwinkleFps": it.twinkle_fps, "TwinkleOnOff": it.twinkle_on_off,
                "TwinkleScale": it.twinkle_scale, "IvelScale": it.instant_velocity_scale, "Tumble": it.tumble,
                "Drag": it.drag, "Spin": it.spin, "WindVector": it.wind, "WindTime": it.wind_time,
                "FollowSpeed": [a, c], "FollowScale": [b, d], "Splines": it.spline, "Squirt": it.squirt > 0,
                "tracks": tracks(&it.tracks, &pairs),
            });
            node(&it.node, with(one, two))
        })
        .collect();
    let ribbons: Vec<Value> = (model.ribbon_emitters.iter())
        .map(|it| {
            let pairs = [
                ("Visibility", tags::KVIS), ("HeightAbove", tags::KRHA), ("HeightBelow", tags::KRHB), ("Alpha", tags::KRAL),
                ("TextureSlot", tags::KRTX), ("Color", tags::KRCO),
            ];
            node(&it.node, json!({
                "HeightAbove": it.height_above, "HeightBelow": it.height_below, "Alpha": it.alpha, "Color": it.color,
                "LifeSpan": it.life_span, "TextureSlot": it.texture_slot, "EdgesPerSec": it.emission_rate, "Rows": it.rows,
                "Columns": it.columns, "MaterialID": it.material, "Gravity": it.gravity, "tracks": tracks(&it.tracks, &pairs),
            }))
        })
        .collect();
    json!({ "ParticleEmitters": first, "ParticleEmitters2": second, "RibbonEmitters": ribbons })
}

/// Removes what the viewer refuses a whole file for: primitives other than triangles, and chunks that it does not know.
fn suit_the_viewer(model: &mut Model) {
    let types = model.geosets.iter_mut().flat_map(|geoset| &mut geoset.primitive_types);
    types.for_each(|kind| *kind = effigy_mdx::Primitive::TRIANGLES.0);
    [*b"MDVI", *b"INFO"].into_iter().for_each(|tag| model.delete_chunk(Tag(tag)));
}

fn run(out: &PathBuf, paths: &[PathBuf]) -> Result<(), String> {
    std::fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for &version in Dialect::WowAlpha.versions() {
        for (name, mut model) in [
            ("creature", effigy_samples::mdx::creature(Dialect::WowAlpha, version)),
            ("everything", effigy_samples::mdx::everything(Dialect::WowAlpha, version)),
        ] {
            suit_the_viewer(&mut model);
            files.push((format!("{name}-{version}"), model.write().map_err(|error| error.to_string())?));
        }
    }
    for path in paths {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        files.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), bytes));
    }
    for (name, bytes) in files {
        let model = effigy_mdx::read(&bytes).map_err(|error| format!("{name}: {error}"))?;
        let mut value = general(&model);
        [surfaces(&model), nodes(&model), emitters(&model)]
            .into_iter()
            .for_each(|part| merge(&mut value, part));
        std::fs::write(out.join(format!("{name}.mdx")), &bytes)
            .and_then(|()| std::fs::write(out.join(format!("{name}.fields.json")), value.to_string()))
            .map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let Some((out, paths)) = arguments.split_first() else {
        eprintln!("usage: alpha_fields OUT [FILE...]");
        return std::process::ExitCode::from(2);
    };
    match run(out, paths) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
