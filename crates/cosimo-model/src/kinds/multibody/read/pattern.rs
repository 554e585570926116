//! Contacts of all bodies whose names match a pattern: one by one where they are few, else in a pool.

use cosimo_multibody::spatial::{ContactPool, ContactShape};
use cosimo_subsystem::is_like;

use super::bodies::Bodies;
use super::place::{Axes, Sense, read_first_frame};
use crate::kinds::body_ref::BodyRef;
use crate::kinds::multibody::spec::{BodyFrameSpec, ContactShapeSpec, MatchedBodies, PlaceSpec};
use crate::toml::{Reader, SCHEME, Value, every};

/// Pairs of a table up to which each is a contact of its own, with a name and quantities. A step of 20 spheres in flight takes three
/// times as long with so many contacts one by one as with a pool, one of 32 spheres six times.
const LISTED: usize = 200;
/// Most contacts that a table may stand for one by one, of subsystems that step themselves.
const MOST: usize = 20_000;

/// What a table with patterns stands for.
pub(super) enum Matched {
    /// Contacts one by one, each with the names of its bodies.
    Listed(Vec<(PlaceSpec, String)>),
    /// A pool of this capacity.
    Pool(u32),
}

/// Whether the second body is given by a pattern, `second = "b*"`.
pub(super) fn is_pattern(contact: &Reader<'_>) -> bool {
    contact.value("second").is_some_and(|value| value.as_text().is_some())
}

/// Spheres of this radius of the bodies that `second` matches, on the plane `first`.
pub(super) fn read_on_plane(
    contact: &Reader<'_>,
    bodies: &Bodies<'_>,
    steps_itself: bool,
) -> Option<Vec<(ContactShapeSpec, String)>> {
    let radius = contact.number("radius").not_negative().or(0.0);
    let first = read_first_frame(contact, bodies, (Axes::FirstAxis, Sense::Slide));
    let read = |value: &Value<'_>| matched(value, bodies);
    let second = contact.entry("second", "a pattern of bodies, \"b*\"", read).required_option();
    let capacity = read_capacity(contact, steps_itself);
    let (first, second, capacity) = (first?, second?, capacity?);
    let others = second.bodies.iter().filter(|body| first.body != BodyRef::Body(**body));
    let count = others.clone().count();
    let ample = ContactPool::ample(&ContactShape::SpherePlane { radius }, count, count);
    let pair = |body: &usize| {
        (
            PlaceSpec::Frames([first.clone(), BodyFrameSpec::origin_of(*body)]),
            name_of(bodies, *body).to_owned(),
        )
    };
    Some(match few_or_pool(contact, "second", (count, others.map(pair)), (capacity, ample, steps_itself))? {
        Matched::Pool(capacity) => {
            vec![(ContactShapeSpec::SpheresOnPlane { first, second, radius, capacity }, String::new())]
        }
        Matched::Listed(pairs) => {
            let shape = |(place, name)| (ContactShapeSpec::SpherePlane { place, radius }, name);
            pairs.into_iter().map(shape).collect()
        }
    })
}

/// Spheres of these radii of every body that the first pattern of `between` matches with those of every one that the second does.
pub(super) fn read_between(
    contact: &Reader<'_>,
    bodies: &Bodies<'_>,
    (radii, steps_itself): ([f64; 2], bool),
) -> Option<Vec<(ContactShapeSpec, String)>> {
    for key in ["first", "second", "bodies", "at"] {
        contact.forbid(key, "belongs to a single contact; `between` gives the bodies");
    }
    let expected = "two patterns of bodies, [\"b*\", \"b*\"]";
    let read = |value: &Value<'_>| -> Option<[MatchedBodies; 2]> {
        let items = value.items(expected)?;
        if items.len() != 2 {
            value.wrong_length(items.len(), 2, ", two patterns of bodies");
            return None;
        }
        every(items.iter().map(|item| matched(item, bodies)))?.try_into().ok()
    };
    let between = contact.entry("between", expected, read).required_option();
    let capacity = read_capacity(contact, steps_itself);
    let (between, capacity) = (between?, capacity?);
    let count = pairs_of(&between).count();
    let members = between[0].bodies.len() + between[1].bodies.len();
    let members = if between[0].bodies == between[1].bodies { members / 2 } else { members };
    let ample = ContactPool::ample(&ContactShape::SphereSphere { radii }, members, count);
    let pair = |pair: [usize; 2]| {
        let name = pair.map(|body| name_of(bodies, body)).join("_");
        (PlaceSpec::Frames(pair.map(BodyFrameSpec::origin_of)), name)
    };
    let pairs = pairs_of(&between).map(pair);
    Some(match few_or_pool(contact, "between", (count, pairs), (capacity, ample, steps_itself))? {
        Matched::Pool(_) if radii == [0.0; 2] => {
            contact.log().error(&contact.span("radii"), "radii are both zero: points do not touch");
            return None;
        }
        Matched::Pool(capacity) => {
            vec![(ContactShapeSpec::SpheresOnSpheres { between, radii, capacity }, String::new())]
        }
        Matched::Listed(pairs) => {
            let shape = |(place, name)| (ContactShapeSpec::SphereSphere { place, radii }, name);
            pairs.into_iter().map(shape).collect()
        }
    })
}

/// `capacity`: pairs that may be near at a time. It makes a pool of the table, however few pairs there are.
fn read_capacity(contact: &Reader<'_>, steps_itself: bool) -> Option<Option<u32>> {
    if steps_itself {
        contact.forbid("capacity", "has no effect with a scheme, where every pair is a contact of its own");
        return Some(None);
    }
    let mistakes = contact.log().error_count();
    let capacity = contact.count("capacity").at_least_one().optional();
    (contact.log().error_count() == mistakes).then_some(capacity)
}

/// Whether a subsystem steps itself with its contacts inside, by a scheme: there each is one of its own.
pub(super) fn steps_itself(subsystem: &Reader<'_>) -> bool {
    subsystem.value("solver").is_some_and(|solver| solver.member(SCHEME).is_some())
}

/// Every pair of bodies of two patterns once.
fn pairs_of([firsts, seconds]: &[MatchedBodies; 2]) -> impl Iterator<Item = [usize; 2]> + Clone + '_ {
    let is_in = |side: &MatchedBodies, body: &usize| side.bodies.binary_search(body).is_ok();
    let on_both: Vec<bool> = firsts.bodies.iter().map(|body| is_in(seconds, body)).collect();
    let of_first = move |(first, is_on_both): (&usize, bool)| {
        let first = *first;
        // A pair that both orders give is one contact.
        let is_pair = move |second: &&usize| {
            **second > first || **second < first && !(is_on_both && is_in(firsts, second))
        };
        seconds.bodies.iter().filter(is_pair).map(move |second| [first, *second])
    };
    firsts.bodies.iter().zip(on_both).flat_map(of_first)
}

/// The pairs one by one where they are few or the subsystem steps itself, else a pool.
fn few_or_pool(
    contact: &Reader<'_>,
    key: &'static str,
    (count, pairs): (usize, impl Iterator<Item = (PlaceSpec, String)>),
    (capacity, ample, steps_itself): (Option<u32>, usize, bool),
) -> Option<Matched> {
    if count == 0 {
        contact.log().error(&contact.span(key), format!("{} joins a body to itself alone", contact.what()));
        return None;
    }
    if !steps_itself && (capacity.is_some() || count > LISTED) {
        let ample = u32::try_from(ample).unwrap_or(u32::MAX);
        return Some(Matched::Pool(capacity.unwrap_or(ample)));
    }
    if count > MOST {
        let message = format!("{} stands for more than {MOST} pairs of bodies", contact.what());
        let help = "give patterns that match fewer bodies, or a solver without `scheme`";
        contact.log().error_with_help(&contact.span(key), message, help);
        return None;
    }
    Some(Matched::Listed(pairs.collect()))
}

fn name_of<'b>(bodies: &Bodies<'b>, body: usize) -> &'b str {
    bodies.list.get(body).map_or("", |body| &body.name)
}

/// The bodies whose names match a pattern.
fn matched(value: &Value<'_>, bodies: &Bodies<'_>) -> Option<MatchedBodies> {
    let pattern = value.text()?;
    let names = || bodies.list.iter().map(|body| body.name.as_str());
    let found: Vec<usize> =
        names().enumerate().filter(|(_, name)| is_like(pattern, name)).map(|(k, _)| k).collect();
    if found.is_empty() {
        // One that could not be read may be the one looked for.
        if bodies.are_right {
            value.log.unknown(&value.span(), "body", pattern, names());
        }
        return None;
    }
    Some(MatchedBodies { pattern: pattern.to_owned(), bodies: found })
}
