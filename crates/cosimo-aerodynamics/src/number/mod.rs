//! Numbers that carry their derivatives.
//!
//! A formula is written once, over [`Number`]: with `f64` it gives its value, with [`Dual`] its value and all first derivatives.

mod arithmetic;
mod dual;
mod root;

pub(crate) use arithmetic::Number;
pub(crate) use dual::Dual;
pub(crate) use root::root;
