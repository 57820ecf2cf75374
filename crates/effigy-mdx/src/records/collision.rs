//! Collision: shapes for selection with the mouse (`CLID` in Warcraft III, `HTST` in WoW alpha) and, in WoW alpha, a collision
//! mesh (`CLID`).
//!
//! Blizzard's shapes are box 0, cylinder 1, sphere 2, plane 3. Modelling tools write 1 as a plane of two points and 3
//! as a cylinder of two points and a radius; eight real files have 3 with the eight bytes of Blizzard's plane. Since
//! a shape has no size field, the reader decides by what follows which of the two layouts it is.

use super::Node;
use crate::version::Caps;
use effigy_wire::{
    BoundsMut, Codec, Cursor, Error, Kind, Label, Result, Section, Sink, Space, Spatial, Tag, Tree, Wire,
    record,
};

record! {
    /// A shape for selection with the mouse (Warcraft III).
    pub struct CollisionShape(Caps) {
        /// The node.
        pub node: Node,
        /// The shape.
        pub shape: Shape as (WordShape),
    }
}

record! {
    /// A shape for selection with the mouse (WoW alpha).
    pub struct HitTestShape(Caps) sized {
        /// The node.
        pub node: Node,
        /// The shape.
        pub shape: Shape as (ByteShape),
    }
}

record! {
    /// A collision mesh (WoW alpha).
    pub struct CollisionMesh(Caps) {
        /// Positions.
        (point) pub vertices: Vec<[f32; 3]> as (Section(Tag(*b"VRTX"))),
        /// Vertex indices, three per triangle.
        pub indices: Vec<u16> as (Section(Tag(*b"TRI "))),
        /// Normals, one per triangle.
        (direction) pub normals: Vec<[f32; 3]> as (Section(Tag(*b"NRMS"))),
    }
}

/// A simple solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Two corners.
    Box {
        /// Smallest corner.
        min: [f32; 3],
        /// Largest corner.
        max: [f32; 3],
    },
    /// An upright cylinder.
    Cylinder {
        /// Centre of its base.
        base: [f32; 3],
        /// Height.
        height: f32,
        /// Radius.
        radius: f32,
    },
    /// A sphere.
    Sphere {
        /// Centre.
        center: [f32; 3],
        /// Radius.
        radius: f32,
    },
    /// A flat rectangle about the pivot.
    Plane {
        /// Length.
        length: f32,
        /// Width.
        width: f32,
    },
    /// A plane as modelling tools write it: type 1 with two points.
    TwoPointPlane([[f32; 3]; 2]),
    /// A cylinder as modelling tools write it: type 3 with two points and a radius.
    TwoPointCylinder {
        /// Two points.
        points: [[f32; 3]; 2],
        /// Radius.
        radius: f32,
    },
}

impl Default for Shape {
    fn default() -> Self {
        Self::Sphere { center: [0.0; 3], radius: 0.0 }
    }
}

impl Shape {
    /// The number of its type in the file.
    #[must_use]
    pub const fn number(&self) -> u8 {
        match self {
            Self::Box { .. } => 0,
            Self::Cylinder { .. } | Self::TwoPointPlane(_) => 1,
            Self::Sphere { .. } => 2,
            Self::Plane { .. } | Self::TwoPointCylinder { .. } => 3,
        }
    }

    fn read(number: u32, cursor: &mut Cursor<'_>, tools: bool) -> Result<Self> {
        let at = cursor.position();
        let wide = tools && !fits(cursor, number) && fits_tools(cursor, number);
        let mut point = || -> Result<[f32; 3]> { Wire::<()>::read(cursor, ()) };
        Ok(match (number, wide) {
            (0, _) => Self::Box { min: point()?, max: point()? },
            (1, false) => Self::Cylinder { base: point()?, height: cursor.f32()?, radius: cursor.f32()? },
            (1, true) => Self::TwoPointPlane([point()?, point()?]),
            (2, _) => Self::Sphere { center: point()?, radius: cursor.f32()? },
            (3, false) => Self::Plane { length: cursor.f32()?, width: cursor.f32()? },
            (3, true) => Self::TwoPointCylinder { points: [point()?, point()?], radius: cursor.f32()? },
            _ => return Err(Error::malformed(at, format!("{number} is not a type of shape"))),
        })
    }

    fn put<S: Sink>(&self, sink: &mut S) {
        let mut field = |name, values: &[f32]| {
            sink.enter(Label::Field(name));
            match values {
                [value] => Wire::<()>::write(value, sink, ()),
                _ => {
                    sink.show(effigy_wire::Leaf::Many {
                        numbers: effigy_wire::Numbers::F32(values),
                        width: 3,
                    });
                    sink.put(bytemuck::cast_slice(values));
                }
            }
            sink.leave();
        };
        match self {
            Self::Box { min, max } => {
                field("min", min);
                field("max", max);
            }
            Self::Cylinder { base, height, radius } => {
                field("base", base);
                field("height", &[*height]);
                field("radius", &[*radius]);
            }
            Self::Sphere { center, radius } => {
                field("center", center);
                field("radius", &[*radius]);
            }
            Self::Plane { length, width } => {
                field("length", &[*length]);
                field("width", &[*width]);
            }
            Self::TwoPointPlane(points) => field("points", points.as_flattened()),
            Self::TwoPointCylinder { points, radius } => {
                field("points", points.as_flattened());
                field("radius", &[*radius]);
            }
        }
    }
}

/// Spheres and cylinders are in model space: 22 of 24 measured spheres are centred on their pivot. Boxes and planes are about
/// the pivot: 61 of 74 boxes hold the origin and not the pivot.
impl Spatial for Shape {
    fn walk_space(&mut self, space: &mut dyn Space) {
        match self {
            Self::Box { min, max } => {
                space.bounds(BoundsMut { min, max, radius: None, in_model_space: false });
            }
            Self::Cylinder { base, height, radius } => {
                space.point(base);
                space.length(height);
                space.length(radius);
            }
            Self::Sphere { center, radius } => {
                space.point(center);
                space.length(radius);
            }
            Self::Plane { length, width } => {
                space.length(length);
                space.length(width);
            }
            Self::TwoPointPlane(points) => points.iter_mut().for_each(|point| space.vector(point)),
            Self::TwoPointCylinder { points, radius } => {
                points.iter_mut().for_each(|point| space.point(point));
                space.length(radius);
            }
        }
    }
}

impl Shape {
    fn parse(tree: &Tree<'_>) -> Result<Self> {
        let part = |name: &str| {
            tree.part(name).ok_or_else(|| Error::new(Kind::Malformed, format!("the shape has no '{name}'")))
        };
        let number = |name: &str| part(name)?.number::<f32>();
        let point = |name: &str| -> Result<[f32; 3]> { Wire::<()>::parse(part(name)?, ()) };
        let points = || -> Result<[[f32; 3]; 2]> {
            let [a, b, c, d, e, f] = Wire::<()>::parse(part("points")?, ())?;
            Ok([[a, b, c], [d, e, f]])
        };
        let has_points = tree.part("points").is_some();
        Ok(match (part("type")?.number::<u32>()?, has_points) {
            (0, _) => Self::Box { min: point("min")?, max: point("max")? },
            (1, false) => {
                Self::Cylinder { base: point("base")?, height: number("height")?, radius: number("radius")? }
            }
            (1, true) => Self::TwoPointPlane(points()?),
            (2, _) => Self::Sphere { center: point("center")?, radius: number("radius")? },
            (3, false) => Self::Plane { length: number("length")?, width: number("width")? },
            (3, true) => Self::TwoPointCylinder { points: points()?, radius: number("radius")? },
            (number, _) => {
                return Err(Error::new(Kind::Malformed, format!("{number} is not a type of shape")));
            }
        })
    }
}

/// Whether Blizzard's layout of the shape is followed by the end or by another node.
fn fits(cursor: &Cursor<'_>, number: u32) -> bool {
    followed_by_a_node(*cursor, if number == 1 { 20 } else { 8 })
}

/// Whether the tools' layout of the shape is.
fn fits_tools(cursor: &Cursor<'_>, number: u32) -> bool {
    followed_by_a_node(*cursor, if number == 1 { 24 } else { 28 })
}

fn followed_by_a_node(mut cursor: Cursor<'_>, length: usize) -> bool {
    cursor.take(length).is_ok()
        && (cursor.is_empty() || {
            let left = cursor.remaining();
            cursor.count().is_ok_and(|size| (96..=left).contains(&size))
        })
}

/// The type in a word; Warcraft III, where tools write layouts of their own.
struct WordShape;

impl Codec<Shape, Caps> for WordShape {
    fn read(&self, cursor: &mut Cursor<'_>, _: Caps) -> Result<Shape> {
        let number = cursor.u32()?;
        Shape::read(number, cursor, true)
    }

    fn write<S: Sink>(&self, shape: &Shape, sink: &mut S, caps: Caps) {
        sink.enter(Label::Field("type"));
        u32::from(shape.number()).write(sink, caps);
        sink.leave();
        shape.put(sink);
    }

    fn parse(&self, tree: &Tree<'_>, _: Caps) -> Result<Shape> {
        Shape::parse(tree)
    }
}

/// The type in a byte; WoW alpha.
struct ByteShape;

impl Codec<Shape, Caps> for ByteShape {
    fn read(&self, cursor: &mut Cursor<'_>, _: Caps) -> Result<Shape> {
        let number = cursor.u8()?;
        Shape::read(number.into(), cursor, false)
    }

    fn write<S: Sink>(&self, shape: &Shape, sink: &mut S, caps: Caps) {
        sink.enter(Label::Field("type"));
        shape.number().write(sink, caps);
        sink.leave();
        shape.put(sink);
    }

    fn parse(&self, tree: &Tree<'_>, _: Caps) -> Result<Shape> {
        Shape::parse(tree)
    }
}
