//! Micro steps at a rigid joint: 1 kg on one side, on the other 1e-3 to 1e3 kg on a spring of up to 100 radians a macro step.
//! Nothing grows, whatever rules, and the order is two.

use coupling_tests::{Run, fitted_order};

use super::{FIRST_ORDER, SECOND_ORDER, Values, largest_early_and_late};

const STEP: f64 = 1e-3;

/// Radians a macro step of both sides by themselves.
const FREQUENCIES: [[f64; 2]; 7] =
    [[0.3, 1.0], [1.0, 0.3], [0.3, 4.0], [1.0, 6.0], [0.0, 10.0], [3.0, 30.0], [1.0, 100.0]];

fn text(rules: [&str; 2], mass: f64, frequencies: [f64; 2], micro: [u32; 2]) -> String {
    let masses = [1.0, mass];
    let side = |i: usize| {
        format!(
            "[[subsystem]]\nname = \"{}\"\nkind = \"linear\"\nsolver = {}\nmicro_steps = {}\ncoordinates = [\"x\"]\nmass = [{:e}]\n\
             stiffness = [{:e}]\nposition = 1e-4\nvelocity = 0.1\nport = [{{ name = \"p\", coordinates = [\"x\"] }}]\n",
            ["a", "b"][i],
            rules[i],
            micro[i],
            masses[i],
            masses[i] * (frequencies[i] / STEP).powi(2)
        )
    };
    format!(
        "schema = 1\ntime = {{ end = 10.0, step = {STEP:e} }}\n{}{}[[interface]]\nname = \"j\"\nbetween = [\"a.p\", \"b.p\"]\nlaw = \"rigid\"\n",
        side(0),
        side(1)
    )
}

#[test]
fn nothing_grows_whatever_rules_and_frequencies() {
    let rules: Vec<&str> = SECOND_ORDER.iter().chain(&FIRST_ORDER).copied().collect();
    let masses = [1e-3, 0.1, 1.0, 10.0, 1e3];
    let (mut grown, mut turn) = (Vec::new(), 0);
    for a in &rules {
        for b in &rules {
            for micro in [[1, 2], [1, 10], [2, 1], [10, 2]] {
                turn += 1;
                let (mass, frequencies) = (masses[turn % 5], FREQUENCIES[turn % 7]);
                let model = Run::text(&text([a, b], mass, frequencies, micro), &[]);
                let energy = |values: &Values<'_>| {
                    let of = |side: &str, mass: f64, frequency: f64| {
                        let (x, v) = (values.get(&format!("{side}.x")), values.get(&format!("{side}.v_x")));
                        0.5 * mass * (v * v + (frequency / STEP * x).powi(2))
                    };
                    of("a", 1.0, frequencies[0]) + of("b", mass, frequencies[1])
                };
                let [early, late] = largest_early_and_late(&model, 3000, &energy);
                if !(late <= 1.02 * early) {
                    grown.push(format!(
                        "{a} {b} {mass} kg {frequencies:?} {micro:?}: {early:e}, then {late:e} J"
                    ));
                }
            }
        }
    }
    assert!(grown.is_empty(), "{} cases: {:#?}", grown.len(), &grown[..grown.len().min(20)]);
}

/// Two masses on 2e4 N/m with ten micro steps, joined to one on the other side, against one mass on the two springs.
#[test]
fn the_order_is_two() {
    let frequency = |stiffness: f64, mass: f64| (stiffness / mass).sqrt() * STEP;
    let (stiffness, mass) = ([400.0, 2500.0], 2.0);
    let frequencies = [frequency(stiffness[0], 1.0), frequency(stiffness[1], mass)];
    let omega = ((stiffness[0] + stiffness[1]) / (1.0 + mass)).sqrt();
    let end = 0.2_f64;
    let exact = 1e-4 * (omega * end).cos() + 0.1 / omega * (omega * end).sin();
    for a in SECOND_ORDER {
        for b in SECOND_ORDER {
            for micro in [[1, 2], [1, 10], [5, 1]] {
                let text = text([a, b], mass, frequencies, micro);
                let steps = [4e-3, 2e-3, 1e-3];
                let errors = steps.map(|h| {
                    let settings = [format!("time.step={h:e}"), format!("time.end={end}")];
                    let run = Run::completed(&Run::text(&text, &[&settings[0], &settings[1]]));
                    (run.value("a.x", run.times.len() - 1) - exact).abs()
                });
                let order = fitted_order(&steps, &errors);
                assert!(order > 1.7 && errors[2] < 1e-4, "{a} {b} {micro:?}: order {order}, {errors:?}");
            }
        }
    }
}
