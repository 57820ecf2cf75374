//! What each format brings to the facade: reading, summaries and conversions within its family.

#[cfg(all(feature = "scene", feature = "assets", feature = "config"))]
pub(crate) mod assembly;
#[cfg(feature = "gltf")]
pub(crate) mod gltf;
#[cfg(feature = "m2")]
pub(crate) mod m2;
#[cfg(feature = "mdc")]
pub(crate) mod mdc;
#[cfg(feature = "mds")]
pub(crate) mod mds;
#[cfg(feature = "mdx")]
pub(crate) mod mdx;
#[cfg(all(feature = "scene", feature = "assets"))]
pub(crate) mod soldier;
