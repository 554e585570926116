//! The configuration of zenoh.
//!
//! What the settings say comes first, then the file, then what is ours: no search by multicast or gossip, and connections that are tried again
//! soon.

use std::path::Path;

use zenoh::Config;

use crate::endpoint::Endpoint;
use crate::error::NetworkError;
use crate::frame::AROUND;
use crate::mailbox::LONGEST;
use crate::settings::Settings;

/// Messages of life in the time that a machine may be silent.
const KEEP_ALIVE: u32 = 8;

/// Bytes of a message that zenoh adds itself, at most.
const OF_ZENOH: usize = 1 << 12;

/// What stands in a file unless the settings say it.
const OF_SETTINGS: [&str; 3] = ["connect/endpoints", "listen/endpoints", "mode"];

/// What is ours where the file says nothing.
const OURS: [(&str, &str); 2] =
    [("scouting/multicast/enabled", "false"), ("scouting/gossip/enabled", "false")];

/// Whether certificates are asked for.
const MUTUAL: &str = "transport/link/tls/enable_mtls";

/// A configuration that was checked.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) config: Config,
    /// An endpoint of another machine that shows no certificate, if there is one.
    pub(crate) unprotected: Option<String>,
}

impl Plan {
    /// Checks the settings and the file.
    pub(crate) fn of(settings: &Settings) -> Result<Self, NetworkError> {
        let path = settings.file.as_deref();
        let mut config = path.map_or_else(|| Ok(Config::default()), read)?;
        let is_mutual = says(&config, MUTUAL) == "true";
        let refused = |reason: String| NetworkError::File {
            path: path.map(|path| path.display().to_string()).unwrap_or_default(),
            reason,
        };
        for (key, own) in OURS {
            match says(&config, key).as_str() {
                "null" => insert(&mut config, key, own)?,
                "false" => {}
                _ if is_mutual => insert(&mut config, "transport/link/protocols", r#"["tls"]"#)?,
                _ => return Err(refused(format!("without `{MUTUAL}: true` it cannot have `{key}`"))),
            }
        }
        for text in &settings.listen {
            check_listener(Endpoint::read(text)?, is_mutual)?;
        }
        let mut unprotected = None;
        for text in &settings.connect {
            let endpoint = Endpoint::read(text)?;
            if !endpoint.is_tls && !endpoint.is_loopback() {
                unprotected.get_or_insert_with(|| text.clone());
            }
        }
        complete(&mut config, settings)?;
        Ok(Self { config, unprotected })
    }
}

/// Other machines may connect where both ends show certificates.
fn check_listener(endpoint: Endpoint<'_>, is_mutual: bool) -> Result<(), NetworkError> {
    let way_out = match (endpoint.is_tls, is_mutual) {
        (true, true) => return Ok(()),
        (true, false) => "its file takes `enable_mtls: true` and the certificates",
        (false, _) => "it takes `tls/…`, and a file with the certificates",
    };
    if endpoint.is_loopback() {
        return Ok(());
    }
    Err(NetworkError::Unprotected { endpoint: endpoint.text.to_owned(), way_out })
}

/// Reads a file that leaves to the settings what is theirs.
fn read(path: &Path) -> Result<Config, NetworkError> {
    let refused = |reason: String| NetworkError::File { path: path.display().to_string(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let config = Config::from_json5(&text).map_err(|error| refused(error.to_string()))?;
    let plain = Config::default();
    match OF_SETTINGS.iter().find(|key| says(&config, key) != says(&plain, key)) {
        Some(key) => Err(refused(format!("it gives `{key}`, which the settings give"))),
        None => Ok(config),
    }
}

/// What stands in a configuration, `null` where nothing does.
fn says(config: &Config, key: &str) -> String {
    config.get_json(key).unwrap_or_else(|_| "null".to_owned())
}

fn insert(config: &mut Config, key: &str, value: &str) -> Result<(), NetworkError> {
    config.insert_json5(key, value).map_err(NetworkError::refused(format!("the setting `{key}`")))
}

/// Writes the settings, and what follows of them.
fn complete(config: &mut Config, settings: &Settings) -> Result<(), NetworkError> {
    let lease = settings.silence.as_millis().max(10);
    let values = [
        ("mode", r#""peer""#.to_owned()),
        ("listen/endpoints", list(&settings.listen)),
        ("connect/endpoints", list(&settings.connect)),
        // Who is not there yet is connected to later.
        ("connect/timeout_ms", "-1".to_owned()),
        ("connect/exit_on_failure", "false".to_owned()),
        (
            "connect/retry",
            r#"{"period_init_ms":50,"period_max_ms":500,"period_increase_factor":2}"#.to_owned(),
        ),
        ("open/return_conditions", r#"{"connect_scouted":false,"declares":false}"#.to_owned()),
        ("transport/unicast/open_timeout", "3000".to_owned()),
        ("transport/link/tx/lease", lease.to_string()),
        ("transport/link/tx/keep_alive", KEEP_ALIVE.to_string()),
        ("transport/link/rx/max_message_size", (LONGEST + AROUND + OF_ZENOH).to_string()),
    ];
    values.iter().try_for_each(|(key, value)| insert(config, key, value))
}

fn list(endpoints: &[String]) -> String {
    let quoted: Vec<String> = endpoints.iter().map(|text| format!("{text:?}")).collect();
    format!("[{}]", quoted.join(","))
}
