//! One numbering for the nodes of two models. Bones come first: vertices name them by position, which is then their id.

use crate::mdx::refs;
use effigy_mdx::{ChunkKind, Model, Skin};
use effigy_wire::{Error, Result};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Most bones that weights with a byte for each bone can name.
const BYTE: usize = 256;

/// New ids by old ones.
type Ids = BTreeMap<i32, usize>;

/// Appends the nodes of the other model; its roots become children of `carrier`, a node of this model by its id. Returns how many were added.
pub(super) fn join(
    model: &mut Model,
    other: &mut Model,
    carrier: Option<i32>,
    same_nodes: bool,
) -> Result<usize> {
    unique(model)?;
    unique(other)?;
    let pairs = if same_nodes { pairs(model, other) } else { HashMap::new() };
    let their_bones: Vec<i32> = other.bones.iter().map(|bone| bone.node.object_id).collect();
    refs::retain_nodes(other, |node| !pairs.contains_key(&node.object_id));
    let bones = model.bones.len() + other.bones.len();
    if bones > BYTE && (names_bones_in_bytes(model) || names_bones_in_bytes(other)) {
        let text = format!("the two models have {bones} bones, and a vertex can name {BYTE}");
        return Err(Error::unrepresentable(text));
    }
    let (own, mut theirs) = numbered(model, other);
    let added = theirs.len();
    let pivots = placed(&model.pivots, &own, &other.pivots, &theirs, |_| [0.0; 3]);
    let rest = |id: usize| {
        let [x, y, z] = pivots.get(id).copied().unwrap_or_default();
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, x, y, z]
    };
    let mut poses = placed(&model.bind_poses, &own, &other.bind_poses, &theirs, rest);
    if model.bind_poses.is_empty() {
        poses.clear();
    }
    theirs.extend(pairs.iter().filter_map(|(their, ours)| Some((*their, *own.get(ours)?))));
    let positions: Vec<Option<usize>> = (0..model.bones.len()).map(Some).collect();
    refs::nodes(model, &table(&own), &|_| None, &positions)?;
    let positions: Vec<Option<usize>> = their_bones.iter().map(|id| theirs.get(id).copied()).collect();
    refs::nodes(other, &table(&theirs), &|_| None, &positions)?;
    if let Some(carrier) = carrier.and_then(|id| own.get(&id)).and_then(|id| i32::try_from(*id).ok()) {
        other.each_node_mut(|_, node| {
            if node.parent < 0 {
                node.parent = carrier;
            }
        });
    }
    model.bones.append(&mut other.bones);
    model.lights.append(&mut other.lights);
    model.helpers.append(&mut other.helpers);
    model.attachments.append(&mut other.attachments);
    model.particle_emitters.append(&mut other.particle_emitters);
    model.particle_emitters_2.append(&mut other.particle_emitters_2);
    model.popcorn_emitters.append(&mut other.popcorn_emitters);
    model.ribbon_emitters.append(&mut other.ribbon_emitters);
    model.event_objects.append(&mut other.event_objects);
    model.collision_shapes.append(&mut other.collision_shapes);
    model.hit_test_shapes.append(&mut other.hit_test_shapes);
    model.pivots = pivots;
    model.bind_poses = poses;
    Ok(added)
}

/// Checks that ids tell nodes apart and are near enough to zero for a table of them.
fn unique(model: &Model) -> Result<()> {
    let mut seen = HashSet::new();
    let most =
        i32::try_from(model.nodes().count().saturating_mul(4).saturating_add(65_536)).unwrap_or(i32::MAX);
    for (kind, node) in model.nodes() {
        let id = node.object_id;
        if !(0..most).contains(&id) || !seen.insert(id) {
            let text = format!(
                "{} {} has the id {id}, by which it cannot be told from others",
                kind.tag(),
                node.name
            );
            return Err(Error::unsupported(text));
        }
    }
    Ok(())
}

/// The nodes of this model by those of the other one that are the same: of the same kind and name.
fn pairs(model: &Model, other: &Model) -> HashMap<i32, i32> {
    let same =
        |kind: &ChunkKind| matches!(kind, ChunkKind::Bones | ChunkKind::Helpers | ChunkKind::Attachments);
    let mut known: HashMap<(u32, String), i32> = HashMap::new();
    for (kind, node) in model.nodes().filter(|(kind, _)| same(kind)) {
        let key = (u32::from_le_bytes(kind.tag().0), node.name.text().to_lowercase());
        known.entry(key).or_insert(node.object_id);
    }
    let pair = |(kind, node): (ChunkKind, &effigy_mdx::Node)| {
        let key = (u32::from_le_bytes(kind.tag().0), node.name.text().to_lowercase());
        Some((node.object_id, *known.get(&key)?))
    };
    other.nodes().filter(|(kind, _)| same(kind)).filter_map(pair).collect()
}

/// Whether a vertex has a byte for each of its bones.
fn names_bones_in_bytes(model: &Model) -> bool {
    !model.batched_geosets.is_empty()
        || model.geosets.iter().any(|geoset| {
            let narrow = matches!(&geoset.skin, Some(Skin::Narrow(rows)) if !rows.is_empty());
            narrow && geoset.group_nodes.is_empty() || !geoset.bone_indices.is_empty()
        })
}

/// New ids: the bones of both models in their order, then all other nodes in the order of their ids.
fn numbered(model: &Model, other: &Model) -> (Ids, Ids) {
    let (mut own, mut theirs) = (Ids::new(), Ids::new());
    let mut next = 0;
    for bones in [true, false] {
        for (model, ids) in [(model, &mut own), (other, &mut theirs)] {
            let nodes = model.nodes().filter(|(kind, _)| (*kind == ChunkKind::Bones) == bones);
            let mut part: Vec<i32> = nodes.map(|(_, node)| node.object_id).collect();
            if !bones {
                part.sort_unstable();
            }
            for id in part {
                ids.insert(id, next);
                next += 1;
            }
        }
    }
    (own, theirs)
}

/// What two lists have by old ids, by new ids; what belongs to no node of this model stays at the end.
fn placed<T: Copy>(own: &[T], ids: &Ids, others: &[T], their: &Ids, missing: impl Fn(usize) -> T) -> Vec<T> {
    let old = |list: &[T], id: i32| usize::try_from(id).ok().and_then(|id| list.get(id)).copied();
    let mut all: Vec<(usize, Option<T>)> = ids.iter().map(|(id, new)| (*new, old(own, *id))).collect();
    all.extend(their.iter().map(|(id, new)| (*new, old(others, *id))));
    all.sort_unstable_by_key(|(new, _)| *new);
    let mut list: Vec<T> =
        all.into_iter().map(|(new, value)| value.unwrap_or_else(|| missing(new))).collect();
    let free =
        own.iter().enumerate().filter(|(id, _)| i32::try_from(*id).is_ok_and(|id| !ids.contains_key(&id)));
    list.extend(free.map(|(_, value)| *value));
    list
}

/// New ids as the references want them.
fn table(ids: &Ids) -> Vec<Option<usize>> {
    let count = ids.last_key_value().and_then(|(id, _)| usize::try_from(*id).ok()).map_or(0, |most| most + 1);
    let mut table = vec![None; count];
    for (id, new) in ids {
        if let Some(place) = usize::try_from(*id).ok().and_then(|id| table.get_mut(id)) {
            *place = Some(*new);
        }
    }
    table
}
