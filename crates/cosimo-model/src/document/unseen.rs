//! Warnings about tables over time that the steps of a run do not see.

use crate::kinds::{Kind, NamedTable, Start};
use cosimo_mechanics::TimeTable;

use crate::toml::{Reader, Value};

/// Share of the range of a table below which what is not seen is not reported.
const SHARE: f64 = 0.01;

/// Warns of tables of a subsystem that rise and fall again between the ends of its smallest steps, `step` (s) long.
pub(super) fn warn_of_unseen(subsystem: &Reader<'_>, kind: &dyn Kind, (step, start): (f64, &Start)) {
    for NamedTable { key, index, name, table } in kind.tables() {
        let Some([from, to]) = unseen_bump(table, step) else { continue };
        if to <= start.time || from >= start.end {
            continue;
        }
        let items = subsystem.value(key).and_then(|list| list.items("a list of tables"));
        let place = items.and_then(|items| items.get(index).map(Value::span));
        let place = place.unwrap_or_else(|| subsystem.header());
        let message = format!(
            "the table of {key} {name} of {} rises and falls between {from:?} s and {to:?} s, within one step of {step:?} s: steps \
             see it at their ends only, and what lies between is lost",
            subsystem.what()
        );
        let help = if start.follows_error {
            "allow more max_refinements in [master]"
        } else {
            "make time.step smaller than the entries are apart, or use step_control = \"error\" in [master]"
        };
        subsystem.log().warning(&place, message, help);
    }
}

/// A time span, shorter than a step (s), in which the table goes up and down again, or down and up, by more than a small
/// share of its range: the first one.
fn unseen_bump(table: &TimeTable, step: f64) -> Option<[f64; 2]> {
    let (time, value) = (&table.time, &table.value);
    let [least, greatest] =
        value.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(*x), b.max(*x)]);
    let enough = SHARE * (greatest - least);
    let is_turn = |k: &usize| (value[*k] - value[k - 1]) * (value[k + 1] - value[*k]) <= 0.0;
    let turns = (1..time.len().min(value.len()).saturating_sub(1)).filter(is_turn);
    turns.filter(|_| enough > 0.0).find_map(|k| bump_at(table, k, step, enough))
}

/// The span of a bump with the top at the entry of this index.
fn bump_at(TimeTable { time, value }: &TimeTable, top: usize, step: f64, enough: f64) -> Option<[f64; 2]> {
    let (first, mut next) = (time.partition_point(|t| *t < time[top] - step), top + 1);
    // The drops after the top, down from it and up.
    let mut drops = [0.0_f64; 2];
    let mut end = top;
    for before in first..top {
        while next < value.len() && time[next] - time[before] <= step {
            let drop = value[top] - value[next];
            if drop > drops[0] || -drop > drops[1] {
                end = next;
            }
            drops = [drops[0].max(drop), drops[1].max(-drop)];
            next += 1;
        }
        let rise = value[top] - value[before];
        if rise.min(drops[0]) > enough || (-rise).min(drops[1]) > enough {
            return Some([time[before], time[end]]);
        }
    }
    None
}
