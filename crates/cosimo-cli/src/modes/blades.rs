//! Blades: bodies whose names differ in a number alone, at equal distances about the axis of the turn.
//!
//! The bodies of a blade are those with its number: `blade_1.0`, `blade_1.1`, `link_1` are of blade 1, and so are `b1_link2`, `b1_pin`.

use std::collections::BTreeMap;

use cosimo::nalgebra::{UnitQuaternion, Vector3};

/// Difference of places, relative to the radius, up to which blades are alike.
const ALIKE: f64 = 1e-6;

/// A body in equilibrium.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) name: String,
    /// Centre of mass (m).
    pub(super) position: Vector3<f64>,
    /// Turns vectors of the body into vectors of the world.
    pub(super) orientation: UnitQuaternion<f64>,
}

/// A blade and its axes.
#[derive(Debug, Clone)]
pub(super) struct Blade {
    /// What tells it apart in names.
    pub(super) number: String,
    /// Its bodies, in the order of those of other blades.
    pub(super) bodies: Vec<usize>,
    /// Outwards, with the turn, along the axis.
    pub(super) axes: [Vector3<f64>; 3],
}

/// The blades in the order of the turn, where there are some; `axis` is that of the turn, of length one.
pub(super) fn blades(bodies: &[Placed], axis: Vector3<f64>) -> Vec<Blade> {
    let mut families: BTreeMap<[&str; 2], BTreeMap<&str, usize>> = BTreeMap::new();
    for (index, body) in bodies.iter().enumerate() {
        for (family, number) in families_of(&body.name) {
            families.entry(family).or_default().insert(number, index);
        }
    }
    let mut rings: Vec<Ring> =
        families.into_values().filter_map(|own| Ring::of(&own, bodies, axis)).collect();
    // The outermost tells the azimuths.
    rings.sort_by(|a, b| b.radius.total_cmp(&a.radius));
    let Some(outermost) = rings.first().cloned() else { return Vec::new() };
    rings.retain(|ring| ring.has_same_numbers(&outermost));
    let blade = |(number, tip): &(String, usize)| {
        let of_ring = |ring: &Ring| ring.members.iter().find(|own| own.0 == *number).map(|own| own.1);
        let mut own: Vec<usize> = rings.iter().filter_map(of_ring).collect();
        own.sort_unstable();
        let outwards = across(bodies[*tip].position, axis).normalize();
        Blade { number: number.clone(), bodies: own, axes: [outwards, axis.cross(&outwards), axis] }
    };
    outermost.members.iter().map(blade).collect()
}

/// What a name has before and behind a number in its first part, and the number; for every number in it.
fn families_of(name: &str) -> impl Iterator<Item = ([&str; 2], &str)> {
    let first = &name[..name.find('.').unwrap_or(name.len())];
    let is_digit = |place: usize| first.as_bytes().get(place).is_some_and(u8::is_ascii_digit);
    let starts = (1..first.len()).filter(move |start| is_digit(*start) && !is_digit(start - 1));
    starts.map(move |start| {
        let end = (start..first.len()).find(|end| !is_digit(*end)).unwrap_or(first.len());
        ([&name[..start], &name[end..]], &name[start..end])
    })
}

fn across(position: Vector3<f64>, axis: Vector3<f64>) -> Vector3<f64> {
    position - axis * axis.dot(&position)
}

/// Bodies at equal distances about the axis.
#[derive(Debug, Clone)]
struct Ring {
    radius: f64,
    /// Number and body, in the order of the turn.
    members: Vec<(String, usize)>,
}

impl Ring {
    fn of(own: &BTreeMap<&str, usize>, bodies: &[Placed], axis: Vector3<f64>) -> Option<Self> {
        let count = own.len();
        let first = bodies[*own.values().next()?].position;
        let outwards = across(first, axis);
        let radius = outwards.norm();
        if count < 2 || radius <= ALIKE * first.norm() {
            return None;
        }
        let (x, y) = (outwards / radius, axis.cross(&outwards) / radius);
        let full = std::f64::consts::TAU;
        let azimuth = |index: usize| {
            let position = bodies[index].position;
            position.dot(&y).atan2(position.dot(&x)).rem_euclid(full)
        };
        let mut members: Vec<(String, usize)> =
            own.iter().map(|(number, index)| ((*number).to_owned(), *index)).collect();
        let part = full / count as f64;
        let place = |index: usize| (azimuth(index) / part).round() as usize % count;
        members.sort_by_key(|(_, index)| place(*index));
        let is_in_place = |(k, (_, index)): (usize, &(String, usize))| {
            let angle = part * k as f64;
            let expected = first - outwards + (x * angle.cos() + y * angle.sin()) * radius;
            (bodies[*index].position - expected).norm() <= ALIKE * radius.max(first.norm())
        };
        members.iter().enumerate().all(is_in_place).then_some(Self { radius, members })
    }

    fn has_same_numbers(&self, other: &Self) -> bool {
        let numbers = |ring: &Self| {
            let mut numbers: Vec<String> = ring.members.iter().map(|own| own.0.clone()).collect();
            numbers.sort();
            numbers
        };
        numbers(self) == numbers(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosimo::nalgebra::UnitQuaternion;

    fn placed(name: &str, radius: f64, azimuth: f64) -> Placed {
        let position = Vector3::new(radius * azimuth.cos(), radius * azimuth.sin(), 0.2);
        Placed { name: name.to_owned(), position, orientation: UnitQuaternion::identity() }
    }

    #[test]
    fn blades_are_found_by_name_and_place() {
        let third = std::f64::consts::TAU / 3.0;
        let mut bodies = vec![placed("hub", 0.0, 0.0)];
        for (k, number) in [(0, "1"), (2, "2"), (1, "3")] {
            bodies.push(placed(&format!("blade_{number}.0"), 1.0, third * f64::from(k)));
            bodies.push(placed(&format!("blade_{number}.1"), 2.0, third * f64::from(k)));
        }
        let found = blades(&bodies, Vector3::z());
        let numbers: Vec<&str> = found.iter().map(|blade| blade.number.as_str()).collect();
        assert_eq!(numbers, ["1", "3", "2"]);
        assert_eq!(found[1].bodies, [5, 6]);
        // Names that instances of a template give.
        let mut bodies = vec![placed("hub", 0.0, 0.0)];
        for (k, number) in [(0, "1"), (1, "2"), (2, "3")] {
            for (part, radius) in [("link1", 1.0), ("link2", 2.0), ("pin", 0.5), ("tip.0", 3.0)] {
                bodies.push(placed(&format!("b{number}_{part}"), radius, third * f64::from(k)));
            }
        }
        let found = blades(&bodies, Vector3::z());
        assert_eq!(found.iter().map(|blade| blade.number.as_str()).collect::<Vec<_>>(), ["1", "2", "3"]);
        assert_eq!(found[1].bodies, [5, 6, 7, 8]);
        // In a row there are none.
        let row = [placed("c0", 1.0, 0.0), placed("c1", 2.0, 0.0), placed("c2", 3.0, 0.0)];
        assert!(blades(&row, Vector3::z()).is_empty());
    }
}
