//! Formulas as they stand in files: `k / m`, `w/2 * (1 - cos(pi * t / 20))`, `(a*P + b*Q) / (a + b)`.
//!
//! | module | what |
//! |---|---|
//! | `formula` | [`Formula`]: a text and its tree; the names in it, its value |
//! | `parse`, `term` | from the text to the tree |
//! | `function` | functions and constants, by their names |
//! | `evaluate`, `value` | from the tree to numbers and vectors |
//! | `number`, `jet` | what is computed with: numbers, or values with two derivatives |
//! | `time` | [`TimeFormula`]: a number over the time `t` with exact first and second derivative |
//! | `error` | what is wrong with a formula, and where |
//!
//! Operators are `+ - * / ^`, comparisons `< <= > >=` (1 or 0), brackets, lists `[a, b, c]` and elements `v[0]`, `v.x`, `v.y`, `v.z`. A
//! sign binds less than a power: `-2^2` is −4. Powers go from right to left. Operators and functions of one number act on every entry of a
//! vector.
//!
//! ```
//! use cosimo_formula::{Formula, TimeFormula, Value};
//!
//! let formula = Formula::parse("sqrt(k / m)")?;
//! let known = |name: &str| match name {
//!     "k" => Some(Value::Number(8.0)),
//!     "m" => Some(Value::Number(2.0)),
//!     _ => None,
//! };
//! assert_eq!(formula.value(&known)?, Value::Number(2.0));
//!
//! let position = TimeFormula::parse("sin(3*t)")?;
//! assert_eq!(position.at(0.0), [0.0, 3.0, 0.0]);
//! # Ok::<(), cosimo_formula::FormulaError>(())
//! ```

mod error;
mod evaluate;
mod formula;
mod function;
mod jet;
mod number;
mod parse;
mod term;
mod time;
mod value;

pub use error::{FormulaError, Mistake};
pub use formula::{Formula, TIME};
pub use function::{constants, functions};
pub use time::TimeFormula;
pub use value::Value;
