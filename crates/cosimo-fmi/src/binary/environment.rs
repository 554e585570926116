//! What a unit may change in this process although it should not.
#![allow(unsafe_code, reason = "signal handlers and the locale are asked of the C library")]

use super::registers::FloatControl;
use std::ffi::{CStr, CString, c_int};
use std::fmt;
use std::mem::MaybeUninit;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A change that a unit made to the process it runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The current directory; undone.
    Directory {
        /// Where the unit went.
        to: PathBuf,
    },
    /// Rounding, denormals or traps of floating point; undone.
    FloatingPoint,
    /// The locale of the C library; undone.
    Locale {
        /// What the unit chose.
        to: String,
    },
    /// The handler of a signal. Undone for the signals by which this process is told to end; the handlers of faults are
    /// left, since the runtimes of managed languages (as Java) in a unit rely on theirs.
    SignalHandler {
        /// The name of the signal.
        signal: &'static str,
        /// Whether it was undone.
        undone: bool,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory { to } => write!(f, "the current directory (to {}; undone)", to.display()),
            Self::FloatingPoint => write!(f, "the rounding, denormals or traps of floating point (undone)"),
            Self::Locale { to } => write!(f, "the locale (to {to}; undone)"),
            Self::SignalHandler { signal, undone: true } => write!(f, "the handler of {signal} (undone)"),
            Self::SignalHandler { signal, undone: false } => write!(f, "the handler of {signal} (left)"),
        }
    }
}

/// The signals watched, and whether their handlers are put back.
const SIGNALS: [(c_int, &str, bool); 13] = [
    (libc::SIGINT, "SIGINT", true),
    (libc::SIGTERM, "SIGTERM", true),
    (libc::SIGQUIT, "SIGQUIT", true),
    (libc::SIGHUP, "SIGHUP", true),
    (libc::SIGPIPE, "SIGPIPE", true),
    (libc::SIGCHLD, "SIGCHLD", true),
    (libc::SIGALRM, "SIGALRM", true),
    (libc::SIGABRT, "SIGABRT", false),
    (libc::SIGSEGV, "SIGSEGV", false),
    (libc::SIGBUS, "SIGBUS", false),
    (libc::SIGILL, "SIGILL", false),
    (libc::SIGFPE, "SIGFPE", false),
    (libc::SIGTRAP, "SIGTRAP", false),
];

/// Calls that are watched happen one at a time in the process, so that a change is blamed on the unit that made it.
static WATCHED: Mutex<()> = Mutex::new(());

/// The process before a call that may take long; [`finish`](Self::finish) compares.
pub(super) struct Guard {
    floats: FloatControl,
    directory: Option<PathBuf>,
    locale: Option<CString>,
    handlers: [Option<libc::sigaction>; SIGNALS.len()],
    _alone: MutexGuard<'static, ()>,
}

impl Guard {
    pub(super) fn begin() -> Self {
        Self {
            _alone: WATCHED.lock().unwrap_or_else(PoisonError::into_inner),
            floats: FloatControl::read(),
            directory: std::env::current_dir().ok(),
            locale: locale(),
            handlers: SIGNALS.map(|(signal, ..)| handler(signal)),
        }
    }

    /// What has changed since, in order of the fields; undone where that is safe.
    pub(super) fn finish(self) -> Vec<Change> {
        let mut changes = Vec::new();
        if FloatControl::read() != self.floats {
            self.floats.write();
            changes.push(Change::FloatingPoint);
        }
        self.compare_directory(&mut changes);
        self.compare_locale(&mut changes);
        self.compare_handlers(&mut changes);
        changes
    }

    fn compare_directory(&self, changes: &mut Vec<Change>) {
        let now = std::env::current_dir().ok();
        if now == self.directory {
            return;
        }
        if let Some(before) = &self.directory
            && let Err(error) = std::env::set_current_dir(before)
        {
            tracing::error!("the current directory cannot be put back to {}: {error}", before.display());
        }
        changes.push(Change::Directory { to: now.unwrap_or_default() });
    }

    fn compare_locale(&self, changes: &mut Vec<Change>) {
        let now = locale();
        if now == self.locale {
            return;
        }
        if let Some(before) = &self.locale {
            // SAFETY: the text is one that the C library gave; calls that change it are made one at a time.
            unsafe { libc::setlocale(libc::LC_ALL, before.as_ptr()) };
        }
        changes.push(Change::Locale { to: now.unwrap_or_default().to_string_lossy().into_owned() });
    }

    fn compare_handlers(&self, changes: &mut Vec<Change>) {
        for ((signal, name, undone), before) in SIGNALS.into_iter().zip(&self.handlers) {
            let (Some(before), Some(now)) = (before, handler(signal)) else { continue };
            if (now.sa_sigaction, now.sa_flags) == (before.sa_sigaction, before.sa_flags) {
                continue;
            }
            if undone {
                // SAFETY: the handler is the one that was in force before.
                unsafe { libc::sigaction(signal, before, std::ptr::null_mut()) };
            }
            changes.push(Change::SignalHandler { signal: name, undone });
        }
    }
}

fn locale() -> Option<CString> {
    // SAFETY: with null the locale is only asked for; the answer is copied before another call can change it.
    unsafe {
        let name = libc::setlocale(libc::LC_ALL, std::ptr::null());
        (!name.is_null()).then(|| CStr::from_ptr(name).to_owned())
    }
}

fn handler(signal: c_int) -> Option<libc::sigaction> {
    let mut found = MaybeUninit::uninit();
    // SAFETY: with null as the new handler only the present one is written to `found`, which success fills.
    unsafe {
        let status = libc::sigaction(signal, std::ptr::null(), found.as_mut_ptr());
        (status == 0).then(|| found.assume_init())
    }
}
