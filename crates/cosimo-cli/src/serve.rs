//! `cosimo serve`: a subsystem for a master in another process, or on another machine.

#[cfg(unix)]
use std::fs::File;
use std::io;
use std::process::Command;

use cosimo::fmi::binary::keep_process;
use cosimo::model::{ModelSpec, serve_model};
use cosimo::transport::{Key, Server, remove_own_folder};

use crate::args::{ModelArgs, ServeArgs};
use crate::failure::Failure;
use crate::{input, log, terminal};

/// Serves the subsystem that a master assigns at standard input, or offers one to masters elsewhere.
pub(crate) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    log::start(0)?;
    keep_process();
    match args.offer() {
        Some((model, subsystem)) => offer(args, &model, subsystem),
        None => serve_assigned(),
    }
}

/// Serves the subsystem that the master assigns, until it closes standard input.
fn serve_assigned() -> Result<(), Failure> {
    let (reader, writer) = take_streams().map_err(Failure::failed)?;
    let served = serve_model(reader, writer).map_err(Failure::failed);
    remove_own_folder();
    served
}

/// Offers a subsystem of a model until the process ends.
fn offer(args: &ServeArgs, model_args: &ModelArgs, subsystem: &str) -> Result<(), Failure> {
    let model = input::read(model_args)?.nearby();
    // What cannot be built is told here, before anybody asks.
    model.build_subsystem(subsystem).map_err(Failure::bad_input)?;
    let key = match &args.key {
        Some(file) => Key::read(file).map_err(|error| {
            Failure::bad_input(format!("cannot read the key `{}`: {error}", file.display()))
        })?,
        None => Key::NONE,
    };
    let (what, path) = (format!("subsystem `{subsystem}`"), model_args.path.display());
    let server = Server::bind(args.listen(), key.clone()).map_err(|error| {
        Failure::bad_input(format!("{what} of `{path}` cannot be served at {}: {error}", args.listen()))
    })?;
    let whom =
        if key.is_secret() { "masters that have the key" } else { "this machine only: there is no key" };
    terminal::line(&format!("serves {what} of `{path}` at {}, to {whom}", server.address()));
    server.serve(|assignment| build(&model, subsystem, assignment)).map_err(Failure::failed)
}

/// Builds the subsystem for a master, and tells of it.
fn build(
    model: &ModelSpec,
    subsystem: &str,
    assignment: &[u8],
) -> Result<Box<dyn cosimo::subsystem::Subsystem>, cosimo::subsystem::SubsystemError> {
    let built = model.build_offered(subsystem, assignment);
    match &built {
        Ok(_) => terminal::line(&format!("a master has taken `{subsystem}`")),
        Err(error) => terminal::line(&format!("warning: a master was refused: {error}")),
    }
    built
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

/// The command of a process that serves a subsystem: this program once more, which logs what this process does.
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
