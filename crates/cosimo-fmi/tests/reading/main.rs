//! Reading FMUs: descriptions of both versions, archives, random and damaged ones.

#![cfg(test)]
mod archives;
mod damaged;
mod fmi2;
mod fmi3;
mod random;
mod writer;

use cosimo_fmi::description::{DescriptionError, ModelDescription, Problem, parse};

/// The description, which has to be readable without a finding.
fn clean(text: &str) -> ModelDescription {
    let description = parse(text, "modelDescription.xml").unwrap();
    assert_eq!(description.findings, []);
    description
}

/// The error of a description that is not readable.
fn error(text: &str) -> DescriptionError {
    parse(text, "modelDescription.xml").unwrap_err()
}

/// Asserts that the text gives an error that matches, in a line with these words, and that says those words.
macro_rules! refuses {
    ($text:expr, $problem:pat, $line:expr, $words:expr) => {{
        let text = String::from($text);
        let error = $crate::error(&text);
        assert!(matches!(*error.problem, $problem), "{error}");
        let line = text.lines().nth(error.place.line - 1).unwrap_or("");
        assert!(line.contains($line), "{error}\n{line}");
        assert!(error.to_string().contains($words), "{error}");
    }};
}
use refuses;

#[test]
fn other_files_and_versions_are_named() {
    refuses!("", Problem::Xml(_), "", "not readable as XML");
    refuses!("<html/>", Problem::Root { .. }, "", "<html>");
    refuses!("<fmiModelDescription/>", Problem::MissingAttribute { .. }, "", "`fmiVersion`");
    refuses!("<fmiModelDescription fmiVersion='1.0'/>", Problem::Fmi1, "", "export it as 2.0 or 3.0");
    refuses!("<fmiModelDescription fmiVersion='4.0'/>", Problem::Version(_), "", "`4.0`");
    refuses!(
        "<fmiModelDescription fmiVersion='3.0'/>",
        Problem::MissingElement { .. },
        "",
        "<ModelVariables>"
    );
    refuses!(
        "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<fmiModelDescription fmiVersion='2.0'/>",
        Problem::Xml(_),
        "DOCTYPE",
        "DTD"
    );
}

#[test]
fn floods_of_attributes_and_namespaces_are_refused() {
    let attributes: String = (0..2000).map(|index| format!(" a{index}='1'")).collect();
    refuses!(format!("<a{attributes}/>"), Problem::TooMany { .. }, "", "1000 attributes");
    let prefixes: String = (0..100).map(|index| format!("<a xmlns:p{index}='u'>")).collect();
    refuses!(prefixes, Problem::TooMany { .. }, "", "64 namespace prefixes");
}
