//! The models that rules exist for, and what a check needs from each of them.

use crate::findings::Findings;
use crate::rule::{Change, Fix, Rule, Run};
use crate::{CheckOptions, Game, Guess, gltf, m2, mdc, mds, mdx};
use effigy_wire::{Diagnostics, Visitor};

/// A model that [`check`](crate::check()) and [`fix`](crate::fix()) accept.
///
/// It is implemented for the models of the format crates and cannot be implemented elsewhere, since the rules are
/// written for these models. A program with an enum of models matches on it and passes the variant's content, so that a
/// format without rules is a compile error there and not an answer at run time.
pub trait Checkable: sealed::Ruled {
    /// What the reader noticed; a check lists it together with what the rules find.
    fn diagnostics(&self) -> &Diagnostics;

    /// What kind of thing the model is in its game. `file_name` may be empty; where it is known it improves the guess.
    fn guess(&self, file_name: &str) -> Guess;

    /// Visits every field in file order.
    fn visit(&self, visitor: &mut dyn Visitor);

    /// Why a game does not load the model; `None` when no known limit of the game excludes it.
    fn refused_by(&self, game: Game) -> Option<String>;
}

/// Keeps [`Checkable`] closed, and holds what only this crate calls.
pub(crate) mod sealed {
    use crate::findings::Findings;
    use crate::options::CheckOptions;
    use crate::rule::{Change, Fix, Rule};

    /// A file that a model names: the path of the field, and the file's name.
    pub type NamedFile = (String, String);
    /// A name that the game looks up: what it is the name of, the path of the field, and the name.
    pub type LookedUpName = (&'static str, String, String);

    /// How the rules of a format run on its model.
    pub trait Ruled {
        /// Runs the rules that are written for this model; the others are skipped.
        fn run(&self, rules: &[&'static Rule], options: &CheckOptions<'_>, found: &mut Findings) -> Scan;

        /// Makes a repair; `None` when it is a repair for another format.
        fn repair(&mut self, fix: Fix) -> Option<Vec<Change>>;

        /// The files that the model names.
        fn files(&self) -> Vec<NamedFile>;

        /// The names that the game compares without regard to case.
        fn names(&self) -> Vec<LookedUpName>;
    }

    /// What the rules of a format saw of the numbers in a model. A fast walk over the fields does not see the keys of
    /// MDX tracks, which are stored as words; the rules look at them anyway.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scan {
        /// Nothing that the fast walk would miss.
        Clean,
        /// A key may be infinite or not a number, so that the slow walk has to run.
        Suspicious,
    }
}

/// Connects the model of a format with the module that has its rules. `Run::$family` is the kind of function that these
/// rules have.
macro_rules! checkable {
    ($($model:ty: $module:ident, $family:ident, $refuses:ident;)*) => {$(
        impl Checkable for $model {
            fn diagnostics(&self) -> &Diagnostics {
                self.diagnostics()
            }
            fn guess(&self, file_name: &str) -> Guess {
                $module::guess(self, file_name)
            }
            fn visit(&self, visitor: &mut dyn Visitor) {
                self.visit(visitor);
            }
            fn refused_by(&self, game: Game) -> Option<String> {
                game.$refuses(self)
            }
        }

        impl sealed::Ruled for $model {
            fn run(&self, rules: &[&'static Rule], options: &CheckOptions<'_>, found: &mut Findings) -> sealed::Scan {
                let facts = $module::facts(self, options);
                for rule in rules {
                    if let Run::$family(run) = rule.run {
                        found.begin(rule);
                        run(&facts, found);
                    }
                }
                $module::scan(&facts)
            }
            fn repair(&mut self, fix: Fix) -> Option<Vec<Change>> {
                $module::repair(self, fix)
            }
            fn files(&self) -> Vec<sealed::NamedFile> {
                $module::files(self)
            }
            fn names(&self) -> Vec<sealed::LookedUpName> {
                $module::names(self)
            }
        }
    )*};
}

checkable! {
    effigy_mdx::Model: mdx, Mdx, refuses_mdx;
    effigy_m2::Model: m2, M2, refuses_m2;
    effigy_mdc::Model: mdc, Mdc, refuses_mdc;
    effigy_gltf::Model: gltf, Gltf, refuses_gltf;
    effigy_mds::Model: mds, Mds, refuses_mds;
}
