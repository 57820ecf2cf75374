//! The pictures of documents: decoded, prepared and encoded by several threads, and each of them once in a run.

use crate::purpose::Purpose;
use effigy_image::{Image, png, write_jpeg, write_webp};
use effigy_scene::{Undecoded, Unread};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The format of pictures in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ImageFormat {
    /// PNG: every program reads it.
    #[default]
    Png,
    /// JPEG for colours without alpha, PNG for everything else. Smaller, with visible losses at sharp edges.
    Jpeg,
    /// WebP without loss (`EXT_texture_webp`), which many programs cannot read.
    WebP,
}

impl ImageFormat {
    pub(crate) const fn mime_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }

    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
        }
    }
}

/// Quality of JPEG pictures: differences are hard to see, and the files are about a quarter of a PNG.
const QUALITY: u8 = 90;

/// An encoded picture. Documents of one run share it.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    pub bytes: Arc<Vec<u8>>,
    pub format: ImageFormat,
    /// Its purpose needed other pixels than the file's.
    pub changed: bool,
}

/// A picture that is wanted.
pub(crate) struct Job {
    pub image: Option<Unread>,
    pub mask: Option<Unread>,
    pub purpose: Purpose,
}

/// A job until a thread takes it, and its result.
struct Place {
    job: Mutex<Option<Job>>,
    result: OnceLock<Option<Encoded>>,
}

/// What determines the bytes of a picture: the files that it is made of, its purpose and its format.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    image: Digest,
    mask: Option<Digest>,
    purpose: Purpose,
    format: ImageFormat,
}

impl Key {
    fn of(
        image: &Undecoded,
        mask: Option<&Undecoded>,
        purpose: Purpose,
        format: ImageFormat,
    ) -> Option<Self> {
        let mask = match mask {
            Some(mask) => Some(digest(mask.bytes()?)),
            None => None,
        };
        Some(Self { image: digest(image.bytes()?), mask, purpose, format })
    }
}

/// Length and two hashes of a file's content.
type Digest = (usize, u64, u64);

fn digest(bytes: &[u8]) -> Digest {
    let hash = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(seed);
        bytes.hash(&mut hasher);
        hasher.finish()
    };
    (bytes.len(), hash(0), hash(1))
}

type Slot = Arc<OnceLock<Option<Encoded>>>;

#[derive(Default)]
struct Known {
    slots: HashMap<Key, Slot>,
    /// The keys of finished pictures with their bytes, the oldest first.
    order: VecDeque<(Key, usize)>,
    bytes: usize,
}

/// Encodes the pictures of exports. Exports that share one also share the pictures: each file is decoded and encoded once
/// for each purpose, as long as the encoded pictures fit into memory.
pub struct Pictures {
    known: Mutex<Known>,
    /// Most bytes of pictures that are kept.
    most: usize,
    /// Threads that may be started now, besides those that export.
    helpers: AtomicUsize,
}

impl fmt::Debug for Pictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pictures").field("most", &self.most).finish_non_exhaustive()
    }
}

impl Default for Pictures {
    fn default() -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, NonZero::get))
    }
}

impl Pictures {
    /// Most bytes of encoded pictures that are kept for later exports.
    const KEPT: usize = 16 << 20;

    /// With so many threads in all that work on the pictures of one export.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let helpers = AtomicUsize::new(threads.saturating_sub(1));
        Self { known: Mutex::default(), most: Self::KEPT, helpers }
    }

    /// Encodes pictures; the results are in the order of the jobs, none for those that cannot be decoded.
    pub(crate) fn encode(&self, jobs: Vec<Job>, format: ImageFormat) -> Vec<Option<Encoded>> {
        let place = |job| Place { job: Mutex::new(Some(job)), result: OnceLock::new() };
        let places: Vec<Place> = jobs.into_iter().map(place).collect();
        let next = AtomicUsize::new(0);
        let worker = || {
            while let Some(Place { job, result }) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
                let job = job.lock().unwrap_or_else(PoisonError::into_inner).take();
                let _ = result.set(job.and_then(|job| self.encoded(job, format)));
            }
        };
        let helpers = self.take_helpers(places.len().saturating_sub(1));
        std::thread::scope(|scope| {
            let start = |_| std::thread::Builder::new().spawn_scoped(scope, worker).ok();
            let threads: Vec<_> = (0..helpers).filter_map(start).collect();
            worker();
            let ended: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
            self.helpers.fetch_add(helpers, Ordering::Relaxed);
            if let Some(Err(panic)) = ended.into_iter().find(Result::is_err) {
                std::panic::resume_unwind(panic);
            }
        });
        places.into_iter().map(|place| place.result.into_inner().flatten()).collect()
    }

    /// Takes up to so many of the threads that may be started.
    fn take_helpers(&self, most: usize) -> usize {
        let take = |free: usize| Some(free.saturating_sub(most));
        let free = self.helpers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).unwrap_or(0);
        free.min(most)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn encoded(&self, job: Job, format: ImageFormat) -> Option<Encoded> {
        let purpose = job.purpose;
        let image = job.image?.read();
        let mask = job.mask.map(Unread::read);
        // Images that are made by code are small and have no key.
        let Some(key) = Key::of(&image, mask.as_ref(), purpose, format) else {
            let image = image.decode()?;
            return made(image, mask, purpose, format);
        };
        let slot = Arc::clone(self.lock().slots.entry(key.clone()).or_default());
        let mut is_new = false;
        let encoded = slot.get_or_init(|| {
            is_new = true;
            made(image.decode_file()?, mask, purpose, format)
        });
        if is_new {
            self.keep(key, encoded.as_ref().map_or(0, |it| it.bytes.len()));
        }
        // The same bytes under another name may have another image that takes their place.
        encoded.clone().or_else(|| made(image.otherwise()?, None, purpose, format))
    }

    /// Counts a new picture, and forgets the oldest ones beyond the limit.
    fn keep(&self, key: Key, bytes: usize) {
        let mut known = self.lock();
        known.bytes += bytes;
        known.order.push_back((key, bytes));
        while known.bytes > self.most
            && let Some((oldest, bytes)) = known.order.pop_front()
        {
            known.slots.remove(&oldest);
            known.bytes -= bytes;
        }
    }
}

/// Prepares and encodes a picture.
fn made(image: Image, mask: Option<Undecoded>, purpose: Purpose, format: ImageFormat) -> Option<Encoded> {
    let (image, changed) = purpose.prepared(image, mask.and_then(Undecoded::decode).as_ref())?;
    encode(&image, purpose, format).map(|encoded| Encoded { changed, ..encoded })
}

/// Encodes an image; as PNG where the format cannot hold it.
pub(crate) fn encode(image: &Image, purpose: Purpose, format: ImageFormat) -> Option<Encoded> {
    let encoded = match format {
        ImageFormat::Png => None,
        ImageFormat::Jpeg => (purpose.is_color() && !image.is_translucent())
            .then(|| write_jpeg(image, QUALITY).ok())
            .flatten()
            .map(|bytes| (bytes, format)),
        ImageFormat::WebP => write_webp(image).ok().map(|bytes| (bytes, format)),
    };
    let (bytes, format) = match encoded {
        Some(encoded) => encoded,
        None => (png::write(image, png::Compression::Bulk).ok()?, ImageFormat::Png),
    };
    Some(Encoded { bytes: Arc::new(bytes), format, changed: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_wire::Limits;

    /// A PNG file of one colour, which differs from number to number.
    fn file(number: u8, alpha: u8) -> Vec<u8> {
        png::write(&Image::flat(4, 4, [number, 2, 3, alpha]), png::Compression::Fast).unwrap()
    }

    fn job(bytes: Vec<u8>, purpose: Purpose) -> Job {
        Job { image: Some(Unread::file(move || Some(bytes), Limits::DEFAULT, None)), mask: None, purpose }
    }

    fn bytes(encoded: &[Option<Encoded>]) -> Vec<&Arc<Vec<u8>>> {
        encoded.iter().map(|it| &it.as_ref().unwrap().bytes).collect()
    }

    #[test]
    fn results_are_in_the_order_of_the_jobs_for_any_number_of_threads() {
        for threads in [1, 2, 8] {
            let jobs = (0..30).map(|number| job(file(number, 255), Purpose::Color)).collect();
            let pictures = Pictures::new(threads);
            let encoded = pictures.encode(jobs, ImageFormat::Png);
            for (number, bytes) in (0..30).zip(bytes(&encoded)) {
                let image = effigy_image::read(bytes).unwrap();
                assert_eq!(image.pixels()[..4], [number, 2, 3, 255]);
            }
            assert_eq!(pictures.helpers.into_inner(), threads - 1);
        }
    }

    #[test]
    fn the_same_file_for_the_same_purpose_is_encoded_once() {
        let pictures = Pictures::new(2);
        let jobs = [(1, Purpose::Color), (1, Purpose::Color), (1, Purpose::Emissive), (2, Purpose::Color)];
        let jobs = || jobs.map(|(number, purpose)| job(file(number, 9), purpose)).into();
        let first = pictures.encode(jobs(), ImageFormat::Png);
        let again = pictures.encode(jobs(), ImageFormat::Png);
        let (first, again) = (bytes(&first), bytes(&again));
        assert!(Arc::ptr_eq(first[0], first[1]));
        assert!(first.iter().zip(again).all(|(first, again)| Arc::ptr_eq(first, again)));
        assert!(first[2] != first[0] && first[3] != first[0]);
        let other = pictures.encode(jobs(), ImageFormat::WebP);
        assert!(bytes(&other).iter().all(|it| it.starts_with(b"RIFF")));
    }

    #[test]
    fn the_oldest_pictures_are_forgotten_beyond_the_limit() {
        let mut pictures = Pictures::new(1);
        let once = |pictures: &Pictures, number| {
            let encoded = pictures.encode(vec![job(file(number, 255), Purpose::Color)], ImageFormat::Png);
            Arc::clone(bytes(&encoded)[0])
        };
        let first = once(&pictures, 1);
        pictures.most = first.len() * 2;
        let (second, third) = (once(&pictures, 2), once(&pictures, 3));
        assert!(Arc::ptr_eq(&third, &once(&pictures, 3)) && Arc::ptr_eq(&second, &once(&pictures, 2)));
        assert!(!Arc::ptr_eq(&first, &once(&pictures, 1)));
    }

    #[test]
    fn only_opaque_colours_become_jpeg() {
        let cases = [
            (255, Purpose::Color, ImageFormat::Jpeg),
            (254, Purpose::Color, ImageFormat::Png),
            (254, Purpose::ColorOver([0; 3]), ImageFormat::Jpeg),
            (255, Purpose::Normal, ImageFormat::Png),
            (255, Purpose::Material, ImageFormat::Png),
        ];
        for (alpha, purpose, expected) in cases {
            let encoded = Pictures::new(1).encode(vec![job(file(1, alpha), purpose)], ImageFormat::Jpeg);
            let encoded = encoded[0].as_ref().unwrap();
            assert_eq!(encoded.format, expected, "{purpose:?}");
            let mark: &[u8] = if expected == ImageFormat::Jpeg { b"\xff\xd8\xff" } else { b"\x89PNG" };
            assert!(encoded.bytes.starts_with(mark));
        }
    }

    #[test]
    fn what_cannot_be_decoded_is_replaced_or_missing() {
        let other = Image::flat(1, 1, [7, 8, 9, 255]);
        let broken = |otherwise| {
            let image = Some(Unread::file(|| Some(b"no image".to_vec()), Limits::DEFAULT, otherwise));
            Job { image, mask: None, purpose: Purpose::Color }
        };
        let encoded = Pictures::new(1).encode(vec![broken(None), broken(Some(other))], ImageFormat::Png);
        assert!(encoded[0].is_none());
        assert_eq!(effigy_image::read(&encoded[1].as_ref().unwrap().bytes).unwrap().pixels(), [7, 8, 9, 255]);
    }

    #[test]
    fn pictures_with_other_masks_are_other_pictures() {
        let purpose = Purpose::Painted { color: [255, 0, 0], cut: None };
        let pictures = Pictures::new(1);
        let with_mask = |alpha: u8| {
            let mask = file(1, alpha);
            let mask = Some(Unread::file(move || Some(mask), Limits::DEFAULT, None));
            let encoded =
                pictures.encode(vec![Job { mask, ..job(file(200, 255), purpose) }], ImageFormat::Png);
            encoded[0].clone().unwrap()
        };
        let (none, all, again) = (with_mask(0), with_mask(255), with_mask(255));
        assert!(none.bytes != all.bytes && Arc::ptr_eq(&all.bytes, &again.bytes));
        assert_eq!((none.changed, all.changed, again.changed), (false, true, true));
        // Pictures made by code have no file to be known by.
        let made = || {
            let mask = Some(Unread::from(Image::flat(1, 1, [0, 0, 0, 255])));
            let encoded =
                pictures.encode(vec![Job { mask, ..job(file(200, 255), purpose) }], ImageFormat::Png);
            encoded[0].clone().unwrap()
        };
        let (first, second) = (made(), made());
        assert!(first.bytes == all.bytes && !Arc::ptr_eq(&first.bytes, &second.bytes));
    }

    #[test]
    fn helpers_are_taken_as_far_as_there_are_any() {
        let pictures = Pictures::new(4);
        assert_eq!([pictures.take_helpers(1), pictures.take_helpers(5), pictures.take_helpers(1)], [1, 2, 0]);
        assert_eq!(pictures.helpers.into_inner(), 0);
        assert_eq!(Pictures::new(0).take_helpers(3), 0);
        assert_eq!(format!("{:?}", Pictures::new(1)), "Pictures { most: 16777216, .. }");
    }

    #[test]
    fn digests_differ_with_length_and_content() {
        let (empty, one, two) = (digest(b""), digest(b"a"), digest(b"ab"));
        assert!(empty != one && one != two && one == digest(b"a") && one != digest(b"b"));
        assert_eq!([empty.0, one.0, two.0], [0, 1, 2]);
        assert_ne!(two.1, two.2);
    }
}
