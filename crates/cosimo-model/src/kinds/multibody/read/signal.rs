//! Reads what signals give.

use cosimo_subsystem::Hold;

use crate::kinds::multibody::spec::SignalSpec;
use crate::toml::{Names, Reader, is_name};

/// Reads `signal`, the name of an input.
pub(super) fn read_signal_name(reader: &Reader<'_>, names: &mut Names) -> String {
    let expected = "made of letters, digits, `_` and `-`, and not of digits alone";
    let name = reader.text("signal").check(expected, |name| is_name(name)).required();
    names.claim(reader.log(), &name, &reader.span("signal"));
    name
}

/// Reads `signal` and `hold`.
pub(super) fn read_signal(reader: &Reader<'_>, names: &mut Names) -> SignalSpec {
    SignalSpec { name: read_signal_name(reader, names), hold: reader.choice("hold").or(Hold::default()) }
}
