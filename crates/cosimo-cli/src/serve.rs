//! `cosimo serve`: a subsystem for a master in another process, or on another machine.

#[cfg(unix)]
use std::fs::File;
use std::io;

use cosimo::fmi::binary::keep_process;
use cosimo::model::{Offered, serve_model};
use cosimo::subsystem::{Subsystem, SubsystemError};
use cosimo::transport::{Key, Offering, Server, remove_own_folder};

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

/// Where a server listens by default.
const LISTEN: &str = "127.0.0.1:7400";

/// Offers a subsystem of a model until the process ends.
fn offer(args: &ServeArgs, model_args: &ModelArgs, subsystem: &str) -> Result<(), Failure> {
    let model = input::read(model_args)?.nearby();
    // What cannot be built is told here, before anybody asks.
    model.build_subsystem(subsystem).map_err(Failure::bad_input)?;
    let offered = model.offered(subsystem).map_err(Failure::bad_input)?;
    let what = format!("subsystem `{subsystem}` of `{}`", model_args.path.display());
    let told = Told { offered: &offered, subsystem };
    match &args.zenoh {
        Some(key) => offer_by_name(args, (&what, key), told),
        None => offer_at_address(args, &what, told),
    }
}

/// Offers it over TCP.
fn offer_at_address(args: &ServeArgs, what: &str, told: Told<'_>) -> Result<(), Failure> {
    let address = match &args.listen[..] {
        [] => LISTEN,
        [address] => address,
        _ => return Err(Failure::bad_input("over TCP a server listens at one address: give --listen once")),
    };
    let key = match &args.key {
        Some(file) => Key::read(file).map_err(|error| {
            Failure::bad_input(format!("cannot read the key `{}`: {error}", file.display()))
        })?,
        None => Key::NONE,
    };
    let whom =
        if key.is_secret() { "masters that have the key" } else { "this machine only: there is no key" };
    let server = Server::bind(address, key)
        .map_err(|error| Failure::bad_input(format!("{what} cannot be served at {address}: {error}")))?;
    terminal::line(&format!("serves {what} at {}, to {whom}", server.address()));
    server.serve_checked(told).map_err(Failure::failed)
}

/// Offers it over a network of zenoh.
#[cfg(feature = "zenoh")]
fn offer_by_name(args: &ServeArgs, (what, key): (&str, &str), told: Told<'_>) -> Result<(), Failure> {
    use cosimo::zenoh::{Network, Settings};
    let settings = args.connect.iter().fold(Settings::new(), |own, endpoint| own.connect(endpoint));
    let settings = args.listen.iter().fold(settings, |own, endpoint| own.listen(endpoint));
    let settings = args.config.iter().fold(settings, |own, file| own.file(file));
    let network = Network::open(&settings).map_err(Failure::bad_input)?;
    terminal::line(&format!("serves {what} as `{key}`"));
    network.offer_checked(key, told).map_err(Failure::bad_input)
}

#[cfg(not(feature = "zenoh"))]
fn offer_by_name(_args: &ServeArgs, (what, _key): (&str, &str), _told: Told<'_>) -> Result<(), Failure> {
    let reason = "this program was built without it: build it with `--features zenoh`";
    Err(Failure::bad_input(format!("{what} cannot be served over zenoh: {reason}")))
}

/// What is offered, with a line for every master that takes it or is refused.
struct Told<'o> {
    offered: &'o Offered<'o>,
    subsystem: &'o str,
}

impl Offering for Told<'_> {
    fn check(&self, assignment: &[u8]) -> Result<(), SubsystemError> {
        self.offered.check(assignment).inspect_err(tell_of_refusal)
    }

    fn make(&self, assignment: &[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> {
        let built = self.offered.build(assignment).inspect_err(tell_of_refusal)?;
        terminal::line(&format!("a master has taken `{}`", self.subsystem));
        Ok(built)
    }
}

fn tell_of_refusal(error: &SubsystemError) {
    terminal::line(&format!("warning: a master was refused: {error}"));
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
