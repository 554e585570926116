//! Endpoints, `tcp/host:port` and `tls/host:port`.

use std::net::ToSocketAddrs;

use crate::error::NetworkError;

/// An endpoint that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Endpoint<'a> {
    pub(crate) text: &'a str,
    pub(crate) is_tls: bool,
    /// `host:port`.
    address: &'a str,
}

impl<'a> Endpoint<'a> {
    /// Reads an endpoint. What zenoh has after the address, from `?` or `#` on, is left to it.
    pub(crate) fn read(text: &'a str) -> Result<Self, NetworkError> {
        let refused =
            |reason: &str| NetworkError::Endpoint { endpoint: text.to_owned(), reason: reason.to_owned() };
        let (protocol, rest) = text
            .split_once('/')
            .ok_or_else(|| refused("it has the form `tcp/host:port` or `tls/host:port`"))?;
        let is_tls = match protocol {
            "tcp" => false,
            "tls" => true,
            _ => return Err(refused("its protocol is neither `tcp` nor `tls`")),
        };
        let address = rest.split(['?', '#']).next().unwrap_or_default();
        let port = address.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        match port {
            Some(Ok(1..)) => Ok(Self { text, is_tls, address }),
            _ => Err(refused("its address is not `host:port` with a port from 1 to 65535")),
        }
    }

    /// Whether all that it means is on this machine.
    pub(crate) fn is_loopback(self) -> bool {
        match self.address.to_socket_addrs() {
            Ok(addresses) => addresses.into_iter().all(|address| address.ip().is_loopback()),
            // A name that means nothing yet may come to mean anything.
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_read() {
        let endpoint = Endpoint::read("tls/127.0.0.1:7447#bind=127.0.0.1:0").unwrap();
        assert!(endpoint.is_tls && endpoint.is_loopback());
        assert!(Endpoint::read("tcp/[::1]:7447").unwrap().is_loopback());
        assert!(!Endpoint::read("tcp/[::]:7447").unwrap().is_loopback());
        assert!(!Endpoint::read("tcp/0.0.0.0:7447").unwrap().is_loopback());
        assert!(!Endpoint::read("tcp/192.0.2.1:7447").unwrap().is_loopback());
    }

    #[test]
    fn others_are_refused_by_name() {
        for (text, why) in [
            ("127.0.0.1:7447", "form"),
            ("udp/127.0.0.1:7447", "neither `tcp` nor `tls`"),
            ("tcp/127.0.0.1", "host:port"),
            ("tcp/127.0.0.1:0", "from 1"),
            ("tcp/127.0.0.1:70000", "65535"),
            ("", "form"),
        ] {
            let error = Endpoint::read(text).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
