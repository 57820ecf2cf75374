//! Every field of a file with its offset: the text of `effigy dump`, with an index over its lines.

use effigy::{DumpOptions, Model};
use std::ops::Range;

/// Width of the column of offsets.
const OFFSETS: usize = 12;

/// One line of the dump.
#[derive(Clone, Debug)]
struct Line {
    start: usize,
    end: usize,
    depth: usize,
}

/// The fields of a file.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    text: String,
    lines: Vec<Line>,
}

impl Fields {
    pub fn new(model: &Model) -> Self {
        Self::parse(model.dump(DumpOptions { offsets: true, full: false }))
    }

    fn parse(text: String) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let body = line.get(OFFSETS..).unwrap_or_default();
            let depth = (body.len() - body.trim_start_matches(' ').len()) / 2;
            let end = start + line.trim_end_matches('\n').len();
            lines.push(Line { start, end, depth });
            start += line.len();
        }
        Self { text, lines }
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// A line as it is printed, with its offset.
    pub fn line(&self, line: usize) -> &str {
        self.lines.get(line).and_then(|line| self.text.get(line.start..line.end)).unwrap_or_default()
    }

    fn body(&self, line: usize) -> &str {
        self.line(line).get(OFFSETS..).unwrap_or_default().trim_start_matches(' ')
    }

    /// The name of the field at a line, without its value.
    pub fn label(&self, line: usize) -> &str {
        self.body(line).split("  ").next().unwrap_or_default()
    }

    fn value(&self, line: usize) -> Option<&str> {
        self.body(line).split_once("  ").map(|(_, value)| value)
    }

    fn depth(&self, line: usize) -> usize {
        self.lines.get(line).map_or(0, |line| line.depth)
    }

    /// A line with everything that is inside of it.
    pub fn subtree(&self, line: usize) -> Range<usize> {
        let depth = self.depth(line);
        let inside = self.lines.iter().skip(line + 1).take_while(|inner| inner.depth > depth).count();
        line..(line + 1 + inside).min(self.lines.len())
    }

    /// The lines directly inside a line, or those of the whole file.
    pub fn children(&self, line: Option<usize>) -> Vec<usize> {
        let (range, depth) = match line {
            Some(line) => (line + 1..self.subtree(line).end, self.depth(line) + 1),
            None => (0..self.lines.len(), 0),
        };
        range.filter(|line| self.depth(*line) == depth).collect()
    }

    /// The line with this name directly inside another one, or at the top.
    pub fn child(&self, line: Option<usize>, label: &str) -> Option<usize> {
        self.children(line).into_iter().find(|line| self.label(*line) == label)
    }

    /// The text of the field `name` of an element; a node has it one level deeper.
    pub fn name_of(&self, line: usize) -> Option<&str> {
        let own = self.child(Some(line), "name");
        let deeper = || self.child(Some(self.child(Some(line), "node")?), "name");
        self.value(own.or_else(deeper)?)?.strip_prefix('"')?.strip_suffix('"')
    }

    /// The line of a path such as `BONE[3].node.tracks.KGTR`, as deep as it can be followed.
    pub fn locate(&self, path: &str) -> Option<usize> {
        let mut at = None;
        for step in steps(path) {
            match self.child(at, step) {
                Some(line) => at = Some(line),
                None => break,
            }
        }
        at
    }

    /// The element of a list that a line belongs to: the record around a field.
    pub fn record(&self, line: usize) -> usize {
        let mut found = line;
        let mut depth = self.depth(line);
        for above in (0..line).rev() {
            if depth <= 1 {
                break;
            }
            if self.depth(above) < depth {
                (found, depth) = (above, self.depth(above));
            }
        }
        found
    }
}

/// `BONE[3].node` is `BONE`, `[3]`, `node`.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').flat_map(|part| {
        let at = part.find('[').unwrap_or(part.len());
        let (name, indices) = part.split_at(at);
        std::iter::once(name).chain(indices.split_inclusive(']')).filter(|step| !step.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Fields {
        Fields::parse(
            "0x00000004  VERS  800\n\
             0x00000010  BONE\n\
             0x00000018    [0]\n\
             0x0000001c      node\n\
             0x00000020        name  \"Root\"\n\
             0x00000070    [1]\n\
             0x00000074      node\n\
             0x00000078        name  \"Head  Left\"\n\
             0x000000d0  PIVT  2: [0.0 0.0 0.0] [1.0 2.0 3.0]\n"
                .to_owned(),
        )
    }

    #[test]
    fn a_path_leads_to_its_line_as_deep_as_it_exists() {
        let fields = sample();
        for (path, line) in [
            ("BONE", Some(1)),
            ("BONE[1]", Some(5)),
            ("BONE[1].node.name", Some(7)),
            ("BONE[1].node.tracks.KGTR", Some(6)),
            ("PIVT[1]", Some(8)),
            ("LITE[0]", None),
        ] {
            assert_eq!(fields.locate(path), line, "{path}");
        }
    }

    #[test]
    fn names_and_records_are_found() {
        let fields = sample();
        assert_eq!(fields.name_of(2), Some("Root"));
        assert_eq!(fields.name_of(5), Some("Head  Left"));
        assert_eq!(fields.record(7), 5);
        assert_eq!(fields.subtree(5), 5..8);
        assert_eq!(fields.record(8), 8);
        assert_eq!((fields.label(8), fields.len()), ("PIVT", 9));
    }
}
