//! Three subsystems joined by rigid ports of three coordinates, with two contacts and a constrained member, against
//! the same system in one piece, whose joints are constraints.
//!
//! Both are the same equations: a rigid joint says `ġ₁ + g₀/h = 0` of the gap `g = q_a − q_b`, and the θ rule says the
//! same of a constraint `φ = 0`. Only the solution differs: an interface matrix of six unknowns here, one system of
//! equations with all multipliers there.

use cosimo::master::ContactEventKind;
use coupling_tests::Run;

const SPLIT: &str = "three-subsystems/model.toml";
const WHOLE: &str = "three-subsystems/model-one-piece.toml";

fn names(kind: &str) -> Vec<(String, String)> {
    let part = move |(part, count): (&'static str, usize)| {
        let kind = kind.to_owned();
        (0..count).map(move |i| (format!("{part}.{kind}q{i}"), format!("whole.{kind}{part}{i}")))
    };
    [("a", 5), ("b", 6), ("c", 5)].into_iter().flat_map(part).collect()
}

fn largest_difference(split: &Run, whole: &Run, kind: &str) -> f64 {
    let difference = |(a, b): (String, String)| {
        let (a, b) = (split.column(&a), whole.column(&b));
        a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    names(kind).into_iter().map(difference).fold(0.0, f64::max)
}

#[test]
fn split_system_equals_the_system_in_one_piece() {
    for impacts in ["sub-step", "plain"] {
        let setting = format!("master.impacts={impacts}");
        let (split, whole) = (Run::example(SPLIT, &[&setting]), Run::example(WHOLE, &[&setting]));
        assert_eq!((split.report.steps, split.report.interface_solves), (1000, 1000));
        for contact in ["a.stop", "c.stop"] {
            let count = split.events_at(contact, ContactEventKind::Impact).len();
            assert!(count >= 3, "{impacts}: {count} impacts at {contact}");
        }
        assert_eq!(split.events.len(), whole.events.len(), "{impacts}");
        for (a, b) in split.events.iter().zip(&whole.events) {
            assert_eq!(a.kind, b.kind);
            assert_eq!(a.contact.replace(".stop", ""), b.contact.replace("whole.", "").replace("_stop", ""));
            assert!((a.time - b.time).abs() < 1e-11 && (a.impulse - b.impulse).abs() < 1e-10, "{a:?} {b:?}");
        }
        let (q, v) = (largest_difference(&split, &whole, ""), largest_difference(&split, &whole, "v_"));
        assert!(q <= 1e-11, "{impacts}: positions differ by {q:e} m");
        assert!(v <= 1e-10, "{impacts}: velocities differ by {v:e} m/s");
        let (a, b) = (split.report.energy, whole.report.energy);
        assert!((a.end - b.end).abs() < 1e-11 && (a.contact - b.contact).abs() < 1e-11, "{a:?} {b:?}");
    }
}

#[test]
fn joints_and_guide_stay_closed() {
    let run = Run::example(SPLIT, &[]);
    for name in ["ab.gap_0", "ab.gap_1", "ab.gap_2", "bc.gap_0", "bc.gap_1", "bc.gap_2", "b.guide.residual"] {
        let largest = run.column(name).iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        assert!(largest < 1e-14, "{name}: {largest:e} m");
    }
}

#[test]
fn contacts_are_kept_and_the_balance_closes() {
    let run = Run::example(SPLIT, &[]);
    for name in ["a.stop.gap", "c.stop.gap"] {
        let least = run.column(name).iter().copied().fold(f64::INFINITY, f64::min);
        // To the error of the parabola between impacts.
        assert!(least > -1e-6, "{name}: {least:e} m");
    }
    let e = run.report.energy;
    assert!(e.contact < -1e-3 && e.dissipated > 1e-3, "{e:?}");
    let open = e.end - e.start - e.contact - e.external + e.dissipated - e.monitor_sum;
    assert!(open.abs() < 1e-12, "{open:e} J are not accounted for");
}
