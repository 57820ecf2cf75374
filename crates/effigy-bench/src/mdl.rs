//! MDL text compared with the crate `wc3`: parsing and printing the models that it can print and read again.

use super::{Bench, Inputs, Line, best_of, rate};
use effigy::mdx::{self, Model, text};
use effigy_testkit::Shell;
use std::hint::black_box;
use wc3::model::DynamicModel;
use wc3::model::mdl::{Read as _, Write as _};

/// All benchmarks of MDL.
pub struct Mdl;

impl Bench for Mdl {
    fn run(&self, shell: &Shell, inputs: &Inputs) -> Result<Vec<Line>, String> {
        let (mut ours, mut theirs, mut texts) = (Vec::<Model>::new(), Vec::<DynamicModel>::new(), Vec::new());
        for (_, file) in &inputs.mdx_corpus {
            let Ok(model) = mdx::read(file) else { continue };
            let Ok(peer) = DynamicModel::decode_mdx(file, 800) else { continue };
            let Ok(text) = peer.encode_mdl() else { continue };
            if DynamicModel::decode_mdl(&text).is_ok() {
                ours.push(model);
                theirs.push(peer);
                texts.push(text);
            }
        }
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let bytes = texts.iter().map(String::len).sum();
        let refused = inputs.mdx_corpus.len().saturating_sub(texts.len());
        shell.say(&format!(
            "MDL: {} models of {bytes} bytes of text; wc3 refuses {refused} others",
            texts.len()
        ));
        let parsing = best_of(&mut [
            &mut || texts.iter().for_each(|text| drop(black_box(text::parse(text.as_bytes())))),
            &mut || texts.iter().for_each(|text| drop(black_box(DynamicModel::decode_mdl(text)))),
        ]);
        let options = text::PrintOptions::default();
        let printing = best_of(&mut [
            &mut || ours.iter().for_each(|model| drop(black_box(text::print(model, &options)))),
            &mut || theirs.iter().for_each(|model| drop(black_box(model.encode_mdl()))),
        ]);
        // The same models for both: rates by the peer's text, so that longer text of one does not count for it.
        let line = |name: &str, times: &[std::time::Duration]| match times {
            [ours, peer] => Some(Line {
                name: name.to_owned(),
                ours: rate(bytes, *ours),
                peer: Some(rate(bytes, *peer)),
                peer_name: "wc3",
                limit: None,
                unit: "MB/s",
            }),
            _ => None,
        };
        Ok([line("mdl-parse", &parsing), line("mdl-print", &printing)].into_iter().flatten().collect())
    }
}
