//! Many chains of links, which have something to compute, and what their steps cost.
#![allow(dead_code, reason = "each test file uses some of the models")]
#![expect(clippy::unwrap_used, reason = "tests")]

use std::time::Instant;

use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig, NoObserver};
use cosimo_multibody::planar::{Body, Pin, PlanarModel, Point};
use cosimo_native::{PlanarBuilder, PlanarPort};
use cosimo_subsystem::Subsystem;

/// Size of a step (s).
const H: f64 = 1e-3;

/// What joins the tips of two chains.
#[derive(Clone, Copy)]
pub(crate) enum Joints {
    Springs,
    Pins,
}

/// Chains of links, joined in pairs.
#[derive(Clone, Copy)]
pub(crate) struct Chains {
    pub(crate) count: usize,
    pub(crate) links: usize,
    pub(crate) joints: Joints,
}

impl Chains {
    pub(crate) fn name(self) -> String {
        let joints = match self.joints {
            Joints::Springs => "springs",
            Joints::Pins => "pins",
        };
        format!("{}x{} {joints}", self.count, self.links)
    }

    pub(crate) fn build(self, threads: u32) -> Master {
        let chains = (0..self.count).map(|i| self.chain(i)).collect();
        let joint = |i: usize| {
            let law = match self.joints {
                Joints::Springs => InterfaceLaw::spring(100.0, 1.0, 1),
                Joints::Pins => InterfaceLaw::Rigid,
            };
            Interface::new(format!("j{i}"), format!("c{}.tip", 2 * i), format!("c{}.tip", 2 * i + 1), law)
        };
        let config = MasterConfig { threads, tolerance: 1e-6, ..MasterConfig::default() };
        Master::new(chains, (0..self.count / 2).map(joint).collect(), config, 0.0).unwrap()
    }

    /// A chain of planar links that falls from the horizontal, with a port at its tip; the chains have masses of their own.
    fn chain(self, i: usize) -> Box<dyn Subsystem> {
        let mut model = PlanarModel::new([0.0, -10.0]);
        for k in 0..self.links {
            let mass = 1.0 + 0.01 * (i % 7) as f64 * k as f64;
            let link = Body::new(format!("link{k}"), mass, 0.1).with_pose([k as f64 + 0.5, 0.0], 0.0);
            let before = match k {
                0 => Point::ground([0.0, 0.0]),
                _ => Point::on(format!("link{}", k - 1), [0.5, 0.0]),
            };
            let pin = Pin::new(format!("pin{k}"), Point::on(format!("link{k}"), [-0.5, 0.0]), before);
            model = model.with_body(link).with_pin(pin);
        }
        let tip = Point::on(format!("link{}", self.links - 1), [0.5, 0.0]);
        let tip = match self.joints {
            Joints::Springs => PlanarPort::along(tip, [0.0, 1.0]),
            Joints::Pins => PlanarPort::point(tip),
        };
        let chain = PlanarBuilder::new(format!("c{i}"), model.build().unwrap());
        Box::new(chain.with_port("tip", tip).build().unwrap())
    }
}

/// What a step takes (s).
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) wall: f64,
    /// Processor time of all threads.
    pub(crate) processors: f64,
    /// What the master does between the calls that are shared; on one thread what it does before and after each call, too.
    pub(crate) alone: f64,
}

impl Cost {
    pub(crate) const MOST: Self =
        Self { wall: f64::INFINITY, processors: f64::INFINITY, alone: f64::INFINITY };

    /// That of a run of so many steps by so many threads.
    pub(crate) fn of_run(threads: u32, model: Chains, steps: u32) -> Self {
        let mut master = model.build(threads);
        let start = Instant::now();
        let report = master.run(f64::from(steps) * H, H, &mut NoObserver).unwrap();
        let wall = start.elapsed().as_secs_f64();
        let alone = report.master.total() - report.master.threads + report.recording.total();
        let calls: f64 = report.subsystems.iter().map(|own| own.seconds.total()).sum();
        let per_step = |seconds: f64| seconds / f64::from(steps);
        Self {
            wall: per_step(wall),
            processors: per_step(calls + report.master.threads + alone),
            alone: per_step(alone),
        }
    }

    pub(crate) fn least(self, other: Self) -> Self {
        Self {
            wall: self.wall.min(other.wall),
            processors: self.processors.min(other.processors),
            alone: self.alone.min(other.alone),
        }
    }
}
