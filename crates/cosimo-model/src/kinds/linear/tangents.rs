//! Tangents of contacts with friction.
//!
//! Slips are `U_T = T v` for the generalised velocities `v`, with `T = tᵀ J` for a direction `t` in space and the unknown
//! Jacobian `J` of the contact's point. The weights `T` therefore hold less than the directions `t`:
//!
//! * Two rows that depend on each other are a mistake whatever `J` is. Turned in their plane they become a row and one of
//!   zeros, which is a contact with a single tangent; as they stand friction acts twice.
//! * A row that depends on the gap's may be meant: the tip of a mechanism with one degree of freedom moves along a line.
//! * Where coordinates are Cartesian, alone or with angles, `J` is a multiple of the identity in the coordinates that are no
//!   angles, and directions at right angles and of one length have such weights there.

use cosimo_mechanics::ContactLaw;

use crate::kinds::contact_law::forbid_facets_on_a_line;
use crate::spec::{Coordinates, RowSpec};
use crate::toml::{Reader, Value, every};

/// What of a row remains without its share along others, below which it depends on them.
const DEPENDENT: f64 = 1e-9;
/// Deviation from right angles (as a cosine) and from equal lengths (as a share) above which they are reported.
const SKEW: f64 = 1e-3;

/// Reads the tangents of a contact with this row of the gap, which it needs for friction and else must not have.
pub(super) fn read_tangents(
    contact: &Reader<'_>,
    (coordinates, angles): (&Coordinates, &[usize]),
    (gap, law): (&RowSpec, &ContactLaw),
) -> Vec<RowSpec> {
    if law.friction == 0.0 {
        contact.forbid("tangents", "have no effect without friction");
        return Vec::new();
    }
    let expected = "one or two rows, the directions along which the contact slides";
    let read = |value: &Value<'_>| {
        let items = value.items(expected)?;
        if !matches!(items.len(), 1 | 2) {
            value.wrong_length(items.len(), 1, " or 2");
            return None;
        }
        if items.len() == 1 {
            forbid_facets_on_a_line(contact, law);
        }
        let rows = every(items.iter().map(|item| coordinates.row(item)))?;
        check_pair(&items, &rows, angles)?;
        warn_of_gap(&items, &rows, gap);
        Some(rows)
    };
    contact.entry("tangents", expected, read).required()
}

/// Refuses two tangents that are one, and warns of two that are not orthonormal where coordinates are Cartesian.
fn check_pair(items: &[Value<'_>], rows: &[RowSpec], angles: &[usize]) -> Option<()> {
    let ([_, item], [first, second]) = (items, rows) else { return Some(()) };
    let unit = first.normalised();
    if is_dependent(second, &[&unit]) {
        let message =
            format!("{} has the direction of tangents[0], along which friction would act twice", item.label);
        let help = "give one tangent, or two at right angles";
        item.log.error_with_help(&item.span(), message, help);
        return None;
    }
    let [a, b] = [first, second].map(|row| row.without(angles));
    warn_of_skew(item, [&a, &b]);
    Some(())
}

/// Warns of two tangents that are not of one length, or not at right angles.
fn warn_of_skew(item: &Value<'_>, [a, b]: [&RowSpec; 2]) {
    let lengths = [a.norm(), b.norm()];
    if lengths.contains(&0.0) {
        return;
    }
    let cosine = a.normalised().times(&b.normalised());
    let ratio = lengths[1] / lengths[0];
    let help = "friction is Coulomb's for two tangents of length one at right angles in space; ignore this if they are, in \
                coordinates that are not Cartesian";
    if cosine.abs() > SKEW {
        let angle = cosine.clamp(-1.0, 1.0).acos().to_degrees();
        let message = format!("{} is at {angle:.4}° to tangents[0], not at 90°", item.label);
        item.log.warning(&item.span(), message, help);
    } else if (ratio - 1.0).abs() > SKEW {
        let message = format!("{} is {ratio:.4} times as long as tangents[0]", item.label);
        item.log.warning(&item.span(), message, help);
    }
}

/// Warns of tangents along which the contact cannot slide while its gap is closed.
fn warn_of_gap(items: &[Value<'_>], rows: &[RowSpec], gap: &RowSpec) {
    if gap.entries.is_empty() {
        return;
    }
    let normal = gap.normalised();
    let help =
        "give the direction in which the body moves along the obstacle; ignore this if it can move only so";
    let mut is_any = false;
    for (item, _) in items.iter().zip(rows).filter(|(_, row)| is_dependent(row, &[&normal])) {
        let message =
            format!("{} has the direction of `row`: closed, the contact cannot slide along it", item.label);
        item.log.warning(&item.span(), message, help);
        is_any = true;
    }
    if let ([_, item], [first, second], false) = (items, rows, is_any) {
        let across = first.minus_share(&normal).normalised();
        if is_dependent(second, &[&normal, &across]) {
            let message = format!(
                "tangents[0], {} and `row` depend on each other: closed, the contact slides along a line",
                item.label
            );
            item.log.warning(&item.span(), message, help);
        }
    }
}

/// Whether a row is a combination of these, of length one and at right angles to each other.
fn is_dependent(row: &RowSpec, of: &[&RowSpec]) -> bool {
    let rest = of.iter().fold(row.normalised(), |rest, unit| rest.minus_share(unit));
    rest.norm() <= DEPENDENT
}
