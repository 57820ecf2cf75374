use super::*;

fn assets(paths: &[&Path]) -> Assets {
    let mut assets = Assets::new(Limits::DEFAULT);
    paths.iter().for_each(|path| assets.add(path).unwrap());
    assets
}

fn find(assets: &Assets, naming: Naming, model: &Path, path: &str) -> Option<String> {
    let home = assets.home(&FileRef::disk(model));
    let scripts = assets.scripts_around(&home);
    let texture = TextureRef { path, replaceable: 0 };
    assets.find(naming, &home, texture, scripts.get(path)).map(|found| found.to_string())
}

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn a_texture_is_found_next_to_and_above_the_model_in_any_case() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &[("textures/footman.dds", "x"), ("stray.blp", "x"), ("Units/Human/Own.blp", "x")]);
    let (model, assets) = (root.path().join("Units/Human/Footman.mdx"), assets(&[]));
    let find = |path| find(&assets, Naming::Warcraft3, &model, path);
    assert!(find("Textures\\Footman.blp").unwrap().ends_with("textures/footman.dds"));
    assert!(find("Textures\\Footman.tif").unwrap().ends_with("textures/footman.dds"));
    assert!(find("war3mapImported\\own.blp").unwrap().ends_with("Own.blp"));
    assert_eq!(find("Textures\\Other.blp"), None);
    assert_eq!(find("Textures\\Stray.blp"), None);
    assert_eq!(find("..\\..\\stray.blp"), None);
    assert_eq!(find(""), None);
}

#[test]
fn files_in_memory_are_a_source_like_any_other() {
    let root = tempfile::tempdir().unwrap();
    let (model, mut assets) = (root.path().join("Footman.mdx"), assets(&[]));
    assert!(!assets.has_game_files());
    assert_eq!(find(&assets, Naming::Warcraft3, &model, "Textures\\Footman.blp"), None);
    let mut game = crate::Memory::new("game");
    game.add("Textures/Footman.blp", b"x".to_vec());
    assets.push(std::sync::Arc::new(game));
    assert!(assets.has_game_files());
    let found = find(&assets, Naming::Warcraft3, &model, "Textures\\Footman.blp").unwrap();
    assert!(found.ends_with("Textures/Footman.blp"), "{found}");
}

#[test]
fn the_models_own_folder_comes_before_the_assets_and_later_assets_before_earlier() {
    let root = tempfile::tempdir().unwrap();
    let files = ["own/a.jpg", "one/models/a.tga", "one/models/b.tga", "two/models/b.tga", "two/c.tga"];
    write(root.path(), &files.map(|file| (file, "x")));
    let assets = assets(&[&root.path().join("one"), &root.path().join("two")]);
    let model = root.path().join("own/model.mdc");
    let find = |path| find(&assets, Naming::Wolfenstein, &model, path);
    assert!(find("a.tga").unwrap().ends_with("own/a.jpg"));
    assert!(find("models/b.tga").unwrap().ends_with("two/models/b.tga"));
    assert_eq!(find("models/d.tga"), None);
}

#[test]
fn folders_are_forgotten_before_they_are_too_many() {
    let root = tempfile::tempdir().unwrap();
    let assets = assets(&[]);
    for number in 0..home::FOLDERS {
        let own = format!("{number}/a.blp");
        write(root.path(), &[(&own, "")]);
        let found = find(&assets, Naming::Warcraft3, &root.path().join(format!("{number}/m.mdx")), "a.blp");
        assert!(found.unwrap().ends_with(&own));
        assert!(assets.folders.lock().unwrap().len() <= home::FOLDERS);
    }
}

#[test]
fn scripts_around_the_model_name_the_image_of_a_shader() {
    let root = tempfile::tempdir().unwrap();
    write(
        root.path(),
        &[
            ("game/scripts/a.shader", "models/x/fire { { map textures/flame.tga } }"),
            ("game/textures/flame.jpg", "x"),
            ("game/models/x/fire.tga", "x"),
        ],
    );
    let model = root.path().join("game/models/x/model.mdc");
    let found = find(&assets(&[]), Naming::Wolfenstein, &model, "models/x/fire.tga");
    assert!(found.unwrap().ends_with("game/textures/flame.jpg"));
    // An image is not a shader, even where a script has its name.
    let texture = TextureRef { path: "models/x/fire.tga", replaceable: 0 };
    let found = assets(&[]).image_file(Naming::Wolfenstein, &FileRef::disk(model), texture);
    assert!(found.unwrap().to_string().ends_with("game/models/x/fire.tga"));
    // All textures of a model at once: scripts count for the game that has them.
    let model = FileRef::disk(root.path().join("game/models/x/model.mdc"));
    for (naming, end) in
        [(Naming::Wolfenstein, "textures/flame.jpg"), (Naming::Warcraft3, "models/x/fire.tga")]
    {
        let found = assets(&[]).textures(naming, &model, [texture]);
        assert!(found[0].as_ref().unwrap().to_string().ends_with(end), "{naming:?}: {found:?}");
    }
}

#[test]
fn files_in_memory_are_searched_like_an_archive() {
    let files = crate::Memory::new("drop")
        .with("units/footman.mdx", *b"m")
        .with("textures/footman.blp", *b"t")
        .with("scripts/a.shader", *b"models/fire { { map textures/footman.blp } }");
    let files: Arc<dyn Source> = Arc::new(files);
    let entry = files.find("units/footman.mdx").unwrap();
    let model = FileRef::inside(Arc::clone(&files), entry);
    let assets = assets(&[]);
    let texture = TextureRef { path: "Textures\\Footman.blp", replaceable: 0 };
    let found = assets.textures(Naming::Warcraft3, &model, [texture]);
    assert_eq!(found[0].as_ref().unwrap().to_string(), "drop:textures/footman.blp");
    assert!(assets.scripts(&model).get("models/fire").is_some());
    assert_eq!(model.read(&Limits::DEFAULT).unwrap(), b"m");
    assert_eq!(model.beside("footman.mdx", &Limits::DEFAULT).unwrap(), b"m");
    assert!(model.beside("footman00.skin", &Limits::DEFAULT).is_none());
}

fn object(assets: &Assets, model: &Path, path: &str) -> Option<String> {
    let found = assets.image_file(Naming::Wow, &FileRef::disk(model), TextureRef { path, replaceable: 2 });
    found.map(|found| found.entry.name)
}

#[test]
fn a_left_over_letter_is_not_a_texture_and_the_nearest_one_is_a_guess() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &[("Sword_A_01.blp", "x"), ("Axe_B_02.blp", "x"), ("Own.blp", "x")]);
    let (model, assets) = (root.path().join("Sword_A_01.m2"), assets(&[]));
    for junk in ["", "O", "\u{f}"] {
        assert_eq!(object(&assets, &model, junk).unwrap(), "Sword_A_01.blp", "{junk:?}");
        let wanted = TextureRef { path: junk, replaceable: 2 };
        assert!(assets.guess(Naming::Wow, &FileRef::disk(&model), wanted).is_some());
    }
    // A name that is one wins, and is not a guess.
    assert_eq!(object(&assets, &model, "Own.blp").unwrap(), "Own.blp");
    let named = TextureRef { path: "Own.blp", replaceable: 2 };
    assert!(assets.guess(Naming::Wow, &FileRef::disk(&model), named).is_none());
}

#[test]
fn tables_are_found_above_the_model() {
    use crate::dbc::tests::{Cell, table};
    let root = tempfile::tempdir().unwrap();
    let folder = "Item/ObjectComponents/Weapon";
    write(root.path(), &[(&format!("{folder}/Sword_A_01.blp"), "x"), (&format!("{folder}/Other.blp"), "x")]);
    let mut row: Vec<Cell> = (0..23).map(|_| Cell::Number(0)).collect();
    row[0] = Cell::Number(5);
    row[1] = Cell::Text("Sword_A_01.mdx");
    row[3] = Cell::Text("Other");
    std::fs::create_dir_all(root.path().join("DBFilesClient")).unwrap();
    std::fs::write(root.path().join("DBFilesClient/ItemDisplayInfo.dbc"), table(&[row])).unwrap();
    let (model, assets) = (root.path().join(folder).join("Sword_A_01.m2"), assets(&[]));
    // By its name the other texture is nearer; the table decides.
    assert!(object(&assets, &model, "").unwrap().ends_with("Other.blp"));
    let wanted = TextureRef { path: "", replaceable: 2 };
    assert!(assets.guess(Naming::Wow, &FileRef::disk(&model), wanted).is_none());
}

#[test]
fn the_body_of_a_character_is_painted_from_its_table_and_the_look() {
    use crate::dbc::tests::Cell::{Number, Text};
    use effigy_image::{Image, png};
    use effigy_scene::{Replaceable, Texture, Textures};
    let root = tempfile::tempdir().unwrap();
    let row = |id, section, variation, color, one: &'static str, two: &'static str| {
        let mut row = [id, 2, 0, section, variation, color].map(Number).to_vec();
        row.extend([Text(one), Text(two), Text(""), Number(1)]);
        row
    };
    let table = crate::dbc::tests::table(&[
        row(1, 0, 0, 0, "Character/OrcMaleSkin00_00.png", ""),
        row(2, 0, 0, 1, "Character/OrcMaleSkin00_01.png", ""),
        row(3, 1, 0, 1, "Character/Face00_01.png", ""),
        row(4, 3, 5, 2, "Character/Hair05_02.png", ""),
    ]);
    std::fs::create_dir_all(root.path().join("DBFilesClient")).unwrap();
    std::fs::create_dir_all(root.path().join("Character")).unwrap();
    std::fs::write(root.path().join("DBFilesClient/CharSections.dbc"), table).unwrap();
    for (name, side, color) in [
        ("OrcMaleSkin00_00", 256, [10, 10, 10, 255]),
        ("OrcMaleSkin00_01", 256, [20, 20, 20, 255]),
        ("Face00_01", 16, [90, 0, 0, 255]),
        ("Hair05_02", 16, [0, 0, 70, 255]),
    ] {
        let bytes = png::write(&Image::flat(side, side, color), png::Compression::Fast).unwrap();
        std::fs::write(root.path().join(format!("Character/{name}.png")), bytes).unwrap();
    }
    let mut assets = assets(&[root.path()]);
    let file = FileRef::disk(root.path().join("OrcMale.m2"));
    assets.dress("skin=1,hair=5".parse().unwrap());
    let choices = assets.choices(Naming::Wow, &file).unwrap();
    assert_eq!((choices.skins, choices.faces, choices.hairs, choices.facials), (2, 1, 6, 0));
    assert_eq!(assets.choices(Naming::Wow, &FileRef::disk("Wolf.m2")), None);
    let image = |assets: &Assets, kind| {
        let mut textures = ModelTextures { assets, file: &file, naming: Naming::Wow, team: None };
        let replaceable = Some(Replaceable::Other(kind));
        textures.image(&Texture { path: "\u{f}".into(), replaceable, repeat: [true; 2] }).unwrap()
    };
    let body = image(&assets, 1);
    // The lower part of the face is at the bottom left.
    assert_eq!((body.pixel(3, 250), body.pixel(200, 30)), ([90, 0, 0, 255], [20, 20, 20, 255]));
    assert_eq!(image(&assets, 6).pixel(0, 0), [0, 0, 70, 255]);
    // A file that the user has chosen comes before the tables.
    let chosen = assets.path(&file, "Character/Face00_01.png").unwrap();
    assets.choose(1, chosen);
    assert_eq!(image(&assets, 1).pixel(0, 0), [90, 0, 0, 255]);
    // Another look of the same files; what was chosen stays unless it is chosen again.
    let hair = assets.path(&file, "Character/Hair05_02.png").unwrap();
    let other = assets.dressed_as("skin=0".parse().unwrap(), []);
    assert_eq!((other.appearance().skin, image(&other, 1).pixel(0, 0)), (0, [90, 0, 0, 255]));
    let other = assets.dressed_as("skin=0".parse().unwrap(), [(1, hair)]);
    assert_eq!(image(&other, 1).pixel(0, 0), [0, 0, 70, 255]);
}

#[test]
fn the_colour_of_a_team_is_left_to_whoever_asks_unless_a_player_is_chosen() {
    use effigy_image::{Image, png};
    use effigy_scene::{Replaceable, Texture, Textures as _};
    let root = tempfile::tempdir().unwrap();
    let assets = assets(&[root.path()]);
    let file = FileRef::disk(root.path().join("unit.mdx"));
    let pixel = |team| {
        let mut textures = ModelTextures { assets: &assets, file: &file, naming: Naming::Warcraft3, team };
        let wanted =
            Texture { path: String::new(), replaceable: Some(Replaceable::TeamColor), repeat: [true; 2] };
        textures.image(&wanted).map(|image| image.pixel(0, 0))
    };
    let color = |team| {
        let [r, g, b] = warcraft3::team_color(team);
        Some([r, g, b, 255])
    };
    assert_eq!([pixel(None), pixel(Some(0)), pixel(Some(3))], [None, color(0), color(3)]);
    // Other textures are found whatever the player.
    let stone = png::write(&Image::flat(4, 4, [1, 2, 3, 255]), png::Compression::Fast).unwrap();
    std::fs::write(root.path().join("stone.png"), stone).unwrap();
    for team in [None, Some(0), Some(3)] {
        let mut textures = ModelTextures { assets: &assets, file: &file, naming: Naming::Warcraft3, team };
        let wanted = Texture { path: "stone.png".into(), replaceable: None, repeat: [true; 2] };
        assert_eq!(textures.image(&wanted).map(|image| image.pixel(0, 0)), Some([1, 2, 3, 255]), "{team:?}");
    }
}
