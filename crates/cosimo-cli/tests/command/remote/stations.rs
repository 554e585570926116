//! Servers of subsystems for tests.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::spawn;
use std::time::Duration;

use cosimo::model::{Override, read_model, read_text};

use super::Scratch;

/// What both ends have.
const KEY: &str = "a key that nobody can guess, as far as these tests go";

/// A process that serves a subsystem; it ends with this.
pub(super) struct Station {
    pub(super) subsystem: String,
    pub(super) address: String,
    command: Vec<String>,
    folder: PathBuf,
    process: Option<Child>,
    /// Lines that it says while it serves.
    lines: Option<Receiver<String>>,
}

impl Station {
    /// Starts to serve, at an address that is free.
    pub(super) fn start(scratch: &Scratch, model: &Path, subsystem: &str, sets: &[&str]) -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let model = model.to_str().unwrap();
        let mut command =
            vec!["serve", model, "--subsystem", subsystem, "--listen", &address, "--key", "key"];
        command.extend(sets.iter().flat_map(|set| ["--set", set]));
        let command = command.into_iter().map(str::to_owned).collect();
        let folder = scratch.path("");
        let subsystem = subsystem.to_owned();
        let mut station = Self { subsystem, address, command, folder, process: None, lines: None };
        station.serve();
        station
    }

    /// Starts to serve anew where it did.
    pub(super) fn serve(&mut self) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cosimo"));
        command.current_dir(&self.folder).args(&self.command).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut errors = BufReader::new(process.stderr.take().unwrap());
        // Warnings come first.
        let lines = errors.by_ref().lines().map_while(Result::ok);
        let said: Vec<String> = lines.take_while(|line| !line.starts_with("serves")).collect();
        assert!(process.try_wait().unwrap().is_none(), "{}", said.join("\n"));
        // What else it says is read, so that it can go on.
        let (say, lines) = channel();
        spawn(move || errors.lines().map_while(Result::ok).try_for_each(|line| say.send(line)));
        self.lines = Some(lines);
        self.process = Some(process);
    }

    pub(super) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            process.wait().unwrap();
        }
    }

    /// What it has said up to a line with this, which is waited for.
    pub(super) fn said(&self, expected: &str) -> String {
        let lines = self.lines.as_ref().unwrap();
        let mut said = String::new();
        while let Ok(line) = lines.recv_timeout(Duration::from_secs(20)) {
            said.push_str(&line);
            if line.contains(expected) {
                break;
            }
        }
        said
    }

    /// Sends it a signal.
    pub(super) fn signal(&self, name: &str) {
        let id = self.process.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

impl Drop for Station {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Servers of all subsystems of a model, and what the master is told of them.
pub(super) struct Stations<'s> {
    scratch: &'s Scratch,
    model: PathBuf,
    sets: Vec<String>,
    pub(super) all: Vec<Station>,
}

impl<'s> Stations<'s> {
    pub(super) fn of(scratch: &'s Scratch, model: &Path, sets: &[&str]) -> Self {
        std::fs::write(scratch.path("key"), KEY).unwrap();
        let (text, name) = (read_text(model).unwrap(), model.to_str().unwrap());
        // Stops stand for subsystems that the file does not name.
        let is_named = |subsystem: &String| {
            let set = Override::parse(&format!("subsystem.{subsystem}.remote={{ tcp = 'a:1' }}")).unwrap();
            read_model(name, &text, &[set]).is_ok()
        };
        let names = read_model(name, &text, &[]).unwrap().0.subsystems.into_iter().map(|own| own.name);
        let named = names.filter(is_named);
        let all = named.map(|subsystem| Station::start(scratch, model, &subsystem, sets)).collect();
        let sets = sets.iter().map(|set| (*set).to_owned()).collect();
        Self { scratch, model: model.to_owned(), sets, all }
    }

    /// The command of a run over these servers.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let addresses = self.all.iter().map(|station| station.address.clone()).collect::<Vec<_>>();
        self.command_over(&addresses, arguments)
    }

    /// The same over other ways to them.
    pub(super) fn command_over(&self, addresses: &[String], arguments: &[&str]) -> Command {
        let key = self.scratch.path("key");
        let remote = |(station, address): (&Station, &String)| {
            format!(
                "subsystem.{}.remote={{ tcp = '{address}', key = '{}' }}",
                station.subsystem,
                key.display()
            )
        };
        let remotes: Vec<String> = self.all.iter().zip(addresses).map(remote).collect();
        let mut all = vec!["run", self.model.to_str().unwrap()];
        all.extend(self.sets.iter().chain(&remotes).flat_map(|set| ["--set", set]));
        all.extend(arguments);
        self.scratch.command(&all)
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}
