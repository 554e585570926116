//! Packages, and the files in them that sources name (RFC 3986).

use std::path::{Path, PathBuf};

use super::error::hint;

/// A folder of the files of a system.
#[derive(Clone, Debug)]
pub(super) struct Package {
    /// The folder.
    pub(super) root: PathBuf,
    /// What it is called in places of errors.
    pub(super) name: String,
}

/// A file of a package.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Where it is within the package, with `/` between the parts.
    pub(super) relative: String,
    /// What comes after `#`.
    pub(super) fragment: Option<String>,
}

impl Package {
    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The file in words, for places.
    pub(super) fn label(&self, relative: &str) -> String {
        if self.name.is_empty() { relative.to_owned() } else { format!("{}/{relative}", self.name) }
    }

    /// A text that no other system has: its file, and its `id` if it is not the outermost there.
    pub(super) fn key(&self, relative: &str, id: &str) -> String {
        format!("{}#{id}", self.path(relative).display())
    }

    /// The existing file that a source in the file `base` means; otherwise why not, and what to do.
    pub(super) fn find(&self, base: &str, uri: &str) -> Result<Target, String> {
        let target = resolve(base, uri)?;
        if self.path(&target.relative).exists() {
            return Ok(target);
        }
        let mut names = Vec::new();
        list(&self.root, "", 0, &mut names);
        Err(format!("is missing{}", hint(&target.relative, names.iter().map(String::as_str))))
    }
}

/// The file that a source means, whether it exists or not.
fn resolve(base: &str, uri: &str) -> Result<Target, String> {
    let (path, fragment) = uri.split_once('#').map_or((uri, None), |(path, rest)| (path, Some(rest)));
    if path.is_empty() {
        return Err("has no path; name a file of the folder `resources`".to_owned());
    }
    let head = path.split('/').next().unwrap_or("");
    if let Some((scheme, _)) = head.split_once(':') {
        let folder = "; copy the file into the folder `resources` and name it there";
        return Err(match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => format!("is on the network, where nothing is read from{folder}"),
            _ => format!("is not relative to the file of the system{folder}"),
        });
    }
    let decoded = decode(path).ok_or("is not encoded as an URI should be; write `%25` for `%`")?;
    let outside = "leads out of the package, which is refused; copy the file into the folder `resources`";
    let drive = decoded.as_bytes().get(1) == Some(&b':');
    if decoded.starts_with(['/', '\\']) || drive || decoded.contains('\0') {
        return Err(outside.to_owned());
    }
    let mut parts: Vec<&str> = base.split('/').collect();
    parts.pop();
    let decoded = decoded.replace('\\', "/");
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop().ok_or(outside)?),
            part => parts.push(part),
        }
    }
    let fragment = fragment.map(|text| decode(text).unwrap_or_else(|| text.to_owned()));
    Ok(Target { relative: parts.join("/"), fragment })
}

/// The text with the bytes that `%` stands for.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push(if byte == b'%' { u8::try_from(digit()? * 16 + digit()?).ok()? } else { byte });
    }
    String::from_utf8(bytes).ok()
}

/// The path as an URI.
pub(super) fn encode(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encoded = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(encoded).collect()
}

/// Files in a folder and some levels below, not too many.
fn list(folder: &Path, prefix: &str, depth: usize, names: &mut Vec<String>) {
    const DEPTH: usize = 3;
    const MOST: usize = 1000;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if !entry.path().is_dir() {
            names.push(name);
        } else if depth < DEPTH {
            list(&entry.path(), &format!("{name}/"), depth + 1, names);
        }
        if names.len() > MOST {
            return;
        }
    }
    names.sort();
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, resolve};

    #[test]
    fn sources_stay_within_the_package() {
        let relative = |base, uri| resolve(base, uri).map(|target| target.relative);
        assert_eq!(relative("a/b.ssd", "../c%20d.fmu"), Ok("c d.fmu".to_owned()));
        assert_eq!(relative("a/b.ssd", "./resources\\x.fmu"), Ok("a/resources/x.fmu".to_owned()));
        assert!(resolve("b.ssd", "").is_err() && resolve("b.ssd", "#id").is_err());
        for uri in [
            "../x",
            "/x",
            "\\x",
            "a/../../x",
            "%2e%2e/x",
            "%2Fx",
            "c:/x",
            "file:///x",
            "http://x/y",
            "%0",
            "%00",
        ] {
            assert!(resolve("b.ssd", uri).is_err(), "{uri}");
        }
        assert!(resolve("a/b.ssd", "../../x").is_err());
    }

    #[test]
    fn any_path_survives_the_encoding() {
        let path = "ä b/100%#?.fmu";
        assert_eq!(decode(&encode(path)).as_deref(), Some(path));
    }
}
