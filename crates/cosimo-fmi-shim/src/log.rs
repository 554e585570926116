//! Messages to the host.

use std::ffi::{CStr, CString};

use crate::protocol::Severity;

/// Gives the host a message: how serious, category, text.
pub(crate) type Sink = Box<dyn Fn(&Severity, &CStr, &CStr)>;

/// Where messages go, and which.
pub(crate) struct Log {
    sink: Sink,
    /// Whether messages of `Severity::ALL` are given. Errors always are: a status alone helps nobody.
    on: [bool; 3],
}

impl Log {
    /// Gives messages to `sink`; other than errors only where `on`.
    pub(crate) fn new(sink: Sink, on: bool) -> Self {
        Self { sink, on: [on; 3] }
    }

    /// Gives a message, where the host wants it.
    pub(crate) fn tell(&self, severity: &Severity, text: &str) {
        let wanted = Severity::ALL.iter().zip(self.on).any(|(other, on)| on && other == severity);
        if wanted || *severity == Severity::Error {
            (self.sink)(severity, &c_text(severity.category()), &c_text(text));
        }
    }

    /// Says what went wrong.
    pub(crate) fn error(&self, text: &str) {
        self.tell(&Severity::Error, text);
    }

    /// Turns the messages of some categories on or off, those of all categories where none is named.
    pub(crate) fn set(&mut self, on: bool, categories: &[String]) -> Result<(), String> {
        let all = categories.is_empty() || categories.iter().any(|name| name == "logAll");
        let known =
            |name: &String| name == "logAll" || Severity::ALL.iter().any(|other| other.category() == name);
        if let Some(name) = categories.iter().find(|name| !known(name)) {
            return Err(format!("there is no category `{name}` of log messages"));
        }
        for (severity, own) in Severity::ALL.iter().zip(&mut self.on) {
            if all || categories.iter().any(|name| name == severity.category()) {
                *own = on;
            } else if on {
                *own = false;
            }
        }
        Ok(())
    }
}

/// Text for C, without what would end it early.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}
