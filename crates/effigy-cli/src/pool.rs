//! Archives that are open: each is opened once and shared by all workers.

use effigy::{Error, Kind, Limits, Result};
use effigy_assets::{Entry, Source, open, open_bytes};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Archives that stay open at the same time. Systems allow about a thousand open files; inputs come archive by
/// archive, so a few are enough.
const OPEN: usize = 64;

/// Archives inside archives that stay open at the same time: these are held in memory.
const OPEN_INSIDE: usize = 4;

/// Where an archive is: on disk, or inside another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The outermost archive, on disk.
    pub path: PathBuf,
    /// The archives inside it, from the outside in; a map in a campaign is one.
    pub inside: Vec<String>,
}

impl Place {
    /// An archive on disk.
    pub fn disk(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), inside: Vec::new() }
    }

    /// An archive inside this one.
    pub fn with(&self, name: &str) -> Self {
        let mut inner = self.clone();
        inner.inside.push(name.to_owned());
        inner
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        self.inside.iter().try_for_each(|name| write!(f, ":{name}"))
    }
}

type Opened = Vec<(Place, Arc<dyn Source>)>;

/// The archives that are open, the one used last at the end.
#[derive(Default)]
pub struct Pool {
    limits: Limits,
    open: Mutex<Opened>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

impl Pool {
    /// No archive yet. What is unpacked from one may be as large as an input.
    pub fn new(limits: Limits) -> Self {
        Self { limits: Limits { unpacked_bytes: limits.input_bytes, ..limits }, open: Mutex::default() }
    }

    /// The archive at a place.
    pub fn open(&self, place: &Place) -> Result<Arc<dyn Source>> {
        if let Some(source) = self.kept(place) {
            return Ok(source);
        }
        let source = match place.inside.split_last() {
            None => open(&place.path, &self.limits)?,
            Some((name, outer)) => {
                let outer = Place { path: place.path.clone(), inside: outer.to_vec() };
                let bytes = self.open(&outer)?.read(name)?.ok_or_else(|| missing(name))?;
                open_bytes(&place.to_string(), bytes, &self.limits)?
            }
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_inside = |place: &Place| !place.inside.is_empty();
        let inside = open.iter().filter(|(place, _)| is_inside(place)).count();
        let oldest = match is_inside(place) && inside >= OPEN_INSIDE {
            true => open.iter().position(|(place, _)| is_inside(place)),
            false => (open.len() >= OPEN).then_some(0),
        };
        if let Some(oldest) = oldest {
            open.remove(oldest);
        }
        open.push((place.clone(), Arc::clone(&source)));
        Ok(source)
    }

    fn kept(&self, place: &Place) -> Option<Arc<dyn Source>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let at = open.iter().rposition(|(known, _)| known == place)?;
        let last = open.remove(at);
        let source = Arc::clone(&last.1);
        open.push(last);
        Some(source)
    }

    /// The content of an entry of the archive at a place.
    pub fn read(&self, place: &Place, entry: &Entry) -> Result<Vec<u8>> {
        let source = self.open(place)?;
        // An archive that was closed in between has to learn the name again: it may be the key to the content.
        let entry = source.find(&entry.name).unwrap_or_else(|| entry.clone());
        source.open(&entry)
    }
}

/// The error for a name that an archive does not have.
pub fn missing(name: &str) -> Error {
    Error::new(Kind::Io, format!("there is no {name} in this archive"))
}
