//! One walk over all fields of a model. It finds the offsets of the fields that findings name, and values that are infinite
//! or not a number (NaN).

use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_wire::{Label, Leaf, Numbers, Visitor};
use std::fmt::Write;

rules! { Walk
    /// A coordinate, weight or time that is infinite or not a number spreads to everything that is computed from it:
    /// the part vanishes, flickers or fills the screen. Export the model again, or set the value by hand.
    ALL1001 "value is infinite or not a number" Severe for EVERY => not_finite;
}

fn not_finite(walk: &Walk<'_>, found: &mut Findings) {
    for (path, offset, position) in &walk.not_finite {
        found.add(path.as_str(), format!("element {position} is infinite or not a number"));
        found.set_offset(*offset);
    }
}

/// A field whose offset is wanted, as a node in a tree of path segments.
#[derive(Debug, Default)]
struct Wanted<'a> {
    parent: usize,
    names: Vec<(&'a str, usize)>,
    /// By index.
    elements: Vec<(usize, usize)>,
    offset: Option<usize>,
}

impl Wanted<'_> {
    fn child(&self, label: Label<'_>) -> Option<usize> {
        let named = |same: &dyn Fn(&str) -> bool| self.names.iter().find(|(name, _)| same(name));
        match label {
            Label::Index(index) => {
                let found = self.elements.binary_search_by_key(&index, |(index, _)| *index).ok();
                found.and_then(|found| self.elements.get(found)).map(|(_, child)| *child)
            }
            Label::Field(name) => named(&|other| other == name).map(|(_, child)| *child),
            Label::Tag(tag) => named(&|other| other.as_bytes() == tag.0).map(|(_, child)| *child),
        }
    }
}

/// The visitor that does both.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    /// All nodes of the tree of wanted fields; the first is the root, and its own parent.
    wanted: Vec<Wanted<'a>>,
    /// The innermost open part that is in the tree, and how many open parts inside it are not.
    open: usize,
    unwanted: usize,
    /// Which values are looked at.
    search: Search,
    offset: Option<usize>,
    /// The path of the open part; only kept up to date when paths are recorded.
    place: PathBuilder,
    /// Whether the walk found a value that is not finite.
    pub found: bool,
    /// Fields with values that are not finite: path, offset, and the position of the first such value.
    pub not_finite: Vec<(String, Option<usize>, usize)>,
}

/// Which values a walk looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// None.
    Nothing,
    /// Those that the model stores as numbers; the result is only whether one is not finite.
    Whether,
    /// All; the result is where each one is that is not finite.
    Where,
}

/// How many fields with such values are recorded.
const MOST: usize = 200;

impl<'a> Walk<'a> {
    pub fn new(search: Search) -> Self {
        Self {
            wanted: vec![Wanted::default()],
            open: 0,
            unwanted: 0,
            search,
            offset: None,
            place: PathBuilder::default(),
            found: false,
            not_finite: Vec::new(),
        }
    }

    /// Looks for this path. After the walk, [`Self::offset`] takes the returned number.
    pub fn want(&mut self, path: &'a str) -> usize {
        let mut at = 0;
        for part in parts(path) {
            let next = self.wanted.len();
            let Some(node) = self.wanted.get_mut(at) else { break };
            let parent = at;
            at = match part {
                Part::Element(index) => match node.elements.binary_search_by_key(&index, |(index, _)| *index)
                {
                    Ok(found) => node.elements.get(found).map_or(at, |(_, child)| *child),
                    Err(place) => {
                        node.elements.insert(place, (index, next));
                        next
                    }
                },
                Part::Name(name) => match node.names.iter().find(|(other, _)| *other == name) {
                    Some((_, child)) => *child,
                    None => {
                        node.names.push((name, next));
                        next
                    }
                },
            };
            if at == next {
                self.wanted.push(Wanted { parent, ..Wanted::default() });
            }
        }
        at
    }

    /// The offset of the innermost part of a wanted path that the walk found.
    pub fn offset(&self, mut wanted: usize) -> Option<usize> {
        while let Some(node) = self.wanted.get(wanted).filter(|_| wanted != 0) {
            if node.offset.is_some() {
                return node.offset;
            }
            wanted = node.parent;
        }
        None
    }

    fn note(&mut self, position: usize) {
        self.found = true;
        if self.search == Search::Where && self.not_finite.len() < MOST {
            self.not_finite.push((self.place.path.clone(), self.offset, position));
        }
    }
}

/// A path that grows and shrinks with the walk.
#[derive(Debug, Default)]
struct PathBuilder {
    path: String,
    lengths: Vec<usize>,
}

impl PathBuilder {
    fn enter(&mut self, label: Label<'_>) {
        self.lengths.push(self.path.len());
        let dot = if self.path.is_empty() { "" } else { "." };
        // Writing to a string cannot fail.
        let _ = match label {
            Label::Index(index) => write!(self.path, "[{index}]"),
            Label::Field(name) => write!(self.path, "{dot}{name}"),
            Label::Tag(tag) => write!(self.path, "{dot}{tag}"),
        };
    }

    fn leave(&mut self) {
        self.path.truncate(self.lengths.pop().unwrap_or(0));
    }
}

/// A part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    Name(&'a str),
    Element(usize),
}

/// `GEOS[0].vertices` as `GEOS`, 0, `vertices`.
fn parts(path: &str) -> impl Iterator<Item = Part<'_>> {
    path.split('.').flat_map(|part| {
        let (name, rest) = part.split_once('[').unwrap_or((part, ""));
        let elements = rest.split('[').filter_map(|element| element.strip_suffix(']')?.parse().ok());
        let name = Some(Part::Name(name)).filter(|_| !name.is_empty());
        name.into_iter().chain(elements.map(Part::Element))
    })
}

/// Whether one of these words is infinite or not a number when taken as a float. There is no branch per word, so that the
/// compiler can vectorise the loop.
pub(crate) fn any_not_finite(words: impl Iterator<Item = u32>) -> bool {
    const EXPONENT: u32 = f32::INFINITY.to_bits();
    words.fold(false, |any, word| any | (word & EXPONENT == EXPONENT))
}

impl Visitor for Walk<'_> {
    fn enter(&mut self, label: Label<'_>, offset: Option<usize>) {
        self.offset = offset;
        let child = if self.unwanted > 0 {
            None
        } else {
            self.wanted.get(self.open).and_then(|node| node.child(label))
        };
        match child.and_then(|child| Some((child, self.wanted.get_mut(child)?))) {
            Some((child, node)) => {
                node.offset = node.offset.or(offset);
                self.open = child;
            }
            None => self.unwanted = self.unwanted.saturating_add(1),
        }
        if self.search == Search::Where {
            self.place.enter(label);
        }
    }

    fn leaf(&mut self, leaf: Leaf<'_>) {
        if self.search == Search::Nothing {
            return;
        }
        match leaf {
            Leaf::Float(number) if !number.is_finite() => self.note(0),
            Leaf::Many { numbers: Numbers::F32(list), width } => {
                if any_not_finite(list.iter().map(|number| number.to_bits()))
                    && let Some(position) = list.iter().position(|number| !number.is_finite())
                {
                    self.note(position.checked_div(width).unwrap_or(position));
                }
            }
            _ => {}
        }
    }

    fn leave(&mut self) {
        match self.unwanted.checked_sub(1) {
            Some(unwanted) => self.unwanted = unwanted,
            None => self.open = self.wanted.get(self.open).map_or(0, |node| node.parent),
        }
        if self.search == Search::Where {
            self.place.leave();
        }
    }

    fn wants_gathered(&self) -> bool {
        self.search == Search::Where
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_split_into_its_labels() {
        let cut: Vec<Part<'_>> = parts("MTLS[1].layers[0].tracks.KMTA").collect();
        let (name, index) = (Part::Name, Part::Element);
        assert_eq!(cut, [name("MTLS"), index(1), name("layers"), index(0), name("tracks"), name("KMTA")]);
        assert_eq!(parts("").count(), 0);
        assert_eq!(parts("MODL").collect::<Vec<_>>(), [name("MODL")]);
    }

    fn visit(walk: &mut Walk<'_>) {
        walk.enter(Label::Tag(effigy_wire::Tag(*b"GEOS")), Some(10));
        walk.enter(Label::Index(1), Some(20));
        walk.enter(Label::Field("other"), Some(30));
        walk.leaf(Leaf::Float(f32::NAN));
        walk.leave();
        walk.enter(Label::Field("inner"), Some(40));
        walk.enter(Label::Field("name"), Some(50));
        walk.leave();
        walk.leave();
        walk.enter(Label::Field("last"), Some(60));
        walk.leave();
        walk.leave();
        walk.leave();
    }

    #[test]
    fn the_innermost_known_part_gives_the_offset() {
        let mut walk = Walk::new(Search::Where);
        let wanted = ["GEOS[1].name", "SEQS", "GEOS[1].last", "", "GEOS[0].name"].map(|path| walk.want(path));
        visit(&mut walk);
        let offsets = wanted.map(|wanted| walk.offset(wanted));
        assert_eq!(offsets, [Some(20), None, Some(60), None, Some(10)]);
        assert_eq!(walk.not_finite, [("GEOS[1].other".to_owned(), Some(30), 0)]);
    }

    #[test]
    fn a_walk_that_only_asks_whether_records_no_paths() {
        for (search, found) in [(Search::Nothing, false), (Search::Whether, true)] {
            let mut walk = Walk::new(search);
            visit(&mut walk);
            assert_eq!((walk.found, walk.not_finite.len()), (found, 0));
        }
    }
}
