//! The `cosimo` command: runs and checks model files.
//!
//! Exit codes: 0 done, 1 the run failed, 2 bad input, 130 stopped by Ctrl-C, 143 by SIGTERM. Standard output has the table of a run,
//! of modes, of a study or of checks, how many runs of a sweep ended how, what is in an FMU, the model that was checked, or the messages of a subsystem that is served; everything else goes to standard error.

mod args;
mod check;
mod converge;
mod convert;
mod export;
mod failure;
mod fmu;
mod input;
mod interrupt;
mod log;
mod modes;
mod notices;
mod numbers;
mod progress;
mod ranks;
mod report;
mod run;
mod serve;
mod server;
mod solve;
mod start;
mod sub_run;
mod sweep;
mod system;
mod terminal;
mod verify;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser;
use failure::Failure;
use ranks::Seat;

/// Puts what is of one size side by side, however it was interleaved when it was made: the parts of ten thousand subsystems
/// are then fetched in the order of the memory, and their steps take two thirds of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let seat = Seat::of_this_process();
    let args = match Args::try_parse() {
        Ok(args) => args,
        // One says it for all that were started together.
        Err(_) if !ranks::speaks() => return ExitCode::SUCCESS,
        Err(error) => error.exit(),
    };
    if !matches!(args.command, Command::Run(_) | Command::Serve(_)) {
        log::keep_silent();
    }
    let done = match ranks::admit(&args.command, seat) {
        Ok(true) => execute(&args.command),
        refused => refused.map(drop),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::line(&failure.to_string());
            failure.exit_code()
        }
    }
}

fn execute(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Run(run) => run::run(run),
        Command::Convert(conversion) => convert::convert(conversion),
        Command::Report(page) => report::report(page),
        Command::Check(check) => check::check(check),
        Command::Modes(modes) => modes::modes(modes),
        Command::Converge(converge) => converge::converge(converge),
        Command::Sweep(sweep) => sweep::sweep(sweep),
        Command::Verify(verify) => verify::verify(verify),
        Command::Solve(solve) => solve::solve(solve),
        Command::Fmu(unit) => fmu::fmu(unit),
        Command::Export(export) => export::export(export),
        Command::ServeUnit(unit) => export::serve_unit(unit),
        Command::Serve(offer) => serve::serve(offer),
    }
}
