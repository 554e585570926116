//! Andrews' squeezing mechanism, described as seven bodies in space with a spring and a moment.
//!
//! Reference: case O1; a Runge-Kutta method of order 8 at 1e-13.

use coupling_tests::{Run, Table, fitted_order};

const MODEL: &str = "andrews/model.toml";

/// Largest errors of the bodies' angles (rad) and of the crank's rate (rad/s), over 30 ms.
fn errors(h: f64, solver: &str) -> [f64; 2] {
    let every = (1e-3 / h).round();
    let settings = [
        format!("time.step={h:e}"),
        format!("record.every={every}"),
        format!("subsystem.squeezer.solver={solver}"),
    ];
    let run = Run::example(MODEL, &settings.each_ref().map(String::as_str));
    let table = Table::reference("O1_andrews_squeezer/reference.csv");
    let mut worst = [0.0_f64; 2];
    for (k, &t) in table.column("t").iter().enumerate() {
        let exact = |name: &str| table.column(name)[k];
        let angles = [
            exact("beta"),
            exact("beta") + exact("theta"),
            exact("gamma"),
            exact("phi") + exact("delta"),
            exact("delta"),
            exact("omega") + exact("epsilon"),
            exact("epsilon"),
        ];
        for (body, exact) in (1..8).zip(angles) {
            let of = |name: &str| run.at(&format!("squeezer.K{body}.{name}"), t);
            // Whole turns do not count.
            let half = of("qz").atan2(of("qw")) - 0.5 * exact;
            worst[0] = worst[0].max(2.0 * half.sin().abs());
        }
        worst[1] = worst[1].max((run.at("squeezer.K1.wz", t) - exact("v_beta")).abs());
    }
    worst
}

#[test]
fn motion_is_of_second_order() {
    let steps = [4e-5, 2e-5, 1e-5];
    for (solver, most) in [("theta", 2e-5), ("generalized-alpha", 1e-4), ("multistep", 1e-4)] {
        let found = steps.map(|h| errors(h, solver));
        for k in 0..2 {
            let order = fitted_order(&steps, &found.map(|errors| errors[k]));
            assert!((1.9..2.25).contains(&order), "{solver}, quantity {k}: order {order} of {found:?}");
        }
        assert!(found[2][0] < most, "{solver}: {found:?}");
    }
}

/// What the moment does is what the energy of bodies and spring grows by, but for what the rule makes.
#[test]
fn energy_grows_by_the_work_of_the_moment() {
    let table = Table::reference("O1_andrews_squeezer/reference.csv");
    let angles = table.column("beta");
    let work = 0.033 * (angles[angles.len() - 1] - angles[0]);
    let [coarse, fine] = [2e-5, 1e-5].map(|h| {
        let energy = Run::example(MODEL, &[&format!("time.step={h:e}")]).report.energy;
        let made = energy.end - energy.start - energy.external;
        assert!((made - energy.monitor_sum).abs() < 0.01 * made.abs(), "{made} J and {energy:?}");
        [energy.external - work, made]
    });
    for k in 0..2 {
        assert!(fine[k].abs() < 2e-5 && (3.5..4.5).contains(&(coarse[k] / fine[k])), "{coarse:?} {fine:?}");
    }
}
