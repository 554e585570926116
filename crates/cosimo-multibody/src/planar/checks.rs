//! The rules that the data of a planar system obey.

use nalgebra::Vector2;

use super::attachment::Attachment;
use super::{Owner, PlanarError, Point};

/// A rule that a number obeys, and its text.
pub(super) type Rule = (fn(f64) -> bool, &'static str);

const FINITE: Rule = (f64::is_finite, "finite");
pub(super) const POSITIVE: Rule = (|x| x > 0.0 && x.is_finite(), "positive and finite");
pub(super) const NOT_NEGATIVE: Rule = (|x| x >= 0.0 && x.is_finite(), "finite and not negative");

/// Unit vector along `vector`, a `quantity` of `owner`.
pub(super) fn unit(
    owner: &str,
    quantity: &'static str,
    vector: [f64; 2],
) -> Result<Vector2<f64>, PlanarError> {
    check_finite(owner, quantity, &vector)?;
    // Scaled by the largest entry first: the length of a tiny or huge vector would underflow or overflow.
    let largest = vector[0].abs().max(vector[1].abs());
    if largest == 0.0 {
        return Err(PlanarError::NoDirection { owner: owner.to_owned(), quantity });
    }
    Ok((Vector2::from(vector) / largest).normalize())
}

/// The first name that appears twice is an error.
pub(super) fn check_unique(kind: &'static str, names: &[&str]) -> Result<(), PlanarError> {
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(PlanarError::DuplicateName { kind, name: pair[0].to_owned() }),
        None => Ok(()),
    }
}

/// Every number of `values`, a `quantity` of `owner`, must be finite.
pub(super) fn check_finite(owner: &str, quantity: &'static str, values: &[f64]) -> Result<(), PlanarError> {
    check_all(owner, quantity, values, FINITE)
}

/// Finds the body of `point`; `names` are those of the bodies.
pub(super) fn attach(owner: &str, point: &Point, names: &[&str]) -> Result<Attachment, PlanarError> {
    check_finite(owner, "the point", &point.position)?;
    let body = match &point.owner {
        Owner::Ground => None,
        Owner::Body(body) => {
            let index = names.iter().position(|name| name == body);
            Some(index.ok_or_else(|| PlanarError::UnknownBody {
                owner: owner.to_owned(),
                body: body.clone(),
                known: names.join(", "),
            })?)
        }
    };
    Ok(Attachment { body, point: Vector2::from(point.position) })
}

/// Every number of `values`, a `quantity` of `owner`, must obey the rule.
pub(super) fn check_all(
    owner: &str,
    quantity: &'static str,
    values: &[f64],
    (holds, rule): Rule,
) -> Result<(), PlanarError> {
    match values.iter().find(|x| !holds(**x)) {
        Some(&found) => Err(PlanarError::OutOfRange { owner: owner.to_owned(), quantity, found, rule }),
        None => Ok(()),
    }
}
