//! Contacts of all bodies whose names match a pattern.

use super::bodies::Bodies;
use super::place::{Axes, read_first_frame};
use crate::kinds::body_ref::BodyRef;
use crate::kinds::multibody::spec::{BodyFrameSpec, PlaceSpec};
use crate::model::matches;
use crate::read::{Reader, Value, every};

/// Most contacts that a table may stand for.
const MOST: usize = 20_000;

/// The place of a contact that a pattern stands for, and what tells it from the others: the names of its bodies.
pub(super) struct Matched {
    pub(super) place: PlaceSpec,
    pub(super) names: String,
}

/// Whether the second body is given by a pattern, `second = "b*"`.
pub(super) fn is_pattern(contact: &Reader<'_>) -> bool {
    contact.value("second").is_some_and(|value| value.as_text().is_some())
}

/// Contacts of what `first` is a frame of with the bodies that `second` matches.
pub(super) fn read_with_all(contact: &Reader<'_>, bodies: &Bodies<'_>) -> Option<Vec<Matched>> {
    let first = read_first_frame(contact, bodies, Axes::FirstAxis);
    let read = |value: &Value<'_>| matched(value, bodies);
    let second = contact.entry("second", "a pattern of bodies, \"b*\"", read).required_option();
    let (first, second) = (first?, second?);
    let others = second.into_iter().filter(|body| first.body != BodyRef::Body(*body));
    let place = |body: usize| Matched {
        place: PlaceSpec::Frames([first.clone(), centre(body)]),
        names: bodies.list[body].name.clone(),
    };
    few_enough(contact, "second", others.map(place).collect())
}

/// Contacts of every body that the first pattern of `between` matches with every one that the second does.
pub(super) fn read_between(contact: &Reader<'_>, bodies: &Bodies<'_>) -> Option<Vec<Matched>> {
    for key in ["first", "second", "bodies", "at"] {
        contact.forbid(key, "belongs to a single contact; `between` gives the bodies");
    }
    let expected = "two patterns of bodies, [\"b*\", \"b*\"]";
    let read = |value: &Value<'_>| -> Option<[Vec<usize>; 2]> {
        let items = value.items(expected)?;
        if items.len() != 2 {
            value.wrong_length(items.len(), 2, ", two patterns of bodies");
            return None;
        }
        every(items.iter().map(|item| matched(item, bodies)))?.try_into().ok()
    };
    let [firsts, seconds] = contact.entry("between", expected, read).required_option()?;
    if firsts.len().saturating_mul(seconds.len()) > 4 * MOST {
        return too_many(contact, "between");
    }
    let mut pairs = Vec::new();
    for &first in &firsts {
        for &second in &seconds {
            // A pair that both orders give is one contact.
            let is_twin = second < first
                && firsts.binary_search(&second).is_ok()
                && seconds.binary_search(&first).is_ok();
            if first != second && !is_twin {
                let names = format!("{}_{}", bodies.list[first].name, bodies.list[second].name);
                let place = PlaceSpec::Frames([centre(first), centre(second)]);
                pairs.push(Matched { place, names });
            }
        }
    }
    few_enough(contact, "between", pairs)
}

/// The bodies whose names match a pattern, ascending.
fn matched(value: &Value<'_>, bodies: &Bodies<'_>) -> Option<Vec<usize>> {
    let pattern = value.text()?;
    let names = || bodies.list.iter().map(|body| body.name.as_str());
    let found: Vec<usize> =
        names().enumerate().filter(|(_, name)| matches(pattern, name)).map(|(k, _)| k).collect();
    if found.is_empty() {
        // One that could not be read may be the one looked for.
        if bodies.are_right {
            value.log.unknown(&value.span(), "body", pattern, names());
        }
        return None;
    }
    Some(found)
}

/// The origin of a body's frame.
fn centre(body: usize) -> BodyFrameSpec {
    BodyFrameSpec { body: BodyRef::Body(body), point: [0.0; 3], axis: None, x: None }
}

fn few_enough(contact: &Reader<'_>, key: &'static str, found: Vec<Matched>) -> Option<Vec<Matched>> {
    if found.len() > MOST {
        return too_many(contact, key);
    }
    if found.is_empty() {
        contact.log().error(&contact.span(key), format!("{} joins a body to itself alone", contact.what()));
        return None;
    }
    Some(found)
}

fn too_many<T>(contact: &Reader<'_>, key: &'static str) -> Option<T> {
    let message = format!("{} stands for more than {MOST} pairs of bodies", contact.what());
    let help = "give patterns that match fewer bodies";
    contact.log().error_with_help(&contact.span(key), message, help);
    None
}
