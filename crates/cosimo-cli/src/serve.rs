//! `cosimo serve`: a subsystem in a process of its own, for a run with `execution = "processes"`.

#[cfg(unix)]
use std::fs::File;
use std::io;
use std::process::Command;

use cosimo::fmi::binary::keep_process;
use cosimo::model::serve_model;
use cosimo::transport::remove_own_folder;

use crate::failure::Failure;
use crate::log;

/// Serves the subsystem that the master assigns, until it closes standard input.
pub(crate) fn serve() -> Result<(), Failure> {
    log::start(0)?;
    keep_process();
    let (reader, writer) = take_streams().map_err(Failure::failed)?;
    let served = serve_model(reader, writer).map_err(Failure::failed);
    remove_own_folder();
    served
}

/// Standard input and output, which nobody else reads from or writes to any more: what a unit prints goes to standard error.
#[cfg(unix)]
fn take_streams() -> io::Result<(File, File)> {
    use std::os::fd::AsFd;
    let own = |stream: std::os::fd::BorrowedFd<'_>| stream.try_clone_to_owned().map(File::from);
    let streams = (own(io::stdin().as_fd())?, own(io::stdout().as_fd())?);
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(streams)
}

/// Standard input and output.
#[cfg(not(unix))]
fn take_streams() -> io::Result<(io::Stdin, io::Stdout)> {
    Ok((io::stdin(), io::stdout()))
}

/// The command of a process that does so: this program once more, which logs what this process does.
pub(crate) fn command() -> Command {
    // Where the system does not say what it runs, it is looked for as usual.
    let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "cosimo".into()));
    command.arg("serve");
    match log::filter() {
        Some(filter) => command.env(log::VARIABLE, filter),
        None => command.env_remove(log::VARIABLE),
    };
    command
}
