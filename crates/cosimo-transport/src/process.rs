//! The transport to a child process.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use cosimo_subsystem::SubsystemError;
use crossbeam_channel::{Receiver, Sender, bounded};
use tempfile::TempDir;

use crate::channel::Channel;
use crate::exchange::{ChannelSubsystem, Greeting};
use crate::folder;
use crate::stream::Key;
use crate::transport::TransportError;

/// A subsystem in a process of its own, which [serves](crate::serve) it at its standard input and output.
///
/// The process is ended and waited for when this is dropped; one that then crashes, or ends with a status that is no success, is an
/// error told to the subscriber of [`tracing`]. Its standard error passes through to that of this process, lines that start with
/// `warning: ` as warnings to the subscriber where there is one. Its temporary files are in a folder of its own, which disappears with it.
pub type ProcessSubsystem = ChannelSubsystem<ProcessChannel>;

impl ProcessSubsystem {
    /// Starts a process and greets it; every answer, that to the greeting included, may take `deadline`.
    ///
    /// Standard input, output and error of the command are replaced. On unix the process has a group of its own, so that
    /// Ctrl-C at the terminal reaches the master alone.
    ///
    /// # Errors
    /// [`SubsystemError::Disconnected`]: the process cannot be started, or has ended. [`SubsystemError::Protocol`]: it
    /// speaks another version, or writes what is no message. [`SubsystemError::TimedOut`]. Until the subsystem has
    /// introduced itself, they name it by the program.
    pub fn spawn(command: Command, deadline: Duration) -> Result<Self, SubsystemError> {
        let name = command.get_program().to_string_lossy().into_owned();
        Self::spawn_assigned(&name, command, Vec::new(), deadline)
    }

    /// The same for a process that [makes](crate::serve_assigned) its subsystem of an `assignment`. Errors before the
    /// subsystem has introduced itself name it `name`.
    ///
    /// # Errors
    /// As [`spawn`](Self::spawn), and why no subsystem can be made.
    pub fn spawn_assigned(
        name: &str,
        command: Command,
        assignment: Vec<u8>,
        deadline: Duration,
    ) -> Result<Self, SubsystemError> {
        ProcessChannel::greet(name, command, assignment, deadline)?.finish()
    }
}

/// How long a process may take to end when its standard input has.
const GRACE: Duration = Duration::from_secs(1);

#[cfg(unix)]
type Streams = crate::stream::Framed<crate::stream::Descriptors>;
#[cfg(not(unix))]
type Streams = crate::stream::CarriedChannel;

/// Messages over the standard input and output of a process.
#[derive(Debug)]
pub struct ProcessChannel {
    name: String,
    /// None once they are closed.
    streams: Option<Streams>,
    process: Process,
    /// Answers that are due, and whether any has come.
    due: u32,
    is_greeted: bool,
}

impl ProcessChannel {
    /// Starts a process, which is to make its subsystem of an `assignment`, and waits for nothing: several start side by side.
    ///
    /// # Errors
    /// [`SubsystemError::Disconnected`]: the process cannot be started.
    pub fn greet(
        name: &str,
        command: Command,
        assignment: Vec<u8>,
        deadline: Duration,
    ) -> Result<Greeting<Self>, SubsystemError> {
        let channel = Self::spawn(name, command).map_err(|error| error.of(name, "hello", deadline))?;
        Ok(Greeting::new(name, channel, assignment, deadline))
    }

    /// Starts a process.
    ///
    /// # Errors
    /// [`TransportError::Disconnected`]: it cannot be started.
    pub fn spawn(name: &str, mut command: Command) -> Result<Self, TransportError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let lost = |reason: String| TransportError::Disconnected(reason);
        let folder = folder::give(&mut command);
        let mut child = command.spawn().map_err(|error| {
            lost(format!("its process `{}` cannot be started: {error}", command.get_program().display()))
        })?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(lost("its process has no standard streams".to_owned()));
        };
        let process = Process { child, last_line: pass_through(errors)?, _folder: folder };
        let mut channel = Self { name: name.to_owned(), streams: None, process, due: 0, is_greeted: false };
        channel.streams = Some(open(name, output, input).map_err(|error| channel.explain(error))?);
        Ok(channel)
    }

    /// A failure with what is known of the process, which gets no more requests.
    fn explain(&mut self, error: TransportError) -> TransportError {
        match error {
            TransportError::Disconnected(_) | TransportError::Ended => {
                TransportError::Disconnected(self.process.account())
            }
            other => other,
        }
    }
}

/// The master's end of the streams of a process.
#[cfg(unix)]
fn open(_name: &str, output: ChildStdout, input: ChildStdin) -> Result<Streams, TransportError> {
    let streams = crate::stream::Descriptors::new(output.into(), input.into());
    let streams = streams.map_err(|error| TransportError::Disconnected(error.to_string()))?;
    crate::stream::Framed::master(streams, &Key::NONE, GRACE)
}

#[cfg(not(unix))]
fn open(name: &str, output: ChildStdout, input: ChildStdin) -> Result<Streams, TransportError> {
    Streams::open(name, output, input, &Key::NONE)
}

impl Channel for ProcessChannel {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        self.due += 1;
        let streams = self.streams.as_mut().ok_or(TransportError::Ended)?;
        streams.send(message, deadline).map_err(|error| self.explain(error))
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        let streams = self.streams.as_mut().ok_or(TransportError::Ended)?;
        streams.receive(message, deadline).map_err(|error| self.explain(error))?;
        self.due = self.due.saturating_sub(1);
        self.is_greeted = true;
        Ok(())
    }

    fn expect_at_most(&mut self, length: usize) {
        if let Some(streams) = &mut self.streams {
            streams.expect_at_most(length);
        }
    }

    fn seconds(&self) -> f64 {
        self.streams.as_ref().map_or(0.0, Channel::seconds)
    }
}

impl Drop for ProcessChannel {
    /// Closes its standard input, on which it should end, and ends it where it does not, or an answer is still due.
    fn drop(&mut self) {
        self.streams = None;
        if self.due > 0 || !self.is_greeted {
            return self.process.end(Duration::ZERO);
        }
        match self.process.wait(GRACE) {
            Some(status) if status.success() => drop(self.process.last_line()),
            Some(_) => {
                tracing::error!("subsystem `{}` failed at its end: {}", self.name, self.process.account())
            }
            None => self.process.end(Duration::ZERO),
        }
    }
}

/// A child, and the last line that it writes to its standard error.
#[derive(Debug)]
struct Process {
    child: Child,
    last_line: Receiver<String>,
    /// Its temporary files: removed after it has ended.
    _folder: Option<TempDir>,
}

impl Process {
    /// How the process ended, once its streams have.
    fn account(&mut self) -> String {
        let ended = match self.wait(GRACE) {
            Some(status) => format!("its process ended with {status}"),
            None => {
                self.end(Duration::ZERO);
                "its process closed its streams".to_owned()
            }
        };
        match self.last_line() {
            Some(line) => format!("{ended}; its last line of standard error: {line}"),
            None => ended,
        }
    }

    /// The last line of its standard error, once that has ended and all of it was passed through; none where it was silent.
    fn last_line(&self) -> Option<String> {
        self.last_line.recv_timeout(GRACE).ok().filter(|line| !line.is_empty())
    }

    /// Waits at most so long for the process to end.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if started.elapsed() < patience => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }

    /// Ends the process if it has not ended by itself within `patience`.
    fn end(&mut self, patience: Duration) {
        if self.wait(patience).is_none() {
            // What fails here has ended already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Longest piece of a line that is passed through at once (bytes).
const PIECE: u64 = 4096;

/// What a line of standard error starts with that is a warning, for whoever listens to those of this process too.
const WARNING: &str = "warning: ";

/// Passes the standard error of a process through to that of this process, warnings to the subscriber of [`tracing`] where there is one,
/// and gives the last line that is no warning at its end.
fn pass_through(errors: impl Read + Send + 'static) -> Result<Receiver<String>, TransportError> {
    let (send, last_line) = bounded(1);
    let pass = move || pass_lines(errors, &send);
    let started = std::thread::Builder::new().name("standard error".to_owned()).spawn(pass);
    started
        .map_err(|error| TransportError::Disconnected(format!("its thread cannot be started: {error}")))?;
    Ok(last_line)
}

/// Passes on warnings and other lines until the errors end, and then sends the last line that is news.
fn pass_lines(errors: impl Read, send: &Sender<String>) {
    let (mut errors, mut piece, mut last) = (BufReader::new(errors), Vec::new(), String::new());
    while errors.by_ref().take(PIECE).read_until(b'\n', &mut piece).is_ok_and(|count| count > 0) {
        let line = String::from_utf8_lossy(&piece);
        let line = line.trim();
        match line.strip_prefix(WARNING).filter(|_| tracing::dispatcher::has_been_set()) {
            Some(warning) => tracing::warn!("{warning}"),
            None => {
                // Who cannot be shown anything is not helped by an error either.
                let _ = std::io::stderr().write_all(&piece);
                // How to see more of a panic is no news of the process.
                if !line.is_empty() && !line.starts_with("note: run with") {
                    line.clone_into(&mut last);
                }
            }
        }
        piece.clear();
    }
    let _ = send.send(last);
}
