//! A file cut at every length: which records it still has, what is reported and where, and that it is written back
//! unchanged.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_mdx::read;

/// MDLX; VERS at 4 (800); GLBS at 16 (one length, 7); PIVT at 28 (two points); 60 bytes.
fn file() -> Vec<u8> {
    let mut bytes = b"MDLXVERS\x04\0\0\0\x20\x03\0\0GLBS\x04\0\0\0\x07\0\0\0PIVT\x18\0\0\0".to_vec();
    for value in [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0] {
        bytes.extend(value.to_le_bytes());
    }
    assert_eq!(bytes.len(), 60);
    bytes
}

/// What is reported: code, offset, message.
type Report = Option<(&'static str, usize, String)>;

#[test]
fn every_length_has_its_records_and_its_report() {
    let bytes = file();
    for length in 0..=bytes.len() {
        let cut = &bytes[..length];
        let stray = |at: usize| -> Report {
            Some(("MDX0106", at, format!("{} bytes do not belong to a chunk", length - at)))
        };
        let short = |at: usize, size: usize| -> Report {
            let left = length - at - 8;
            let message = format!("the chunk's size is stated as {size} bytes, {left} are left in the file");
            Some(("MDX0105", at, message))
        };
        let (globals, pivots, report): (&[u32], &[[f32; 3]], Report) = match length {
            // Without the magic word and one whole chunk it is not a model.
            0..4 => {
                let error = read(cut).unwrap_err();
                assert_eq!(error.to_string(), "0x0: not an MDX file: it does not begin with MDLX");
                continue;
            }
            4..16 => {
                let error = read(cut).unwrap_err();
                assert_eq!(error.to_string(), "0x4: no chunk follows the magic word MDLX");
                continue;
            }
            16 => (&[], &[], None),
            // Less than tag and size of the next chunk, then less than its contents.
            17..24 => (&[], &[], stray(16)),
            24..28 => (&[], &[], short(16, 4)),
            28 => (&[7], &[], None),
            29..36 => (&[7], &[], stray(28)),
            // A list that is cut has no records at all, even if some of them are whole.
            36..60 => (&[7], &[], short(28, 24)),
            _ => (&[7], &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], None),
        };
        let model = read(cut).unwrap();
        assert_eq!((&model.global_sequences[..], &model.pivots[..]), (globals, pivots), "{length}");
        let found: Vec<_> = model
            .diagnostics()
            .iter()
            .map(|it| (it.code.0, it.offset.unwrap(), it.message.to_string()))
            .collect();
        assert_eq!(found, report.into_iter().collect::<Vec<_>>(), "{length}");
        assert_eq!(model.write().unwrap(), cut, "{length}");
    }
}
