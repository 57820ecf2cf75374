//! One walk over all fields of a model: it finds where the places of findings stand in the file, and numbers that are
//! none.

use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_wire::{Label, Leaf, Numbers, Visitor};

rules! { Walk
    /// A coordinate, weight or time that is infinite or not a number spreads to everything that is computed from it:
    /// the part vanishes, flickers or fills the screen. Export the model again, or set the value by hand.
    ALL1001 "number that is none" Severe for EVERY => number_that_is_none;
}

fn number_that_is_none(walk: &Walk, found: &mut Findings) {
    for (path, offset, position) in &walk.not_finite {
        found.add(path.as_str(), format!("element {position} is infinite or not a number"));
        found.set_offset(*offset);
    }
}

/// A place that somebody wants to know the offset of, as a tree of path segments.
#[derive(Debug, Default)]
struct Wanted {
    children: Vec<(String, usize)>,
    offset: Option<usize>,
}

/// Receives the walk.
#[derive(Debug)]
pub(crate) struct Walk {
    /// All nodes of the tree of wanted places; the first is the root.
    wanted: Vec<Wanted>,
    /// For each open part: the wanted place that it is.
    open: Vec<Option<usize>>,
    /// The labels of all open parts.
    labels: Vec<Step>,
    /// The names among them, one after the other.
    names: String,
    offset: Option<usize>,
    finite: bool,
    /// Places of numbers that are none, with the offset of the field and the first such number's position.
    pub not_finite: Vec<(String, Option<usize>, usize)>,
}

/// The label of an open part.
#[derive(Clone, Copy, Debug)]
enum Step {
    Index(usize),
    /// Where the name begins in the list of names, and where it ends.
    Name(usize, usize),
}

/// Places of numbers that are none, at most.
const MOST: usize = 200;

impl Walk {
    /// A walk that looks for these paths. With `finite`, it also looks at every number.
    pub fn new<'a>(paths: impl Iterator<Item = &'a str>, finite: bool) -> Self {
        let mut walk = Self {
            wanted: vec![Wanted::default()],
            open: vec![Some(0)],
            labels: Vec::new(),
            names: String::new(),
            offset: None,
            finite,
            not_finite: Vec::new(),
        };
        for path in paths {
            walk.want(path);
        }
        walk
    }

    fn want(&mut self, path: &str) {
        let mut at = 0;
        for segment in segments(path) {
            let next = self.wanted.len();
            let Some(node) = self.wanted.get_mut(at) else { return };
            match node.children.iter().find(|(label, _)| label == segment) {
                Some((_, child)) => at = *child,
                None => {
                    node.children.push((segment.to_owned(), next));
                    self.wanted.push(Wanted::default());
                    at = next;
                }
            }
        }
    }

    /// The offset of the deepest part of this path that the walk came by.
    pub fn offset(&self, path: &str) -> Option<usize> {
        let (mut at, mut offset) = (0, None);
        for segment in segments(path) {
            let child = self.wanted.get(at)?.children.iter().find(|(label, _)| label == segment);
            let Some((_, child)) = child else { break };
            at = *child;
            offset = self.wanted.get(at)?.offset.or(offset);
        }
        offset
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.labels {
            match step {
                Step::Index(index) => path.push_str(&format!("[{index}]")),
                Step::Name(start, end) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(self.names.get(*start..*end).unwrap_or_default());
                }
            }
        }
        path
    }

    fn note(&mut self, position: usize) {
        if self.not_finite.len() < MOST {
            self.not_finite.push((self.path(), self.offset, position));
        }
    }
}

/// `GEOS[0].vertices` as `GEOS`, `[0]`, `vertices`.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').flat_map(|part| {
        let name_end = part.find('[').unwrap_or(part.len());
        let (name, rest) = part.split_at_checked(name_end).unwrap_or((part, ""));
        std::iter::once(name).filter(|name| !name.is_empty()).chain(rest.split_inclusive(']'))
    })
}

impl Visitor for Walk {
    fn enter(&mut self, label: Label<'_>, offset: Option<usize>) {
        self.offset = offset;
        let parent = self.open.last().copied().flatten();
        let node = parent.and_then(|parent| self.wanted.get(parent)).and_then(|node| {
            let same = |wanted: &str| match label {
                Label::Field(name) => name == wanted,
                Label::Tag(tag) => wanted.as_bytes() == tag.0,
                Label::Index(index) => {
                    let inner = wanted.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
                    inner.and_then(|text| text.parse().ok()) == Some(index)
                }
            };
            node.children.iter().find(|(wanted, _)| same(wanted)).map(|(_, child)| *child)
        });
        if let Some(node) = node.and_then(|node| self.wanted.get_mut(node)) {
            node.offset = node.offset.or(offset);
        }
        self.open.push(node);
        if self.finite {
            let start = self.names.len();
            match label {
                Label::Index(_) => {}
                Label::Field(name) => self.names.push_str(name),
                Label::Tag(tag) => self.names.extend(tag.0.map(char::from)),
            }
            let end = self.names.len();
            self.labels.push(match label {
                Label::Index(index) => Step::Index(index),
                Label::Field(_) | Label::Tag(_) => Step::Name(start, end),
            });
        }
    }

    fn leaf(&mut self, leaf: Leaf<'_>) {
        if !self.finite {
            return;
        }
        match leaf {
            Leaf::Float(number) if !number.is_finite() => self.note(0),
            Leaf::Many { numbers: Numbers::F32(list), width } => {
                // Without a branch a number, so that the compiler can take many at once.
                let worst =
                    list.iter().fold(0, |worst: u32, number| worst.max(number.to_bits() & 0x7fff_ffff));
                if worst >= f32::INFINITY.to_bits()
                    && let Some(position) = list.iter().position(|number| !number.is_finite())
                {
                    self.note(position.checked_div(width).unwrap_or(position));
                }
            }
            _ => {}
        }
    }

    fn leave(&mut self) {
        self.open.pop();
        if let Some(Step::Name(start, _)) = self.labels.pop() {
            self.names.truncate(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_cut_into_its_labels() {
        let cut: Vec<&str> = segments("MTLS[1].layers[0].tracks.KMTA").collect();
        assert_eq!(cut, ["MTLS", "[1]", "layers", "[0]", "tracks", "KMTA"]);
        assert_eq!(segments("").count(), 0);
        assert_eq!(segments("MODL").collect::<Vec<_>>(), ["MODL"]);
    }

    #[test]
    fn the_deepest_known_part_gives_the_offset() {
        let mut walk = Walk::new(["GEOS[1].name", "SEQS"].into_iter(), true);
        walk.enter(Label::Field("GEOS"), Some(10));
        walk.enter(Label::Index(1), Some(20));
        walk.enter(Label::Field("other"), Some(30));
        walk.leaf(Leaf::Float(f32::NAN));
        walk.leave();
        walk.leave();
        walk.leave();
        assert_eq!(walk.offset("GEOS[1].name"), Some(20));
        assert_eq!(walk.offset("SEQS"), None);
        assert_eq!(walk.not_finite, [("GEOS[1].other".to_owned(), Some(30), 0)]);
    }
}
