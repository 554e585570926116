//! Spheres poured into a box, nearly at rest: where sweeps crawl and the central path turns back.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use std::io::Read;

use cosimo_complementarity::friction::{
    BodyDelassus, ContactArm, FrictionConfig, FrictionProblem, FrictionSolver, GaussSeidel,
    GaussSeidelConfig, InteriorPoint, ProximalPoint, PseudoTransient,
};
use nalgebra::{Matrix6, SMatrix, Vector3, Vector6};

const RADIUS: f64 = 0.05;

/// One step of spheres in a box, as `tests/reference/README.md` describes it.
struct Spheres {
    delassus: BodyDelassus<3, 6>,
    offset: Vec<f64>,
    friction: Vec<f64>,
}

impl Spheres {
    fn read(contacts: usize) -> Self {
        let path = format!("{}/tests/reference/spheres/{contacts}.txt.gz", env!("CARGO_MANIFEST_DIR"));
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        let mut lines = text.lines();
        let head: Vec<f64> = numbers(lines.next().unwrap());
        let (linear, angular) = (head[1], head[2]);
        let inverse =
            Matrix6::from_diagonal(&Vector6::new(linear, linear, linear, angular, angular, angular));
        let (mut arms, mut offset) = (Vec::new(), Vec::new());
        for line in lines {
            let mut words = line.splitn(3, ' ');
            let bodies = [words.next().unwrap().parse().ok(), words.next().unwrap().parse().ok()];
            let numbers = numbers(words.next().unwrap());
            let normal = Vector3::from_column_slice(&numbers[..3]).normalize();
            let sides = bodies.into_iter().zip([1.0, -1.0]);
            arms.push(sides.filter_map(|(body, sign)| Some(arm(body?, sign, &normal))).collect());
            offset.extend_from_slice(&numbers[3..]);
        }
        let friction = vec![head[3]; arms.len()];
        Self {
            delassus: BodyDelassus::new(&vec![inverse; head[0] as usize], arms).unwrap(),
            offset,
            friction,
        }
    }

    fn problem(&self) -> FrictionProblem<'_, 3> {
        FrictionProblem::new(&self.delassus, &self.offset, &self.friction).unwrap()
    }

    /// Coulomb's law at every contact, with velocities (m/s) that miss it by a share of all and impulses by what makes them.
    #[track_caller]
    fn check_law(&self, r: &[f64], tolerance: f64) {
        let most = tolerance * self.offset.iter().map(|q| q * q).sum::<f64>().sqrt();
        let u = self.problem().velocities(r).unwrap();
        for ((u, r), mu) in u.chunks_exact(3).zip(r.chunks_exact(3)).zip(&self.friction) {
            let (u, r) = (Vector3::from_column_slice(u), Vector3::from_column_slice(r));
            let (slip, friction) = (u.yz().norm(), r.yz().norm());
            assert!(r[0] >= -most && friction <= mu * r[0] + most, "{r}");
            assert!(u[0] >= -most && (r[0] * u[0]).abs() <= most * (1.0 + r[0]), "{u} {r}");
            // Friction takes all it can where the contact slides.
            let dissipation = u.yz().dot(&r.yz()) + mu * r[0] * slip;
            assert!(dissipation.abs() <= most * (1.0 + slip + r[0]), "{u} {r}");
        }
    }
}

fn numbers(line: &str) -> Vec<f64> {
    line.split(' ').map(|word| word.parse().unwrap()).collect()
}

/// Rows of a sphere on whose side of the contact the normal points.
fn arm(body: usize, sign: f64, normal: &Vector3<f64>) -> ContactArm<3, 6> {
    let across = if normal.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
    let first = normal.cross(&across).normalize();
    let (arm, mut rows) = (-sign * RADIUS * normal, SMatrix::<f64, 3, 6>::zeros());
    for (k, direction) in [*normal, first, normal.cross(&first)].iter().enumerate() {
        rows.fixed_view_mut::<1, 3>(k, 0).copy_from(&(direction * sign).transpose());
        rows.fixed_view_mut::<1, 3>(k, 3).copy_from(&(arm.cross(direction) * sign).transpose());
    }
    ContactArm { body, rows }
}

/// Sweeps end at 1e-5, and interior points where the central path turns back.
#[test]
fn spheres_nearly_at_rest_are_solved_in_pseudo_time() {
    let spheres = Spheres::read(2733);
    let problem = spheres.problem();
    let mut swept = vec![0.0; spheres.offset.len()];
    let config = GaussSeidelConfig { tolerance: 1e-6, max_sweeps: 1000, ..GaussSeidelConfig::default() };
    assert!(!GaussSeidel::new(config).unwrap().solve(&problem, &mut swept).unwrap().is_solved());
    let config = FrictionConfig { tolerance: 1e-6, ..FrictionConfig::default() };
    let solver = PseudoTransient::new(config).unwrap();
    let mut r = vec![0.0; spheres.offset.len()];
    let outcome = solver.solve(&problem, &mut r).unwrap();
    assert!(outcome.is_solved(), "{outcome:?}");
    assert_eq!(outcome.residual, problem.residual(&r));
    spheres.check_law(&r, 1e-6);
}

/// A solver that is asked for nothing but a solution, and again to the same bits.
#[test]
fn what_sweeps_and_patches_leave_is_solved() {
    let spheres = Spheres::read(801);
    let problem = spheres.problem();
    let mut r = vec![0.0; spheres.offset.len()];
    let mut solver = FrictionSolver::new(1e-6).unwrap();
    let outcome = solver.solve(&problem, &mut r).unwrap();
    assert!(outcome.is_solved(), "{outcome:?}");
    spheres.check_law(&r, 1e-6);
    let mut again = vec![0.0; r.len()];
    let _ = solver.solve(&problem, &mut again).unwrap();
    assert!(r.iter().zip(&again).all(|(a, b)| a.to_bits() == b.to_bits()));
    // From a solution nothing is done.
    let before = r.clone();
    let transient = PseudoTransient::new(FrictionConfig { tolerance: 1e-6, ..Default::default() }).unwrap();
    assert_eq!(transient.solve(&problem, &mut r).unwrap().iterations, 0);
    assert_eq!(r, before);
}

/// Where steps that leave the sliding velocity as it is creep.
#[test]
fn pseudo_time_passes_where_interior_points_creep() {
    let spheres = Spheres::read(801);
    let problem = spheres.problem();
    let (mut a, mut b) = (vec![0.0; spheres.offset.len()], vec![0.0; spheres.offset.len()]);
    let config = FrictionConfig { tolerance: 1e-6, ..FrictionConfig::default() };
    let transient = PseudoTransient::new(config).unwrap().solve(&problem, &mut a).unwrap();
    let config = FrictionConfig { tolerance: 1e-6, max_iterations: Some(transient.iterations) };
    let interior = InteriorPoint::new(config).unwrap().solve(&problem, &mut b).unwrap();
    assert!(transient.is_solved() && !interior.is_solved(), "{transient:?} {interior:?}");
}

/// Spheres that were stopped in their fall: sweeps crawl along at a residual of 1e-5, and pseudo-time ends there.
#[test]
fn proximal_points_lead_on_where_sweeps_crawl() {
    let spheres = Spheres::read(716);
    let problem = spheres.problem();
    let mut r = vec![0.0; spheres.offset.len()];
    let config = GaussSeidelConfig { tolerance: 1e-6, max_sweeps: 5000, ..GaussSeidelConfig::default() };
    assert!(!GaussSeidel::new(config).unwrap().solve(&problem, &mut r.clone()).unwrap().is_solved());
    let config = FrictionConfig { tolerance: 1e-6, ..FrictionConfig::default() };
    assert!(!PseudoTransient::new(config).unwrap().solve(&problem, &mut r.clone()).unwrap().is_solved());
    let config = GaussSeidelConfig { tolerance: 1e-6, max_sweeps: 200, ..GaussSeidelConfig::default() };
    let _ = GaussSeidel::new(config).unwrap().solve(&problem, &mut r).unwrap();
    let proximal = ProximalPoint::new(FrictionConfig { tolerance: 1e-6, ..Default::default() }).unwrap();
    let outcome = proximal.solve(&problem, &mut r).unwrap();
    assert!(outcome.is_solved() && outcome.iterations <= 4000, "{outcome:?}");
    assert_eq!(outcome.residual, problem.residual(&r));
    spheres.check_law(&r, 1e-6);
    // From a solution nothing is done.
    let again = proximal.solve(&problem, &mut r).unwrap();
    assert!(again.is_solved() && again.iterations == 0, "{again:?}");
}
