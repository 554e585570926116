//! Masses on springs that stay on stops without rebound, in one subsystem and in two: contacts that an impact elsewhere
//! throws open by next to nothing must not decide, by rounding, how the step goes on.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo::master::NoObserver;
use coupling_tests::Run;

const MASSES: [f64; 6] = [4.335, 10.457, 0.1116, 31.25, 0.1209, 3.256];
const POSITIONS: [f64; 6] = [-0.008164, -0.494845, -1.006974, -1.495869, -1.995511, -2.494681];
const VELOCITIES: [f64; 6] = [-0.11724, 0.73154, 0.97582, -0.76881, 0.03379, 0.91632];
const SPRINGS: [f64; 5] = [7045.0, 1290.0, 577.4, 24131.0, 163.2];
const DAMPING: [f64; 5] = [3.8, 0.0, 0.0, 0.0, 0.0];
/// Stops from below.
const FLOORS: [(usize, f64); 4] = [(0, -0.052903), (1, -0.524669), (3, -1.533008), (5, -2.524897)];
/// Between masses 1 and 2.
const CUT: usize = 1;

/// The masses `first..last` as a subsystem.
fn part(name: &str, first: usize, last: usize) -> String {
    let list = |values: &[f64]| format!("{:?}", &values[first..last]);
    let mut text = format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\nmass = {}\nposition = {}\nvelocity = {}\ngravity = -10\n",
        list(&MASSES),
        list(&POSITIONS),
        list(&VELOCITIES)
    );
    for k in first..last - 1 {
        text += &format!(
            "[[subsystem.spring]]\nbetween = [{}, {}]\nstiffness = {:?}\ndamping = {:?}\nrest = 0.5\n",
            k - first,
            k + 1 - first,
            SPRINGS[k],
            DAMPING[k]
        );
    }
    for (mass, height) in FLOORS.iter().filter(|(mass, _)| (first..last).contains(mass)) {
        let row: Vec<f64> = (first..last).map(|k| f64::from(u8::from(k == *mass))).collect();
        text += &format!(
            "[[subsystem.contact]]\nname = \"floor{mass}\"\nrow = {row:?}\noffset = {height:?}\nrestitution = 0\n"
        );
    }
    text
}

/// Positions of all masses at the end.
fn positions(parts: &str, h: f64) -> Vec<f64> {
    let text = format!("schema = 1\ntime = {{ end = 0.7, step = {h:?} }}\n{parts}");
    let mut master = Run::text(&text, &[]).build().unwrap();
    master.run(0.7, h, &mut NoObserver).unwrap();
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    let is_position = |name: &str| name.rsplit('.').next().is_some_and(|end| end.starts_with('q'));
    let pairs = master.labels().into_iter().zip(&values);
    pairs.filter(|(label, _)| is_position(&label.name)).map(|(_, value)| *value).collect()
}

#[test]
fn contacts_without_rebound_do_not_see_a_cut() {
    let port = |mass: usize| format!("[[subsystem.port]]\nname = \"p\"\ncoordinates = [{mass}]\n");
    let spring = format!(
        "[[interface]]\nname = \"cut\"\nbetween = [\"a.p\", \"b.p\"]\nlaw = \"compliant\"\nstiffness = {:?}\noffset = 0.5\n",
        SPRINGS[CUT]
    );
    let cut = part("a", 0, CUT + 1) + &port(CUT) + &part("b", CUT + 1, 6) + &port(0) + &spring;
    for k in 0..12 {
        let h = 3e-3 * 0.9_f64.powi(k);
        let (whole, cut) = (positions(&part("whole", 0, 6), h), positions(&cut, h));
        assert_eq!(whole.len(), 6);
        let difference = whole.iter().zip(&cut).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        assert!(difference < 1e-10, "h = {h} s: {difference:e} m");
    }
}
