//! All shaders can be translated for WebGL 2, with each pipeline constant set to 0 and to 1.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use naga::back::glsl::{Options, PipelineOptions, Version, Writer};
use naga::back::pipeline_constants::process_overrides;
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ValidationFlags, Validator};

const SHADERS: [(&str, &str); 4] = [
    ("plain", concat!(include_str!("../src/shaders/common.wgsl"), include_str!("../src/shaders/plain.wgsl"))),
    (
        "physical",
        concat!(include_str!("../src/shaders/common.wgsl"), include_str!("../src/shaders/physical.wgsl")),
    ),
    ("backdrop", include_str!("../src/shaders/backdrop.wgsl")),
    ("lines", include_str!("../src/shaders/lines.wgsl")),
];

#[test]
fn every_shader_translates() {
    for (name, source) in SHADERS {
        let module = naga::front::wgsl::parse_str(source).unwrap();
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module).unwrap();
        let choices: Vec<String> = module.overrides.iter().filter_map(|(_, it)| it.name.clone()).collect();
        for chosen in [0.0, 1.0] {
            for entry in &module.entry_points {
                let constants = choices.iter().map(|choice| (choice.clone(), chosen)).collect();
                let of = Some((entry.stage, entry.name.as_str()));
                let (module, info) = process_overrides(&module, &info, of, &constants).unwrap();
                let options = Options {
                    version: Version::Embedded { version: 300, is_webgl: true },
                    ..Options::default()
                };
                let pipeline = PipelineOptions {
                    shader_stage: entry.stage,
                    entry_point: entry.name.clone(),
                    multiview: None,
                };
                let mut text = String::new();
                let policies = BoundsCheckPolicies::default();
                let written = Writer::new(&mut text, &module, &info, &options, &pipeline, policies)
                    .and_then(|mut writer| writer.write());
                assert!(written.is_ok(), "{name} {}: {:?}", entry.name, written.err());
                // Functions that came after WebGL 2's language.
                for missing in ["unpackUnorm4x8", "buffer ", "imageLoad"] {
                    assert!(!text.contains(missing), "{name} {}: {missing}", entry.name);
                }
            }
        }
    }
}
