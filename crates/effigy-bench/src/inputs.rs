//! The inputs of the benchmarks: the corpus, if there is one, and a large model made by code.

use super::synthetic;
use effigy_testkit::{files, find_corpus};
use std::path::PathBuf;

/// Files in memory, by format.
pub struct Inputs {
    /// Every MDX of the corpus that both we and the peer read.
    pub mdx_corpus: Vec<(PathBuf, Vec<u8>)>,
    /// One large MDX.
    pub mdx_large: Vec<u8>,
    /// Every M2 of the corpus.
    pub m2_corpus: Vec<(PathBuf, Vec<u8>)>,
    /// Every MDC of the corpus that we read.
    pub mdc_corpus: Vec<(PathBuf, Vec<u8>)>,
}

impl Inputs {
    /// Loads the corpus, if there is one, and makes the large file.
    pub fn load() -> Result<Self, String> {
        let paths = find_corpus().map(|corpus| files(&corpus, |_| true)).unwrap_or_default();
        let (mut mdx_corpus, mut m2_corpus, mut mdc_corpus) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            let Ok(bytes) = std::fs::read(&path) else { continue };
            if bytes.starts_with(b"MDLX") && both_read(&bytes) {
                mdx_corpus.push((path, bytes));
            } else if effigy::m2::sniff(&bytes) {
                m2_corpus.push((path, bytes));
            } else if bytes.starts_with(b"IDPC") && effigy::mdc::read(&bytes).is_ok() {
                mdc_corpus.push((path, bytes));
            }
        }
        let mdx_large = synthetic::large_mdx()?;
        if !both_read(&mdx_large) {
            return Err("the large synthetic MDX is not readable".to_owned());
        }
        Ok(Self { mdx_corpus, mdx_large, m2_corpus, mdc_corpus })
    }

    /// One line that describes them, or says that the corpus is missing.
    pub fn describe(&self) -> String {
        let bytes: usize = self.mdx_corpus.iter().map(|(_, bytes)| bytes.len()).sum();
        let large = self.mdx_large.len();
        if self.mdx_corpus.is_empty() {
            return format!("SKIPPED: no corpus (set EFFIGY_CORPUS); one large MDX of {large} bytes");
        }
        format!(
            "corpus: {} MDX files of {bytes} bytes; one large MDX of {large} bytes",
            self.mdx_corpus.len()
        )
    }
}

fn both_read(bytes: &[u8]) -> bool {
    effigy::mdx::read(bytes).is_ok() && wc3::model::DynamicModel::decode_mdx(bytes, 800).is_ok()
}
