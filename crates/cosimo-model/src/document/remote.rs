//! Reads where a subsystem is served.

use std::path::PathBuf;

use crate::spec::RemoteSpec;
use crate::toml::Reader;

/// Keys of the table that belong to TCP, and to zenoh.
const OF_TCP: [&str; 1] = ["key"];
const OF_ZENOH: [&str; 3] = ["connect", "listen", "config"];

/// Reads `[subsystem.remote]`; none where there is none, or it is not readable.
pub(super) fn read_remote(subsystem: &Reader<'_>) -> Option<RemoteSpec> {
    subsystem.section("remote", |remote| match (remote.has("tcp"), remote.has("zenoh")) {
        (true, false) => {
            forbid(remote, OF_ZENOH, "zenoh");
            let tcp = remote.text("tcp").check("an address `host:port`", |text| is_address(text));
            Some(RemoteSpec::Tcp { tcp: tcp.required_option()?, key: read_file(remote, "key") })
        }
        (false, true) => {
            forbid(remote, OF_TCP, "tcp");
            let zenoh =
                remote.text("zenoh").check("a key expression such as \"plant/blade\"", |text| is_key(text));
            Some(RemoteSpec::Zenoh {
                zenoh: zenoh.required_option()?,
                connect: remote.texts("connect").or(Vec::new()),
                listen: remote.texts("listen").or(Vec::new()),
                config: read_file(remote, "config"),
            })
        }
        (true, true) => {
            let message = format!("{} is remote over tcp and over zenoh", subsystem.what());
            remote.log().error_with_help(&remote.span("zenoh"), message, "give one of both");
            remote.abandon();
            None
        }
        (false, false) => {
            let message = format!("{} is remote, and nothing says where", subsystem.what());
            let help = "give `tcp = \"host:port\"`, or `zenoh` with the key expression of its offer";
            remote.log().error_with_help(&remote.header(), message, help);
            remote.abandon();
            None
        }
    })?
}

fn forbid<const N: usize>(remote: &Reader<'_>, keys: [&'static str; N], other: &str) {
    for key in keys {
        remote.forbid(key, &format!("belongs to subsystems that are remote over {other}"));
    }
}

fn read_file(remote: &Reader<'_>, key: &'static str) -> Option<PathBuf> {
    let file = remote.text(key).check("the path of a file", |path| !path.is_empty()).optional()?;
    Some(remote.log().beside(&remote.span(key), &file))
}

/// Whether a text is a host and a port.
fn is_address(text: &str) -> bool {
    text.rsplit_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok_and(|own| own > 0))
}

/// Whether a text is a name of zenoh without wildcards.
fn is_key(text: &str) -> bool {
    text.split('/').all(|part| !part.is_empty() && !part.contains(['*', '$', '?', '#']))
}
