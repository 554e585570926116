//! Where the resources of an FMU are: FMI 2 tells a file URI, FMI 3 a path.

use std::path::PathBuf;

/// The folder that a URI such as `file:///tmp/a%20b/resources` or `file:/tmp/resources` names. Hosts that give a path instead, or a
/// URI that is not encoded, get what they mean.
pub(crate) fn of_uri(uri: &str) -> Result<PathBuf, String> {
    let Some(rest) = strip_scheme(uri) else {
        return if uri.contains("://") { Err(format!("`{uri}` is no file URI")) } else { Ok(of_path(uri)) };
    };
    let path = match rest.strip_prefix("//") {
        Some(authority) => match authority.split_once('/') {
            Some(("" | "localhost", _)) => &authority[authority.find('/').unwrap_or(0)..],
            _ => return Err(format!("`{uri}` names another machine")),
        },
        None => rest,
    };
    Ok(decoded(path).map_or_else(|| of_path(path), |decoded| of_path(&decoded)))
}

/// The folder at a path, with or without a separator at its end.
pub(crate) fn of_path(path: &str) -> PathBuf {
    let trimmed = path.trim_end_matches('/');
    PathBuf::from(if trimmed.is_empty() { path } else { trimmed })
}

fn strip_scheme(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once(':')?;
    scheme.eq_ignore_ascii_case("file").then_some(rest)
}

/// Text with `%41` and its like replaced.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_of_all_spellings_name_folders() {
        for uri in [
            "file:///tmp/a/resources",
            "file:/tmp/a/resources/",
            "FILE://localhost/tmp/a/resources",
            "/tmp/a/resources",
        ] {
            assert_eq!(of_uri(uri), Ok(PathBuf::from("/tmp/a/resources")), "{uri}");
        }
        assert_eq!(of_uri("file:///a%20b/%C3%BC%25"), Ok(PathBuf::from("/a b/ü%")));
        assert_eq!(of_uri("file:///100% a/ü%zz%2"), Ok(PathBuf::from("/100% a/ü%zz%2")));
        assert_eq!(of_path("/"), PathBuf::from("/"));
    }

    #[test]
    fn other_uris_are_refused() {
        for uri in ["https://example.org/resources", "file://server/resources", "file://"] {
            assert!(of_uri(uri).is_err(), "{uri}");
        }
    }
}
