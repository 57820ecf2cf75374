//! Checking and repairing any model.

use crate::Model;
pub use effigy_check::{Applied, CheckOptions, Checked, Finding, Game, Lookup, Profile};

impl Model {
    /// Reports what is wrong with the model.
    ///
    /// What the options leave open is taken from where the model was opened: its file name, whether the textures that
    /// it names are there, and the other levels of detail and skins of an MDC or MD3.
    ///
    /// ```no_run
    /// let model = effigy::open("footman.mdx")?;
    /// for finding in &model.check(&Default::default()).findings {
    ///     println!("{finding}");
    /// }
    /// # Ok::<(), effigy::Error>(())
    /// ```
    #[must_use]
    pub fn check(&self, options: &CheckOptions<'_>) -> Checked {
        #[cfg(feature = "assets")]
        return self.check_with_surroundings(options);
        #[cfg(not(feature = "assets"))]
        self.run_check(options)
    }

    /// Whether the model can be checked by itself.
    ///
    /// # Errors
    /// For a skin, which is checked with its model.
    pub fn ensure_checkable(&self) -> crate::Result<()> {
        match self {
            Self::Skin(_) => {
                Err(crate::Error::unsupported("a skin is checked with its model").hint("name the .m2 file"))
            }
            _ => Ok(()),
        }
    }

    fn run_check(&self, options: &CheckOptions<'_>) -> Checked {
        match self {
            Self::Mdx(model) => effigy_check::check(&**model, options),
            Self::M2(model) => effigy_check::check(&**model, options),
            Self::Mdc(model) => effigy_check::check(&**model, options),
            Self::Mds(model) => effigy_check::check(&**model, options),
            // A skin is checked with its model; alone there is only what its reader noticed.
            Self::Skin(skin) => Checked::of_diagnostics(skin.diagnostics(), options),
            Self::Gltf(model) => effigy_check::check(&**model, options),
        }
    }

    #[cfg(feature = "assets")]
    fn check_with_surroundings(&self, options: &CheckOptions<'_>) -> Checked {
        let Some(file) = self.file() else { return self.run_check(options) };
        let complete = self.assets().has_game_files();
        let lookup = |path: &str| {
            let texture = effigy_assets::TextureRef { path, replaceable: 0 };
            match self.assets().textures(self.naming(), file, [texture]).into_iter().flatten().next() {
                // The engine of Wolfenstein scales textures to powers of two itself.
                Some(_) if self.naming() == effigy_assets::Naming::Wolfenstein => Lookup::Found,
                Some(found) => texture_state(&found),
                None if self.assets().path(file, path).is_some() => Lookup::Found,
                None => absent(path, complete),
            }
        };
        let neighbours = crate::formats::mdc::Neighbours::of(self, file);
        let options = CheckOptions {
            file_name: if options.file_name.is_empty() { file.label() } else { options.file_name },
            lookup: options.lookup.or(Some(&lookup)),
            finest_frames: options.finest_frames.or(neighbours.finest_frames),
            skin_surfaces: options.skin_surfaces.or(neighbours.skin_surfaces.as_deref()),
            ..*options
        };
        self.run_check(&options)
    }

    /// Repairs what these rules find, as far as that is safe, and returns what was done. Formats without repairs stay
    /// as they are.
    pub fn fix(&mut self, codes: &[&str]) -> Vec<Applied> {
        match self {
            Self::Mdx(model) => effigy_check::fix(&mut **model, codes),
            Self::M2(model) => effigy_check::fix(&mut **model, codes),
            Self::Mdc(_) | Self::Mds(_) | Self::Skin(_) | Self::Gltf(_) => Vec::new(),
        }
    }
}

/// Whether a file is a texture that the games show well, as far as its first bytes tell. Other files than textures, such as the
/// models of emitters, are only found.
#[cfg(feature = "assets")]
fn texture_state(found: &effigy_assets::Found) -> Lookup {
    use effigy_image::{Format, HEAD, sniff, stated_length, stated_size};
    if Format::by_extension(&found.entry.name).is_none() {
        return Lookup::Found;
    }
    let Ok(head) = found.source.head(&found.entry, HEAD) else { return Lookup::Found };
    match (sniff(&head), stated_size(&head)) {
        (None, _) => Lookup::NotATexture,
        _ if stated_length(&head).is_some_and(|least| found.entry.size < least) => Lookup::CutOff,
        (_, Some((width, height))) if !width.is_power_of_two() || !height.is_power_of_two() => {
            Lookup::OddSize(width, height)
        }
        _ => Lookup::Found,
    }
}

/// What it means that a file was not found. Without the game's own files, a path into its folders says nothing: only a
/// bare name, or the folder that maps import into, cannot be part of the game.
#[cfg(feature = "assets")]
fn absent(file: &str, complete: bool) -> Lookup {
    let bare = !file.contains(['\\', '/']);
    let imported = file.get(..15).is_some_and(|start| start.eq_ignore_ascii_case("war3mapImported"));
    if complete || bare || imported { Lookup::Missing } else { Lookup::Unknown }
}

/// A repaired copy of a model.
#[derive(Clone, Debug)]
pub struct Repaired {
    /// The repaired model, read again from its bytes where that is possible, so that offsets are those of the new file.
    pub model: Model,
    /// The bytes of the repaired file, or why it cannot be written.
    pub bytes: crate::Result<Vec<u8>>,
    /// What was done.
    pub applied: Vec<Applied>,
}

impl Model {
    /// Repairs a copy of the model, and writes it the way its file was written. `None` when nothing had to be repaired.
    ///
    /// Text can only be repaired where the rest of it would stay as it is, that is, where the file is what Effigy would
    /// print.
    #[must_use]
    pub fn repaired(&self, source: &[u8], codes: &[&str]) -> Option<Repaired> {
        let mut model = self.clone();
        let applied = model.fix(codes);
        if applied.is_empty() {
            return None;
        }
        let bytes = match (self, &model) {
            (Self::Mdx(before), Self::Mdx(after)) if self.format() == crate::Format::Mdl => {
                crate::formats::mdx::print_alike(before, source, after)
            }
            _ => model.write(),
        };
        if let (Ok(bytes), crate::Format::Mdx) = (&bytes, self.format())
            && let Ok(Self::Mdx(again)) = crate::read_with(bytes, self.format(), &crate::Limits::DEFAULT)
            && let Self::Mdx(model) = &mut model
        {
            **model = again.into_inner();
        }
        Some(Repaired { model, bytes, applied })
    }
}
