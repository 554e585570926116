//! The process that holds the model, one for each instance.
//!
//! Its standard input is a socket that it also answers to, so what it prints is no part of the dialogue. Writing to a socket
//! raises no signal in the host when the process is gone (the standard library sees to that from Rust 1.90 on). A group of its
//! own keeps an interrupt from the keyboard to the host, who ends the process by closing the socket.

use std::io::{self, BufReader};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::protocol::{Answer, Request, Sheet, receive, send};
use crate::start::start;
use crate::tail::Tail;

/// How long a server may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// A running server.
pub(crate) struct Server {
    child: Child,
    stream: Option<BufReader<UnixStream>>,
    tail: Tail,
    buffer: Vec<u8>,
}

impl Server {
    /// Starts the server that the resources of an FMU hold.
    pub(crate) fn start(sheet: &Sheet, resources: &Path) -> Result<Self, String> {
        let folder = resources.to_str().ok_or("the path of the resources is no UTF-8")?;
        let arguments: Vec<String> = sheet.arguments_in(folder).collect();
        let failed = |error: io::Error| format!("no server can be started: {error}");
        let (own, its) = UnixStream::pair().map_err(failed)?;
        let (read, write) = io::pipe().map_err(failed)?;
        let tail = Tail::of(read).map_err(failed)?;
        let child = start(&resources.join(&sheet.server), |executable| {
            let mut command = Command::new(executable);
            command.args(&arguments).current_dir(resources).process_group(0);
            command.stdin(OwnedFd::from(its.try_clone()?));
            command.stdout(write.try_clone()?).stderr(write.try_clone()?);
            command.spawn()
        });
        // Who waits for the end of the streams waits for the process alone.
        drop((its, write));
        Ok(Self { child: child?, stream: Some(BufReader::new(own)), tail, buffer: Vec::new() })
    }

    /// Whether it still answers, as far as is known.
    pub(crate) fn alive(&self) -> bool {
        self.stream.is_some()
    }

    /// Asks the server. An error says how it has ended.
    pub(crate) fn ask(&mut self, request: &Request) -> Result<Answer, String> {
        let Some(stream) = &mut self.stream else {
            return Err("the process of the model has ended".to_owned());
        };
        let answer = send(stream.get_mut(), request, &mut self.buffer)
            .and_then(|()| receive::<Answer>(stream, &mut self.buffer))
            .and_then(|answer| answer.ok_or_else(|| io::ErrorKind::UnexpectedEof.into()));
        answer.map_err(|error| self.obituary(&error))
    }

    /// Ends the server and tells how it has come to that.
    fn obituary(&mut self, error: &io::Error) -> String {
        let status = match self.end() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let mut text = match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => {
                format!("the process of the model has ended ({status})")
            }
            _ => format!("the process of the model was ended ({status}): {error}"),
        };
        let lines = self.tail.last_lines();
        if !lines.is_empty() {
            text += "; its last lines are\n";
            text += &lines;
        }
        text
    }

    /// Closes the socket, waits for the process a while, and kills it then.
    fn end(&mut self) -> io::Result<ExitStatus> {
        self.stream = None;
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.child.kill()?;
        self.child.wait()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // There is nobody to tell.
        let _ = self.end();
    }
}
