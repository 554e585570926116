//! The job: its first rank builds and places, the others serve.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cosimo::fmi::binary::keep_process;
use cosimo::master::Master;
use cosimo::model::{BuildError, ModelSpec, read_model};
use cosimo::subsystem::SubsystemError;
use cosimo::transport::{Greeting, Pending, TransportError};
use cosimo_mpi::{RankChannel, World, place, serve_ranks};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::launcher::Seat;
use super::trial;
use crate::failure::Failure;
use crate::{server, terminal};

/// Names of subsystems that are told of a rank.
const TOLD: usize = 8;

/// The ranks of a job, seen from the first.
#[derive(Debug)]
pub(crate) struct Ranks {
    world: World,
}

impl Ranks {
    /// Enters the job. A rank other than the first serves, until the first ends the job.
    ///
    /// # Errors
    /// MPI cannot be used, or is not that of `mpirun`.
    pub(super) fn enter(seat: Seat) -> Result<Option<Self>, Failure> {
        let world = World::enter().map_err(Failure::failed)?;
        if world.size() != seat.size {
            let reason = format!(
                "{} processes were started, and MPI knows of {}: mpirun is not that of the MPI library of this build",
                seat.size,
                world.size()
            );
            return if seat.speaks() { Err(Failure::bad_input(reason)) } else { Ok(None) };
        }
        if world.rank() == 0 {
            return Ok(Some(Self { world }));
        }
        serve_master(&world)?;
        Ok(None)
    }

    /// Ends the job after a run that has ended like this. Where a rank does not answer any more, all are killed.
    pub(super) fn end(&self, ended: Result<(), Failure>) -> Result<(), Failure> {
        if self.world.end() {
            return ended;
        }
        if let Err(failure) = &ended {
            terminal::line(&failure.to_string());
        }
        self.world.abort(1)
    }

    /// Builds the model at its start: every subsystem where it costs least time, the others meanwhile on their ranks.
    pub(super) fn build(&self, model: &ModelSpec, is_quiet: bool) -> Result<Master, BuildError> {
        let ranks = place_movable(model, self.world.size());
        if !is_quiet {
            terminal::line(&tell(model, &ranks, self.world.size()));
        }
        let mut greetings = self.greet(model, &ranks).map_err(BuildError::Remote)?;
        let mut elsewhere = |name: &str| Some(Box::new(greetings.remove(name)?) as Box<dyn Pending>);
        model.assemble(model.build_subsystems_placed(&server::command, &mut elsewhere)?)
    }

    /// Tells the other ranks the model, and what is theirs.
    fn greet<'m>(
        &self,
        model: &'m ModelSpec,
        ranks: &[Option<usize>],
    ) -> Result<BTreeMap<&'m str, Greeting<RankChannel>>, SubsystemError> {
        let mut greetings = BTreeMap::new();
        let lost = |subsystem: &str, error: TransportError| SubsystemError::Disconnected {
            subsystem: subsystem.to_owned(),
            reason: error.to_string(),
        };
        for (i, (subsystem, rank)) in model.subsystems.iter().zip(ranks).enumerate() {
            let (Some(rank @ 1..), name) = (*rank, subsystem.name.as_str()) else { continue };
            if greetings.is_empty() {
                self.world.share(model.to_toml().as_bytes()).map_err(|error| lost(name, error))?;
            }
            let channel = RankChannel::new(&self.world, rank, i).map_err(|error| lost(name, error))?;
            let mut greeting =
                Greeting::new(name, channel, name.as_bytes().to_vec(), model.placement.deadline());
            greeting.send()?;
            greetings.insert(name, greeting);
        }
        Ok(greetings)
    }
}

/// The rank of each subsystem, none of those that need a process of their own.
fn place_movable(model: &ModelSpec, ranks: usize) -> Vec<Option<usize>> {
    let (costs, movable) = (trial::measure(model), model.movable());
    let moved = costs.subsystems.iter().zip(&movable).filter(|(_, movable)| **movable);
    let moved: Vec<f64> = moved.map(|(cost, _)| *cost).collect();
    let mut placed = place(&moved, costs.master, ranks).into_iter();
    movable.into_iter().map(|movable| if movable { placed.next() } else { None }).collect()
}

/// Where the subsystems are, in one line.
fn tell(model: &ModelSpec, placed: &[Option<usize>], ranks: usize) -> String {
    let on = |rank: Option<usize>| {
        let own = model.subsystems.iter().zip(placed).filter(|(_, own)| **own == rank);
        let names: Vec<&str> = own.map(|(subsystem, _)| subsystem.name.as_str()).collect();
        let told = names[..names.len().min(TOLD)].join(", ");
        match names.len() {
            0 => "none".to_owned(),
            count if count > TOLD => format!("{told} and {} more", count - TOLD),
            _ => told,
        }
    };
    let mut parts: Vec<String> = (0..ranks).map(|rank| format!("{rank}: {}", on(Some(rank)))).collect();
    if placed.contains(&None) {
        parts.push(format!("in processes of their own: {}", on(None)));
    }
    format!("subsystems on {ranks} ranks: {}", parts.join("; "))
}

/// What the other ranks do.
fn serve_master(world: &World) -> Result<(), Failure> {
    // The first rank is told too, and ends the job when its results are written.
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, Arc::new(AtomicBool::new(false))).map_err(Failure::failed)?;
    }
    keep_process();
    let Some(text) = world.shared().map_err(Failure::failed)? else { return Ok(()) };
    let text = String::from_utf8_lossy(&text);
    let model = read_model("model", &text, &[]);
    let make = |name: &[u8]| {
        let name = String::from_utf8_lossy(name);
        let bad = |reason: String| SubsystemError::BadDescription { subsystem: name.to_string(), reason };
        let (model, _) = model.as_ref().map_err(|mistakes| bad(mistakes.to_string()))?;
        model.build_subsystem(&name).map_err(|error| bad(SubsystemError::chain(&error)))
    };
    serve_ranks(world, make).map_err(Failure::failed)
}
