//! The results of the clients and the file that keeps them.
//!
//! ```text
//! opened 424
//! 1.0e-7 2.0e-5 mdx-800_..._footman.mdx
//! ```
//!
//! The first line says how many models all clients opened. The others are the largest differences in three.js and in Blender,
//! as shares of the model's size, and the model's name.

use std::collections::BTreeMap;

/// A pose may be off by this share of the model's size.
const MOST: f64 = 1e-3;
/// So many models must agree within [`MOST`] in each client that shows poses.
const LEAST_MODELS: usize = 150;
/// The clients that show poses, in the order of the columns.
const POSED: [&str; 2] = ["three.js", "blender"];

/// What a client made of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Why it did not open.
    pub error: Option<String>,
    /// The largest difference of a vertex as a share of the model's size, if poses were compared.
    pub off: Option<f64>,
    /// Where that difference is.
    pub place: String,
    /// Meshes that are seen although the game hides them.
    pub seen: Vec<String>,
}

/// Reads the lines that a client wrote.
pub fn outcomes(text: &str) -> Result<BTreeMap<String, Outcome>, String> {
    let mut all = BTreeMap::new();
    for line in text.lines() {
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|error| format!("'{line}': {error}"))?;
        let name = value.get("name").and_then(|it| it.as_str());
        let name = name.ok_or_else(|| format!("'{line}' has no name"))?;
        let text = |key: &str| value.get(key).and_then(|it| it.as_str()).map(str::to_owned);
        let seen = value.get("seen").and_then(|it| it.as_array()).cloned().unwrap_or_default();
        let outcome = Outcome {
            error: text("error"),
            off: value.get("off").and_then(serde_json::Value::as_f64),
            place: text("where").unwrap_or_default(),
            seen: seen.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect(),
        };
        all.insert(name.to_owned(), outcome);
    }
    Ok(all)
}

/// What is kept of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratchet {
    /// How many models were opened by all clients.
    opened: usize,
    /// By model: the largest difference in each of [`POSED`].
    models: BTreeMap<String, [Option<f64>; 2]>,
}

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub text: String,
    /// It is worse than the ratchet, but within the limits.
    pub is_worse: bool,
}

type Found<'a> = BTreeMap<&'a str, BTreeMap<String, Outcome>>;

impl Ratchet {
    /// What a run found.
    pub fn of(names: &[String], found: &Found<'_>) -> Self {
        let opens = |name: &String| {
            found.values().all(|client| client.get(name).is_some_and(|outcome| outcome.error.is_none()))
        };
        let off = |client: &str, name: &String| found.get(client)?.get(name)?.off;
        let models = names.iter().map(|name| (name.clone(), POSED.map(|client| off(client, name))));
        Self {
            opened: names.iter().filter(|name| opens(name)).count(),
            models: models.filter(|(_, offs)| offs.iter().any(Option::is_some)).collect(),
        }
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let mut ratchet = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let wrong = || format!("the ratchet has a line '{line}'");
            if let Some(count) = line.strip_prefix("opened ") {
                ratchet.opened = count.trim().parse().map_err(|_| wrong())?;
                continue;
            }
            let mut words = line.splitn(3, ' ');
            let mut number = || match words.next() {
                Some("-") => Ok(None),
                Some(word) => word.parse().map(Some).map_err(|_| wrong()),
                None => Err(wrong()),
            };
            let offs = [number()?, number()?];
            ratchet.models.insert(words.next().ok_or_else(wrong)?.to_owned(), offs);
        }
        Ok(ratchet)
    }

    pub fn print(&self) -> String {
        let mut text = String::from(
            "# How many models all clients of glTF open; then the largest difference of a vertex in three.js and in Blender, as shares of\n\
             # the model's size, and the model (cargo xtask clients --update).\n",
        );
        text.push_str(&format!("opened {}\n", self.opened));
        for (name, offs) in &self.models {
            let [three, blender] = offs.map(|off| off.map_or("-".to_owned(), |off| format!("{off:.1e}")));
            text.push_str(&format!("{three} {blender} {name}\n"));
        }
        text
    }

    /// How far a model may be off in a client: a little more than it was, since small numbers differ with the rounding of the
    /// machine; [`MOST`] for a model that was not compared before.
    pub fn limit(&self, client: &str, name: &str) -> f64 {
        let column = POSED.iter().position(|known| *known == client);
        let before = column.and_then(|column| self.models.get(name)?.get(column).copied().flatten());
        before.map_or(MOST, |before| before * 1.25 + 1e-5)
    }

    /// How many models have poses within a share of their size.
    fn within(&self, client: usize, most: f64) -> usize {
        self.models
            .values()
            .filter(|offs| offs.get(client).copied().flatten().is_some_and(|off| off <= most))
            .count()
    }

    /// A table of the run.
    pub fn summary(&self, found: &Found<'_>) -> String {
        let mut text =
            String::from("client     opened  failed   posed  <=1e-3  <=1e-4  <=1e-5  seen although hidden\n");
        for (client, outcomes) in found {
            let failed = outcomes.values().filter(|outcome| outcome.error.is_some()).count();
            let seen = outcomes.values().filter(|outcome| !outcome.seen.is_empty()).count();
            let mut line = format!("{client:<10} {:>6}  {failed:>6}", outcomes.len() - failed);
            if let Some(column) = POSED.iter().position(|name| name == client) {
                let counts = [f64::INFINITY, MOST, 1e-4, 1e-5].map(|most| self.within(column, most));
                counts.iter().for_each(|count| line.push_str(&format!("  {count:>6}")));
                line.push_str(&format!("  {seen:>6}"));
            }
            text.push_str(&format!("{line}\n"));
        }
        text
    }

    /// Everything that is wrong in a run, of which this is the summary, next to an earlier one.
    pub fn problems(&self, old: &Self, names: &[String], found: &Found<'_>) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut add = |is_worse: bool, text: String| problems.push(Problem { text, is_worse });
        for (client, outcomes) in found {
            for name in names {
                match outcomes.get(name) {
                    None => add(false, format!("{client}: {name}: no result")),
                    Some(Outcome { error: Some(error), .. }) => {
                        add(false, format!("{client}: {name}: does not open: {error}"));
                    }
                    Some(Outcome { seen, .. }) if !seen.is_empty() => {
                        let list: Vec<&str> = seen.iter().take(2).map(String::as_str).collect();
                        add(false, format!("{client}: {name}: shown although hidden: {}", list.join("; ")));
                    }
                    Some(_) => {}
                }
            }
        }
        for (column, client) in POSED.iter().enumerate().filter(|(_, client)| found.contains_key(*client)) {
            let good = self.within(column, MOST);
            if good < LEAST_MODELS {
                add(false, format!("{client}: only {good} models agree within {MOST:e} of their size"));
            }
            let had = |models: &BTreeMap<String, [Option<f64>; 2]>, name: &String| {
                models.get(name).is_some_and(|offs| offs.get(column).copied().flatten().is_some())
            };
            for name in old.models.keys().filter(|name| had(&old.models, name) && !had(&self.models, name)) {
                add(true, format!("{client}: {name}: it is in the ratchet but was not compared"));
            }
            for (name, offs) in &self.models {
                let Some(off) = offs.get(column).copied().flatten() else { continue };
                let before = old.models.get(name).and_then(|offs| offs.get(column).copied().flatten());
                if off > old.limit(client, name) {
                    let place = found.get(client).and_then(|it| it.get(name)).map_or("", |it| &it.place);
                    let was = before.map_or("not measured".to_owned(), |off| format!("{off:.1e}"));
                    add(true, format!("{client}: {name}: off by {off:.1e}, was {was}; {place}"));
                }
            }
        }
        if self.opened < old.opened {
            add(true, format!("{} models open in all clients, {} did before", self.opened, old.opened));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn found(three: &str, gltf: &str) -> Found<'static> {
        BTreeMap::from([("three.js", outcomes(three).unwrap()), ("gltf", outcomes(gltf).unwrap())])
    }

    fn texts(problems: &[Problem]) -> Vec<&str> {
        problems.iter().map(|problem| problem.text.as_str()).collect()
    }

    #[test]
    fn a_model_that_does_not_open_or_is_worse_than_before_is_a_problem() {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let old = Ratchet::parse("# comment\nopened 2\n2.0e-04 - a\n- 1e-5 b\n0 0 c\n").unwrap();
        let found = found(
            "{\"name\":\"a\",\"off\":0.0003,\"where\":\"Stand\",\"seen\":[]}\n{\"name\":\"b\",\"off\":0.002,\"seen\":[\"x in Stand\"]}",
            "{\"name\":\"a\"}\n{\"name\":\"b\",\"error\":\"bad\"}",
        );
        let new = Ratchet::of(&names, &found);
        let problems = new.problems(&old, &names, &found);
        assert_eq!(
            texts(&problems),
            [
                "gltf: b: does not open: bad",
                "three.js: b: shown although hidden: x in Stand",
                "three.js: only 1 models agree within 1e-3 of their size",
                "three.js: c: it is in the ratchet but was not compared",
                "three.js: a: off by 3.0e-4, was 2.0e-4; Stand",
                "three.js: b: off by 2.0e-3, was not measured; ",
                "1 models open in all clients, 2 did before",
            ]
        );
    }

    #[test]
    fn the_file_is_read_as_it_was_written() {
        let ratchet = Ratchet {
            opened: 3,
            models: BTreeMap::from([
                ("a b.mdx".to_owned(), [Some(0.0), Some(1.5e-4)]),
                ("c".to_owned(), [None, Some(2e-3)]),
            ]),
        };
        assert!(
            ratchet.print().ends_with("opened 3\n0.0e0 1.5e-4 a b.mdx\n- 2.0e-3 c\n"),
            "{}",
            ratchet.print()
        );
        assert_eq!(Ratchet::parse(&ratchet.print()).unwrap(), ratchet);
        assert!(Ratchet::parse("1e-3 a").is_err());
    }
}
