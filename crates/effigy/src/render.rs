//! Pictures of any model.

use crate::{Model, Result};
pub use effigy_render::{Container, Gpu, Picture, Progress, Renderer, Shots};
use effigy_render::{Each, Image, PictureFile};
use std::io::Write;
use std::ops::Deref;
#[cfg(feature = "assets")]
use {effigy_wire::Error, std::path::Path};

/// The pictures of a model. It dereferences to [`Shots`], which has the pixels and a report.
#[derive(Clone, Debug)]
pub struct Pictures(Shots);

impl Deref for Pictures {
    type Target = Shots;

    fn deref(&self) -> &Shots {
        &self.0
    }
}

impl Pictures {
    /// The pictures alone.
    #[must_use]
    pub fn into_shots(self) -> Shots {
        self.0
    }

    /// Writes the pictures to a `.png`, `.gif` or `.apng` file, replacing what is there.
    ///
    /// # Errors
    /// When the extension is not one of these, or the disk refuses.
    #[cfg(feature = "assets")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let container = Container::from_extension(extension).ok_or_else(|| {
            Error::new(effigy_wire::Kind::Usage, "the name of a picture must end in .png, .gif or .apng")
        })?;
        effigy_assets::destination::write(path, &self.encode(container)?, true)
    }
}

/// What the pictures of a model are taken from.
struct Prepared {
    scene: effigy_scene::ValidScene,
    picture: Picture,
    team: Option<usize>,
    report: crate::Report,
}

impl Model {
    /// Draws the model: a still, frames of an animation or a contact sheet, as the options say. The textures are those
    /// that are found next to the model or among the game's files.
    ///
    /// The graphics device is opened once per process and shared. Without a driver this is an error whose hint says what
    /// to install.
    ///
    /// ```no_run
    /// let model = effigy::open("footman.mdx")?;
    /// model.render(&effigy::Picture::default())?.save("footman.png")?;
    /// # Ok::<(), effigy::Error>(())
    /// ```
    ///
    /// # Errors
    /// When there is no graphics device, no such sequence or camera, or the picture is larger than the device allows.
    #[cfg(not(target_family = "wasm"))]
    pub fn render(&self, picture: &Picture) -> Result<Pictures> {
        self.render_with(Renderer::shared()?, picture)
    }

    /// Like [`Model::render`], on a device of the caller's.
    ///
    /// # Errors
    /// Like [`Model::render`].
    pub fn render_with(&self, renderer: &Renderer, picture: &Picture) -> Result<Pictures> {
        let mut pictures = Vec::new();
        let shots = self.render_each(renderer, picture, &mut |image, _| {
            pictures.push(image);
            Ok(())
        })?;
        Ok(Pictures(Shots { pictures, ..shots.into_shots() }))
    }

    /// Like [`Model::render_with`], for a caller that takes each picture as it is drawn and is told how many there will be: the
    /// frames of an animation are never in memory together.
    ///
    /// # Errors
    /// Like [`Model::render`], and those of the caller.
    pub fn render_each(
        &self,
        renderer: &Renderer,
        picture: &Picture,
        each: &mut Each<'_>,
    ) -> Result<Pictures> {
        let prepared = self.prepare(picture)?;
        let mut textures = self.textures(prepared.team);
        let shots = renderer.take_each(&prepared.scene, &mut *textures, &prepared.picture, each)?;
        Ok(self.finish(prepared, shots))
    }

    /// Draws the model into a file, picture by picture. What is returned has no pixels.
    ///
    /// # Errors
    /// Like [`Model::render`], and when the output refuses.
    pub fn render_into(
        &self,
        renderer: &Renderer,
        picture: &Picture,
        container: Container,
        output: impl Write,
    ) -> Result<Pictures> {
        let mut file = PictureFile::of(picture, output, container);
        let pictures = self.render_each(renderer, picture, &mut |image, total| file.add(&image, total))?;
        file.finish()?;
        Ok(pictures)
    }

    /// Like [`Model::render_with`], without blocking, as a browser needs it.
    ///
    /// # Errors
    /// Like [`Model::render`].
    pub async fn render_async(&self, renderer: &Renderer, picture: &Picture) -> Result<Pictures> {
        let mut pictures = Vec::new();
        let mut each = |image: Image, _: u32| {
            pictures.push(image);
            Ok(())
        };
        let shots = self.render_each_async(renderer, picture, &Progress::default(), &mut each).await?;
        Ok(Pictures(Shots { pictures, ..shots.into_shots() }))
    }

    /// Like [`Model::render_into`], without blocking: a caller that polls it has its thread back after each picture, and sees how
    /// far it is. Returns the file.
    ///
    /// # Errors
    /// Like [`Model::render`].
    pub async fn render_file_async(
        &self,
        renderer: &Renderer,
        picture: &Picture,
        container: Container,
        progress: &Progress,
    ) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = PictureFile::of(picture, &mut bytes, container);
        let mut each = |image: Image, total: u32| file.add(&image, total);
        self.render_each_async(renderer, picture, progress, &mut each).await?;
        file.finish()?;
        Ok(bytes)
    }

    async fn render_each_async(
        &self,
        renderer: &Renderer,
        picture: &Picture,
        progress: &Progress,
        each: &mut Each<'_>,
    ) -> Result<Pictures> {
        let prepared = self.prepare(picture)?;
        let mut textures = self.textures(prepared.team);
        let (scene, picture) = (&prepared.scene, &prepared.picture);
        let shots = renderer.take_each_async(scene, &mut *textures, picture, progress, each).await?;
        Ok(self.finish(prepared, shots))
    }

    /// A small picture on a transparent background, as a PNG file; `None` where there is nothing to see.
    ///
    /// # Errors
    /// Like [`Model::render`].
    pub fn thumbnail(&self, renderer: &Renderer, size: u32) -> Result<Option<Vec<u8>>> {
        self.thumbnail_at(renderer, size, 0)
    }

    /// Like [`Model::thumbnail`], of a level of detail.
    ///
    /// # Errors
    /// Like [`Model::render`].
    pub fn thumbnail_at(&self, renderer: &Renderer, size: u32, lod: u32) -> Result<Option<Vec<u8>>> {
        let background = effigy_render::Background::Transparent;
        let picture = Picture { size: [size; 2], background, lod, ..Picture::default() };
        let shots = self.render_with(renderer, &picture)?;
        if shots.empty { Ok(None) } else { shots.encode(Container::Png).map(Some) }
    }

    /// The scene that pictures show: also with the models that a model of Warcraft III spawns and that its attachments name, as far
    /// as they are among its files.
    ///
    /// # Errors
    /// Like [`Model::lower`].
    pub fn lower_shown(&self) -> Result<crate::Lowered> {
        #[allow(unused_mut, reason = "without files nothing is spawned")]
        let mut lowered = self.lower()?;
        #[cfg(feature = "assets")]
        self.spawn(&mut lowered.scene, &mut lowered.report);
        Ok(lowered)
    }

    fn prepare(&self, picture: &Picture) -> Result<Prepared> {
        let lowered = self.lower_shown()?;
        let mut scene = lowered.scene;
        if let Some(name) = self.name_of_view(&scene.name) {
            scene.name = name;
        }
        Ok(Prepared {
            scene: effigy_scene::validate(scene)?,
            // A body has as many vertices as it was opened with.
            picture: Picture { lod: self.level(picture.lod), ..picture.clone() },
            // The game's files are those of the first player; the renderer makes the others from the colour.
            team: picture.team_color.number.filter(|number| *number == 0),
            report: lowered.report,
        })
    }

    fn finish(&self, prepared: Prepared, mut shots: Shots) -> Pictures {
        self.report_guesses(&prepared.scene, &mut shots.report);
        shots.report.append(prepared.report);
        #[cfg(feature = "assets")]
        for name in shots.missing.iter_mut().filter(|_| self.naming() == effigy_assets::Naming::Wow) {
            // As the command line and the library take it.
            let number = name.strip_prefix("replaceable ").and_then(|number| number.parse().ok());
            if let Some(kind) = number.and_then(effigy_assets::rules::wow::TextureType::by_id) {
                kind.name.clone_into(name);
            }
        }
        Pictures(shots)
    }

    /// The name of the model's file, where that says more than its own name: that it is made for a camera of its own.
    fn name_of_view(&self, own: &str) -> Option<String> {
        #[cfg(feature = "assets")]
        if let Some(file) = self.file() {
            let name = file.file_name();
            let says_more = !effigy_render::names_a_view(own) && effigy_render::names_a_view(&name);
            return says_more.then_some(name);
        }
        let _ = own;
        None
    }

    /// Reports the textures that were chosen by their name alone.
    fn report_guesses(&self, scene: &effigy_scene::Scene, report: &mut crate::Report) {
        #[cfg(feature = "assets")]
        if let Some(file) = self.file() {
            for (id, texture) in scene.textures.iter() {
                let Some(replaceable) = texture.replaceable else { continue };
                let wanted =
                    effigy_assets::TextureRef { path: &texture.path, replaceable: replaceable.number() };
                if let Some(found) = self.assets().guess(self.naming(), file, wanted) {
                    report.approximated(
                        format!("textures[{}]", id.index()),
                        format!(
                            "the game chooses it by its tables; {} is the nearest by name",
                            found.entry.name
                        ),
                    );
                }
            }
        }
        let _ = (scene, report);
    }
}
