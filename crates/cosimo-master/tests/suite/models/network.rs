//! Networks of point masses and springs, cut into one subsystem a mass and in one piece.
#![allow(dead_code, reason = "each test file uses some of the models")]
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig};
use cosimo_native::MechanismBuilder;
use cosimo_subsystem::Subsystem;
use nalgebra::DMatrix;

/// Stiffness (N/m) of the springs.
pub(crate) const STIFFNESS: f64 = 1e3;

/// Point masses in space, joined pairwise.
pub(crate) struct Network {
    pub(crate) masses: Vec<f64>,
    pub(crate) joints: Vec<(usize, usize)>,
}

impl Network {
    pub(crate) fn chain(count: usize) -> Self {
        Self::new(count, (1..count).map(|i| (i - 1, i)).collect())
    }

    pub(crate) fn ring(count: usize) -> Self {
        Self::new(count, (0..count).map(|i| (i, (i + 1) % count)).collect())
    }

    pub(crate) fn grid(side: usize) -> Self {
        let right = (0..side * side).filter(|i| i % side + 1 < side).map(|i| (i, i + 1));
        let down = (0..side * (side - 1)).map(|i| (i, i + side));
        Self::new(side * side, right.chain(down).collect())
    }

    fn new(count: usize, joints: Vec<(usize, usize)>) -> Self {
        Self { masses: (0..count).map(|i| 1.0 + 0.3 * (i % 4) as f64).collect(), joints }
    }

    /// Position (m) and velocity (m/s) of coordinate `k` of mass `i` at the start.
    pub(crate) fn start(i: usize, k: usize) -> (f64, f64) {
        let phase = (3 * i + k) as f64;
        (0.1 * phase.sin(), 0.5 * (1.7 * phase).cos())
    }

    /// Names of the ports of all masses, one per joint.
    fn ports(&self) -> Vec<Vec<String>> {
        let mut ports = vec![Vec::new(); self.masses.len()];
        for (j, (a, b)) in self.joints.iter().enumerate() {
            ports[*a].push(format!("p{j}"));
            ports[*b].push(format!("p{j}"));
        }
        ports
    }

    /// One subsystem a mass with initial states by `start`.
    pub(crate) fn subsystems(&self, start: impl Fn(usize, usize) -> (f64, f64)) -> Vec<Box<dyn Subsystem>> {
        let build = |(i, ports): (usize, Vec<String>)| {
            let system = LinearSystem::new(DMatrix::from_diagonal_element(3, 3, self.masses[i])).unwrap();
            let specs: Vec<(&str, usize)> = ports.iter().map(|name| (name.as_str(), 3)).collect();
            let rows = (0..3 * ports.len()).map(|row| LinearRow::coordinate(row % 3)).collect();
            let (q, v): (Vec<_>, Vec<_>) = (0..3).map(|k| start(i, k)).unzip();
            let builder = MechanismBuilder::new(format!("m{i}"), system)
                .with_ports(&specs, LinearRows(rows))
                .with_initial_state(q, v);
            builder.build().unwrap()
        };
        // All are built before any is boxed: so they stand side by side in the memory.
        let masses: Vec<_> = self.ports().into_iter().enumerate().map(build).collect();
        masses.into_iter().map(|mass| -> Box<dyn Subsystem> { Box::new(mass) }).collect()
    }

    /// One interface a joint.
    pub(crate) fn interfaces(&self, law: impl Fn(usize) -> InterfaceLaw) -> Vec<Interface> {
        let interface = |(j, (a, b)): (usize, &(usize, usize))| {
            Interface::new(format!("j{j}"), format!("m{a}.p{j}"), format!("m{b}.p{j}"), law(j))
        };
        self.joints.iter().enumerate().map(interface).collect()
    }

    /// The masses joined by springs.
    pub(crate) fn springs(&self, config: MasterConfig) -> Master {
        let interfaces = self.interfaces(|_| InterfaceLaw::spring(STIFFNESS, 0.0, 3));
        Master::new(self.subsystems(Self::start), interfaces, config, 0.0).unwrap()
    }

    /// Masses and springs as one subsystem.
    pub(crate) fn whole(&self) -> Master {
        let n = 3 * self.masses.len();
        let mass = DMatrix::from_fn(n, n, |i, j| if i == j { self.masses[i / 3] } else { 0.0 });
        let mut stiffness = DMatrix::zeros(n, n);
        for (a, b) in &self.joints {
            for k in 0..3 {
                let (i, j) = (3 * a + k, 3 * b + k);
                stiffness[(i, i)] += STIFFNESS;
                stiffness[(j, j)] += STIFFNESS;
                stiffness[(i, j)] -= STIFFNESS;
                stiffness[(j, i)] -= STIFFNESS;
            }
        }
        let system = LinearSystem::new(mass).unwrap().with_stiffness(stiffness).unwrap();
        let (q, v): (Vec<_>, Vec<_>) = (0..n).map(|i| Self::start(i / 3, i % 3)).unzip();
        let rows = (0..n).map(LinearRow::coordinate).collect();
        let names: Vec<String> = (0..n / 3).map(|i| format!("m{i}")).collect();
        let specs: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 3)).collect();
        let builder = MechanismBuilder::new("whole", system)
            .with_ports(&specs, LinearRows(rows))
            .with_initial_state(q, v);
        Master::new(vec![Box::new(builder.build().unwrap())], vec![], MasterConfig::default(), 0.0).unwrap()
    }
}

/// Positions of all masses of a network, three a mass.
pub(crate) fn positions(master: &Master) -> Vec<f64> {
    master.subsystems().iter().flat_map(|s| s.rows().positions[..3].to_vec()).collect()
}
