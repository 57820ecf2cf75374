//! `.anim` files: the keys of one sequence of a 264 model. The file has no header; the model's tracks state the offsets.

use crate::block::Key;
use crate::codes;
use crate::coverage::Coverage;
use crate::emit::{Emit, File};
use crate::load::{Frame, append};
use crate::model::{Model, check_size};
use crate::records::SequenceFlags;
use crate::series::{Part, Series, word};
use crate::skin::stem;
use crate::version::Caps;
use crate::walk::{Tree, WalkerMut};
use effigy_wire::{Diagnostic, Diagnostics, Error, Kind, Limits, Result, Severity};

/// A `.anim` file that is attached to a model: its keys are in the model's tracks.
#[derive(Clone, Debug)]
pub(crate) struct Anim {
    /// Index of the sequence whose keys it holds.
    pub sequence: usize,
    pub frame: Frame,
}

/// Loads the keys of one sequence from its file.
pub(crate) struct AnimLoader<'a> {
    pub source: &'a [u8],
    pub sequence: usize,
    pub coverage: Coverage,
    pub budget: usize,
    pub outside: usize,
}

impl<'a> AnimLoader<'a> {
    pub fn new(source: &'a [u8], sequence: usize) -> Self {
        Self {
            source,
            sequence,
            coverage: Coverage::new(source.len()),
            budget: source.len().saturating_mul(4).saturating_add(0x1_0000),
            outside: 0,
        }
    }

    pub fn finish(self, diagnostics: &mut Diagnostics) -> Anim {
        let Self { source, sequence, coverage, outside, .. } = self;
        if outside > 0 {
            let message = format!("{outside} lists of keys are not inside the .anim file and are left out");
            diagnostics.push(
                Diagnostic::new(codes::ANIM_OUTSIDE, Severity::Error, message)
                    .in_path(format!("sequences[{sequence}]")),
            );
        }
        let frame = Frame {
            read: true,
            length: source.len(),
            gaps: coverage.gaps(source),
            overlaps: coverage.overlaps,
            lost: Vec::new(),
        };
        Anim { sequence, frame }
    }
}

impl WalkerMut for AnimLoader<'_> {
    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool) {
        let Some(part) = series.parts.get_mut(self.sequence).filter(|part| bound && part.is_absent()) else {
            return;
        };
        let start = part.offset as usize;
        let length = (part.count as usize).saturating_mul(size_of::<T>());
        match self.source.get(start..start.saturating_add(length)) {
            Some(bytes) if length <= self.budget => {
                self.budget = self.budget.saturating_sub(length);
                self.coverage.mark(start, length);
                part.start = word(series.items.len());
                append(&mut series.items, bytes);
            }
            _ => self.outside = self.outside.saturating_add(1),
        }
    }
}

/// Removes the keys of one sequence from the tracks.
pub(crate) struct AnimUnloader {
    pub sequence: usize,
}

impl WalkerMut for AnimUnloader {
    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool) {
        if bound && let Some(part) = series.parts.get_mut(self.sequence).filter(|part| part.count > 0) {
            part.start = Part::ABSENT;
        }
    }
}

/// The name of a sequence's `.anim` file: `Imp0060-01.anim` is animation 60, variation 1 of `Imp.m2`.
pub(crate) fn file_name(model: &str, id: u16, variation: u16) -> Result<String> {
    Ok(format!("{}{id:04}-{variation:02}.anim", stem(model)?))
}

impl Model {
    /// The sequences whose keys are in `.anim` files that are not attached yet.
    #[must_use]
    pub fn missing_anims(&self) -> Vec<usize> {
        let external = self.external(self.caps());
        (0..external.len())
            .filter(|&index| external.get(index) == Some(&true))
            .filter(|&index| !self.anims.iter().any(|anim| anim.sequence == index))
            .filter(|&index| self.names_keys(index))
            .collect()
    }

    /// The sequences whose `.anim` files are attached.
    pub fn attached_anims(&self) -> impl Iterator<Item = usize> + '_ {
        self.anims.iter().map(|anim| anim.sequence)
    }

    /// Whether any bone has keys for the sequence.
    fn names_keys(&self, sequence: usize) -> bool {
        self.bones.iter().any(|bone| {
            bone.translation.times.stated(sequence) > 0
                || bone.packed_rotation.times.stated(sequence) > 0
                || bone.scale.times.stated(sequence) > 0
        })
    }

    /// The name of a sequence's `.anim` file, for a model in a file of this name.
    ///
    /// # Errors
    /// When there is no such sequence, or `model` is not a file name.
    pub(crate) fn anim_file_name(&self, model: &str, sequence: usize) -> Result<String> {
        let mut found = self.sequences.get(sequence).ok_or_else(|| no_sequence(sequence))?;
        // An alias uses the file of the sequence that it plays. A valid chain of aliases is not longer than the list.
        for _ in 0..self.sequences.len() {
            match self.sequences.get(found.alias as usize) {
                Some(next) if found.flags.contains(SequenceFlags::ALIAS) && found.is_external() => {
                    found = next
                }
                _ => break,
            }
        }
        file_name(model, found.id, found.variation)
    }

    /// Loads the keys of a sequence from its `.anim` file.
    ///
    /// # Errors
    /// When the sequence has no `.anim` file, or it is attached already.
    pub(crate) fn attach_anim(&mut self, sequence: usize, bytes: &[u8]) -> Result<()> {
        check_size(bytes, &Limits::DEFAULT)?;
        let external = self.external(self.caps());
        match external.get(sequence) {
            None => return Err(no_sequence(sequence)),
            Some(false) => {
                let message = format!("the keys of sequence {sequence} are stored in the model");
                return Err(Error::new(Kind::Usage, message));
            }
            Some(true) => {}
        }
        if self.attached_anims().any(|attached| attached == sequence) {
            return Err(Error::new(
                Kind::Usage,
                format!("the keys of sequence {sequence} are attached already"),
            ));
        }
        let mut loader = AnimLoader::new(bytes, sequence);
        self.contents.walk_mut(&mut loader);
        let anim = loader.finish(&mut self.diagnostics);
        self.anims.push(anim);
        Ok(())
    }

    /// Removes the keys of a sequence whose `.anim` file is attached.
    pub fn detach_anim(&mut self, sequence: usize) {
        self.anims.retain(|anim| anim.sequence != sequence);
        self.contents.walk_mut(&mut AnimUnloader { sequence });
    }

    /// Moves the keys of a sequence to a `.anim` file of its own (264 on).
    ///
    /// # Errors
    /// When there is no such sequence, or the version does not have `.anim` files.
    pub fn move_to_anim(&mut self, sequence: usize) -> Result<()> {
        if !self.caps().contains(Caps::NESTED) {
            let message = format!("version {} stores all keys in the model", self.version());
            return Err(Error::new(Kind::Usage, message));
        }
        let found = self.contents.sequences.get_mut(sequence).ok_or_else(|| no_sequence(sequence))?;
        found.flags.remove(SequenceFlags::ALL_EMBEDDED);
        if !self.attached_anims().any(|attached| attached == sequence) {
            self.anims.push(Anim { sequence, frame: Frame::default() });
        }
        self.forget_places();
        Ok(())
    }

    /// Moves the keys of an attached sequence into the model.
    ///
    /// # Errors
    /// When no `.anim` file is attached to the sequence.
    pub fn merge_anim(&mut self, sequence: usize) -> Result<()> {
        let before = self.anims.len();
        self.anims.retain(|anim| anim.sequence != sequence);
        let found = self.contents.sequences.get_mut(sequence).filter(|_| self.anims.len() < before);
        let Some(found) = found else {
            return Err(Error::new(Kind::Usage, format!("no .anim file is attached to sequence {sequence}")));
        };
        found.flags.insert(SequenceFlags::EMBEDDED);
        self.forget_places();
        Ok(())
    }

    /// The bytes of the `.anim` file of an attached sequence. A file that was not edited comes back byte for byte.
    ///
    /// # Errors
    /// When it is not attached, or something in it is too large.
    pub(crate) fn write_anim(&self, sequence: usize) -> Result<Vec<u8>> {
        let Some(anim) = self.anims.iter().find(|anim| anim.sequence == sequence) else {
            return Err(Error::new(Kind::Usage, format!("no .anim file is attached to sequence {sequence}")));
        };
        if self.in_place()?.is_some() && anim.frame.read {
            return self.emit_anim(sequence, &anim.frame);
        }
        let (laid_out, lengths) = self.lay_out()?;
        let length = lengths.anims.get(&sequence).copied().unwrap_or_default();
        laid_out.emit_anim(sequence, &Frame { length, ..Frame::default() })
    }

    fn emit_anim(&self, sequence: usize, frame: &Frame) -> Result<Vec<u8>> {
        let external = self.external(self.caps());
        let mut emit = Emit::new(frame, self.caps(), File::Anim(sequence), &external);
        self.contents.walk(&mut emit);
        emit.finish()
    }
}

fn no_sequence(index: usize) -> Error {
    Error::new(Kind::Usage, format!("there is no sequence {index}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moments;

    #[test]
    fn only_keys_of_sequences_that_the_model_does_not_hold_are_loaded() {
        let source: Vec<u8> = [10_u32, 20, 30].iter().flat_map(|word| word.to_le_bytes()).collect();
        let absent = Part { count: 2, offset: 4, start: Part::ABSENT, room: 0 };
        let series = || {
            let mut series: Series<u32> = Series::default();
            series.set_part(0, &[1]);
            series.parts.push(absent);
            series
        };
        let load = |sequence, bound| {
            let (mut loaded, mut loader) = (series(), AnimLoader::new(&source, sequence));
            loader.series(&mut loaded, bound);
            (loaded.part(0).to_vec(), loaded.part(1).to_vec(), loader.outside)
        };
        assert_eq!(load(1, true), (vec![1], vec![20, 30], 0));
        // A track on a global sequence has all its keys in the model; so has a sequence that is embedded.
        assert_eq!(load(1, false), (vec![1], vec![], 0));
        assert_eq!(load(0, true), (vec![1], vec![], 0));
    }

    #[test]
    fn keys_beyond_the_file_are_counted() {
        let mut series: Series<u32> = Series::default();
        series.parts.push(Part { count: 2, offset: 4, start: Part::ABSENT, room: 0 });
        let mut loader = AnimLoader::new(&[0; 8], 0);
        loader.series(&mut series, true);
        assert_eq!((loader.outside, series.all().len()), (1, 0));
    }

    #[test]
    fn the_first_global_sequence_has_the_number_0() {
        let on = |global_sequence| Moments { global_sequence, ..Moments::default() }.is_bound();
        assert_eq!([-1, 0, 1].map(on), [true, false, false]);
    }

    #[test]
    fn keys_are_loaded_while_the_budget_lasts_and_the_rest_is_reported() {
        let series = |count, offset| {
            let mut series: Series<u32> = Series::default();
            series.parts.push(Part { count, offset, start: Part::ABSENT, room: 0 });
            series
        };
        let source: Vec<u8> = [10_u32, 20, 30].iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut loader = AnimLoader { budget: 8, ..AnimLoader::new(&source, 4) };
        loader.sequence = 0;
        let (mut first, mut second) = (series(2, 0), series(1, 8));
        loader.series(&mut first, true);
        loader.series(&mut second, true);
        assert_eq!((first.part(0), second.part(0), loader.outside), (&[10, 20][..], &[][..], 1));
        let mut diagnostics = Diagnostics::with_limit(10);
        let anim = loader.finish(&mut diagnostics);
        assert_eq!((anim.sequence, anim.frame.length, anim.frame.gaps[0].offset), (0, 12, 8));
        let found: Vec<_> = diagnostics.iter().map(|found| (found.code, found.path.as_str())).collect();
        assert_eq!(found, [(codes::ANIM_OUTSIDE, "sequences[0]")]);
        let mut diagnostics = Diagnostics::with_limit(10);
        AnimLoader::new(&source, 0).finish(&mut diagnostics);
        assert!(diagnostics.is_empty());
    }

    /// Three sequences in files of their own, whose keys are in different tracks; one in the model; one without keys.
    fn model() -> Model {
        use crate::records::{Bone, Sequence};
        let mut model = Model::new(crate::Version::WRATH);
        let sequence = |id, flags, alias| Sequence {
            id,
            variation: 1,
            flags: SequenceFlags::from_bits_retain(flags),
            alias,
            ..Sequence::default()
        };
        model.sequences = vec![
            sequence(4, 0, 1),
            sequence(50, 0x40, 0),
            sequence(600, 0x40, 1),
            sequence(7, 0x60, 0),
            sequence(8, 0x40, 99),
        ]
        .into();
        let translation = model.make_track(1, &[&[(7, [1.0, 2.0, 3.0])], &[], &[], &[(0, [0.0; 3])]]);
        let packed_rotation = model.make_track(1, &[&[], &[(9, [1, 2, 3, 4])]]);
        let scale = model.make_track(1, &[&[], &[], &[(0, [0.0; 3])]]);
        let bone = Bone::default();
        model.bones = vec![
            Bone { translation, ..bone.clone() },
            Bone { packed_rotation, ..bone.clone() },
            Bone { scale, ..bone },
        ]
        .into();
        model
    }

    #[test]
    fn the_file_of_a_sequence_is_that_of_the_one_that_it_plays() {
        let model = model();
        let name = |sequence| model.anim_file_name("a/Imp.m2", sequence);
        // The first is not an alias, the fourth is in the model, the fifth plays what does not exist.
        for (sequence, expected) in
            [(0, "0004-01"), (1, "0004-01"), (2, "0004-01"), (3, "0007-01"), (4, "0008-01")]
        {
            assert_eq!(name(sequence).unwrap(), format!("a/Imp{expected}.anim"), "{sequence}");
        }
        assert_eq!(name(5).unwrap_err().to_string(), "there is no sequence 5");
    }

    #[test]
    fn sequences_move_to_files_and_back() {
        let mut model = model();
        assert_eq!(model.missing_anims(), [0, 1, 2]);
        for sequence in [0, 1, 1, 3] {
            model.move_to_anim(sequence).unwrap();
        }
        assert_eq!(model.attached_anims().collect::<Vec<_>>(), [0, 1, 3]);
        assert_eq!(model.missing_anims(), [2]);
        assert!(model.sequences[3].is_external());
        assert!(model.move_to_anim(5).is_err());
        assert!(Model::new(crate::Version::VANILLA).move_to_anim(0).is_err());
        // Each list at the next multiple of 16: one time, then one value.
        let floats = [1.0_f32, 2.0, 3.0, 0.0].iter().flat_map(|part| part.to_le_bytes());
        let expected: Vec<u8> = [7].into_iter().chain([0; 15]).chain(floats).collect();
        assert_eq!(model.write_anim(0).unwrap(), expected);
        let words = [1, 0, 2, 0, 3, 0, 4, 0].into_iter().chain([0; 8]);
        let expected: Vec<u8> = [9].into_iter().chain([0; 15]).chain(words).collect();
        assert_eq!(model.write_anim(1).unwrap(), expected);
        assert!(model.write_anim(2).is_err());
        model.merge_anim(0).unwrap();
        assert_eq!(model.attached_anims().collect::<Vec<_>>(), [1, 3]);
        assert!(model.merge_anim(0).is_err());
        assert_eq!(model.sequences[0].flags, SequenceFlags::EMBEDDED);
        assert_eq!(model.missing_anims(), [2]);
    }

    #[test]
    fn a_file_is_attached_once_and_only_where_keys_are_missing() {
        let mut model = model();
        let files: Vec<Vec<u8>> = [0, 1]
            .into_iter()
            .map(|sequence| {
                model.move_to_anim(sequence).unwrap();
                model.write_anim(sequence).unwrap()
            })
            .collect();
        let mut read = crate::read(&model.write().unwrap()).unwrap();
        assert_eq!(read.missing_anims(), [0, 1, 2]);
        for (sequence, file) in files.iter().enumerate() {
            read.attach_anim(sequence, file).unwrap();
        }
        assert_eq!((read.bones[0].translation.keys(0).0, read.missing_anims()), (&[7][..], vec![2]));
        assert_eq!(read.bones[1].packed_rotation.keys(1).1, [[1, 2, 3, 4]]);
        for (sequence, message) in [
            (1, "the keys of sequence 1 are attached already"),
            (3, "the keys of sequence 3 are stored in the model"),
            (9, "there is no sequence 9"),
        ] {
            assert_eq!(read.attach_anim(sequence, &[]).unwrap_err().to_string(), message);
        }
        read.detach_anim(0);
        assert_eq!((read.missing_anims(), read.bones[0].translation.keys(0).0.len()), (vec![0, 2], 0));
        assert_eq!(read.bones[1].packed_rotation.keys(1).0, [9]);
    }
}
