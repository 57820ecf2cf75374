//! The blocks at the top of the text.

use super::Parser;
use crate::chunks::Lists;
use crate::codes;
use crate::records::{
    Attachment, Bone, Camera, CollisionShape, EventObject, FaceFx, Geoset, GeosetAnimation, Helper,
    HitTestShape, Layer, Light, Material, ModelInfo, ParticleEmitter, ParticleEmitter2, PopcornEmitter,
    RibbonEmitter, Sequence, Sound, Texture, TextureAnimation,
};
use crate::text::lexer::{Lexer, Token};
use crate::text::words::{Block, kind_bits};
use crate::version::Dialect;

/// A range of the text.
pub(super) type Span = (usize, usize);

macro_rules! blocks {
    ($($word:literal => |$parser:ident, $lists:ident, $aside:ident| $run:expr;)*) => {
        /// Whether MDL has a block of this name.
        pub(in crate::text) fn is_block(word: &[u8]) -> bool {
            [$($word),*].iter().any(|name: &&str| name.as_bytes().eq_ignore_ascii_case(word))
        }

        impl Parser<'_> {
            /// One block whose word was taken; `false` when there is no such block.
            fn block(&mut self, word: &[u8], lists: &mut Lists, aside: Option<Span>) -> bool {
                $(if word.eq_ignore_ascii_case($word.as_bytes()) {
                    let ($parser, $lists, $aside) = (self, lists, aside);
                    $run;
                    return true;
                })*
                false
            }
        }
    };
}

blocks! {
    "Version" => |parser, _lists, _aside| parser.version();
    "Model" => |parser, lists, aside| parser.one::<ModelInfo>(&mut lists.info, aside);
    "Sequences" => |parser, lists, aside| parser.many::<Sequence>(&mut lists.sequences, aside);
    "GlobalSequences" => |parser, lists, _aside| parser.global_sequences(&mut lists.global_sequences);
    "Textures" => |parser, lists, aside| parser.many::<Texture>(&mut lists.textures, aside);
    "Materials" => |parser, lists, aside| parser.many::<Material>(&mut lists.materials, aside);
    "TextureAnims" => |parser, lists, aside| parser.many::<TextureAnimation>(&mut lists.texture_animations, aside);
    "Geoset" => |parser, lists, aside| parser.one::<Geoset>(&mut lists.geosets, aside);
    "GeosetAnim" => |parser, lists, aside| parser.one::<GeosetAnimation>(&mut lists.geoset_animations, aside);
    "Bone" => |parser, lists, aside| parser.one::<Bone>(&mut lists.bones, aside);
    "Light" => |parser, lists, aside| parser.one::<Light>(&mut lists.lights, aside);
    "Helper" => |parser, lists, aside| parser.one::<Helper>(&mut lists.helpers, aside);
    "Attachment" => |parser, lists, aside| parser.one::<Attachment>(&mut lists.attachments, aside);
    "PivotPoints" => |parser, lists, _aside| lists.pivots.extend(parser.rows::<3>("pivots"));
    "ParticleEmitter" => |parser, lists, aside| parser.one::<ParticleEmitter>(&mut lists.particle_emitters, aside);
    "ParticleEmitter2" => |parser, lists, aside| parser.one::<ParticleEmitter2>(&mut lists.particle_emitters_2, aside);
    "ParticleEmitterPopcorn" => |parser, lists, aside| parser.one::<PopcornEmitter>(&mut lists.popcorn_emitters, aside);
    "PopcornEmitter" => |parser, lists, aside| parser.one::<PopcornEmitter>(&mut lists.popcorn_emitters, aside);
    "RibbonEmitter" => |parser, lists, aside| parser.one::<RibbonEmitter>(&mut lists.ribbon_emitters, aside);
    "Camera" => |parser, lists, aside| parser.one::<Camera>(&mut lists.cameras, aside);
    "EventObject" => |parser, lists, aside| parser.one::<EventObject>(&mut lists.event_objects, aside);
    "CollisionShape" => |parser, lists, aside| parser.one::<CollisionShape>(&mut lists.collision_shapes, aside);
    "HitTestShape" => |parser, lists, aside| parser.one::<HitTestShape>(&mut lists.hit_test_shapes, aside);
    "FaceFX" => |parser, lists, aside| parser.one::<FaceFx>(&mut lists.face_fx, aside);
    "BindPose" => |parser, lists, _aside| parser.bind_poses(&mut lists.bind_poses);
    "Glider" => |parser, lists, _aside| parser.glider(&mut lists.gliders);
    "Sound" => |parser, lists, aside| parser.one::<Sound>(&mut lists.sounds, aside);
    "CollisionMesh" => |parser, lists, _aside| parser.collision_mesh(&mut lists.collision_mesh);
    "BatchedGeoset" => |parser, lists, _aside| parser.batched_geoset(&mut lists.batched_geosets);
    "Anim" => |parser, lists, aside| parser.one::<Sequence>(&mut lists.sequences, aside);
    "Bitmap" => |parser, lists, aside| parser.one::<Texture>(&mut lists.textures, aside);
    "Material" => |parser, lists, aside| parser.one::<Material>(&mut lists.materials, aside);
    "TVertexAnim" => |parser, lists, aside| parser.one::<TextureAnimation>(&mut lists.texture_animations, aside);
    "Layer" => |parser, lists, _aside| parser.lone_layer(&mut lists.materials);
}

impl<'a> Parser<'a> {
    /// All blocks. Returns the comment about chunks, if there is one, and what comes after the last block.
    pub(super) fn blocks(&mut self, lists: &mut Lists) -> (Option<Span>, &'a [u8]) {
        let mut frame = None;
        let mut aside = None;
        while !self.stopped {
            if let Some((start, end)) = self.lexer.skip_to_mark() {
                let comment = self.bytes.get(start..end).unwrap_or_default();
                if comment.starts_with(b"Chunks") {
                    frame = Some((start, end));
                } else if !comment.starts_with(b"Layout") {
                    aside = Some((start, end));
                }
                continue;
            }
            let at = self.lexer.position;
            match self.lexer.next() {
                Token::End => break,
                Token::Comma => {}
                Token::Word(word) => {
                    if !is_block(word) && self.is_after_all(at) {
                        return (frame, self.text_after(at));
                    }
                    if !self.block(word, lists, aside.take()) {
                        let name = String::from_utf8_lossy(word);
                        self.warn(codes::UNKNOWN_BLOCK, at, format!("MDL has no block `{name}`; skipped"));
                        self.skip_property();
                    }
                }
                _ if self.is_after_all(at) => return (frame, self.text_after(at)),
                _ => {
                    self.lexer.position = at;
                    self.error(codes::SYNTAX, at, "a block expected");
                    // A superfluous closing brace is skipped.
                    if !self.lexer.eat(b'}') {
                        self.lexer.next();
                        self.lexer.skip_number();
                        self.skip_property();
                    }
                }
            }
        }
        (frame, &[])
    }

    /// Whether neither a block nor a comment for this parser comes after this offset.
    fn is_after_all(&mut self, at: usize) -> bool {
        let last = match self.last_block {
            Some(last) => last,
            None => self.find_last_block(at),
        };
        self.last_block = Some(last);
        last < at
    }

    /// The offset of the last block or comment for this parser from here on; 0 if there is none.
    fn find_last_block(&self, from: usize) -> usize {
        let mut lexer = self.lexer;
        lexer.position = from;
        let mut last = 0;
        loop {
            if let Some((start, _)) = lexer.skip_to_mark() {
                last = start;
                continue;
            }
            let at = lexer.position;
            match lexer.next() {
                Token::End => return last,
                Token::Word(word) if is_block(word) => {
                    if matches!(lexer.peek(), Token::Open | Token::Number | Token::Text(_)) {
                        last = at;
                    }
                }
                Token::Number => lexer.skip_number(),
                _ => {}
            }
        }
    }

    /// Takes everything from here on.
    fn text_after(&mut self, at: usize) -> &'a [u8] {
        let text = self.bytes.get(at..).unwrap_or_default();
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let shown: String = String::from_utf8_lossy(line).trim_end().chars().take(40).collect();
        self.warn(codes::TEXT_AFTER, at, format!("`{shown}` is not a block of MDL; it is kept as it is"));
        text
    }

    /// `Version { FormatVersion 800, }`: it was read first of all, and is only skipped here.
    fn version(&mut self) {
        self.properties(|parser, word| {
            if word.eq_ignore_ascii_case(b"FormatVersion") {
                parser.int(0, u32::MAX.into());
                return true;
            }
            word.eq_ignore_ascii_case(b"WowAlpha")
        });
    }

    /// A block that is one record.
    fn one<R: Block>(&mut self, list: &mut Vec<R>, aside: Option<Span>) {
        if !self.admit() {
            return;
        }
        let mut record = R::fresh(self.caps);
        let whole = self.record(&mut record);
        if let Some(span) = aside {
            self.in_comment(span, |parser| parser.body(&mut record, "", span.0));
        }
        if whole {
            list.push(record);
        }
    }

    /// A block with records in it.
    fn many<R: Block>(&mut self, list: &mut Vec<R>, aside: Option<Span>) {
        let first = list.len();
        let stated = self.count();
        let opened = self.lexer.position;
        if !self.open() {
            return;
        }
        let closed = self.words(opened, R::BLOCK, |parser, word, at| {
            if word.eq_ignore_ascii_case(R::BLOCK.as_bytes()) {
                return parser.one(list, None);
            }
            let name = String::from_utf8_lossy(word);
            parser.warn(codes::UNKNOWN_WORD, at, format!("`{}` expected, `{name}` skipped", R::BLOCK));
            parser.skip_property();
        });
        if !closed {
            return;
        }
        // Only a warning, since the game counts these itself.
        let found = list.len() - first;
        if let Some((stated, at)) = stated
            && u64::try_from(stated) != Ok(found as u64)
        {
            self.warn(codes::WRONG_COUNT, at, format!("{stated} entries are stated, but there are {found}"));
        }
        if let Some(span) = aside {
            let new = list.get_mut(first..).unwrap_or_default();
            self.in_comment(span, |parser| parser.by_position(R::BLOCK, new));
        }
    }

    /// The part of a comment that refers to records by position: `Anim 3 { ... }`.
    pub(super) fn by_position<R: Block>(&mut self, word: &str, records: &mut [R]) {
        while let Token::Word(found) = self.lexer.next() {
            let at = self.lexer.position;
            let index = self.lexer.int().and_then(|index| usize::try_from(index).ok());
            let record = index.and_then(|index| records.get_mut(index));
            let (true, Some(record), true) = (found == word.as_bytes(), record, self.lexer.eat(b'{')) else {
                return self.warn(
                    codes::STALE_COMMENT,
                    at,
                    "this comment refers to something that does not exist",
                );
            };
            self.body(record, "", at);
        }
    }

    /// A record from its name to its closing brace.
    pub(super) fn record<R: Block>(&mut self, record: &mut R) -> bool {
        if let Some(node) = record.node_mut() {
            node.flags = crate::records::NodeFlags::from_bits_retain(kind_bits::<R>(self.caps));
        }
        if let Token::Text(_) = self.lexer.peek() {
            match record.title_mut() {
                Some(title) => self.text(title),
                None => drop(self.lexer.next()),
            }
        } else if record.title().is_some() && self.lexer.peek() != Token::Open {
            self.expected("a name in quotes");
            return false;
        }
        // `Anim 3 {`: some tools number entries.
        self.lexer.int();
        self.lexer.skip();
        let opened = self.lexer.position;
        if !self.open() {
            return false;
        }
        self.body(record, "", opened);
        record.settle(self);
        true
    }

    /// A layer without its material, as in collections of snippets.
    fn lone_layer(&mut self, materials: &mut Vec<Material>) {
        let mut layers = Vec::new();
        self.one::<Layer>(&mut layers, None);
        let mut material = Material { layers, ..Material::default() };
        material.settle(self);
        materials.push(material);
    }
}

/// Dialect, version and layout, wherever they are in the text.
pub(super) fn find_version(bytes: &[u8]) -> Option<(Dialect, u32, u32)> {
    let mut lexer = Lexer::new(bytes);
    let mut depth = 0_usize;
    let mut layout = None;
    loop {
        if depth == 0
            && let Some((start, end)) = lexer.skip_to_mark()
        {
            let mut comment = lexer.part(start, end);
            if comment.next() == Token::Word(b"Layout") {
                layout = comment.int().and_then(|layout| u32::try_from(layout).ok());
            }
            continue;
        }
        match lexer.next() {
            Token::End => return None,
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word(word) if depth == 0 && word.eq_ignore_ascii_case(b"Version") => break,
            Token::Number => lexer.skip_number(),
            _ => {}
        }
    }
    let mut dialect = Dialect::Warcraft3;
    let mut version = None;
    lexer.eat(b'{');
    loop {
        match lexer.next() {
            Token::Word(word) if word.eq_ignore_ascii_case(b"FormatVersion") => version = lexer.int(),
            Token::Word(word) if word.eq_ignore_ascii_case(b"WowAlpha") => dialect = Dialect::WowAlpha,
            Token::Number => lexer.skip_number(),
            Token::Close | Token::End => break,
            _ => {}
        }
    }
    let version = u32::try_from(version?).ok()?;
    Some((dialect, version, layout.unwrap_or(version)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_wherever_it_is() {
        let warcraft = |version| Some((Dialect::Warcraft3, version, version));
        for (text, expected) in [
            ("Version { FormatVersion 800, }", warcraft(800)),
            (
                "Model \"Version\" { Version { FormatVersion 1 } } version { formatversion 900 }",
                warcraft(900),
            ),
            ("1.5.5 Version { Other 1x2 FormatVersion 1000, }", warcraft(1000)),
            ("Version { WowAlpha, FormatVersion 1300, }", Some((Dialect::WowAlpha, 1300, 1300))),
            ("Version { FormatVersion -1, }", None),
            ("Version { }", None),
            ("Model { }", None),
        ] {
            assert_eq!(find_version(text.as_bytes()), expected, "{text}");
        }
    }
}
