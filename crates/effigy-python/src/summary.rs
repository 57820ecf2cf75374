//! Summaries, findings and reports: which fields of the library's types the dataclasses of `pyeffigy.summary` and
//! `pyeffigy.results` have.

use crate::give::{Give, Giver, records, tuples};
use effigy::assets::Entry;
use effigy::rules::Finding;
use effigy::wire::{Note, Outcome};
use effigy::{
    Applied, Bounds, Code, Count, Diagnostic, Materials, Mesh, Report, Sequence, Severity, Summary, Texture,
    Verdict,
};
use pyo3::prelude::*;

records! { in "summary";
    Summary => "Summary" {
        meshes, nodes, sequences, materials, emitters, textures, cameras, others, bounds, files, problems,
    }
    Mesh => "MeshSummary" { name, vertices, triangles }
    Count => "Count" { kind, count }
    Sequence => "SequenceSummary" { name, seconds, speed, looping }
    Materials => "MaterialSummary" { count, words }
    Texture => "TextureSummary" { path, replaceable, meaning, found }
    Bounds => "Bounds" { min, max, radius }
}

records! { in "results";
    Finding => "Finding" { code, severity, title, path, offset, line, message, fixable }
    Diagnostic => "Diagnostic" { code, severity, path, offset, line, message }
    Applied => "Applied" { code, path, message }
    Note => "Note" { outcome, path, message }
    Verdict => "Verdict" { status, guarded, opaque }
    Entry => "Entry" { name, size, stored, named }
}

tuples!(Mesh, Count, Sequence, Texture, String, Finding, Diagnostic, Applied, Entry);

macro_rules! shown {
    ($($type:ty),*) => { $(
        impl Give for $type {
            fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.to_string().give(to)
            }
        }
    )* };
}
shown!(Code, Severity, Outcome, effigy::Status);

impl Give for Report {
    fn give<'py>(&self, to: &Giver<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::give::tuple(self.notes(), to)
    }
}
