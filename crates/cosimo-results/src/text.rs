//! Names that have to fit.

/// The text itself, or its beginning and end with an ellipsis between, of at most `longest` characters.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    let count = text.chars().count();
    if count <= longest {
        return text.to_owned();
    }
    let end = longest / 2;
    cut(text, longest - 1 - end, count - end)
}

/// The text with a replacement character for each one that an XML document cannot hold.
///
/// Reference: W3C, *Extensible Markup Language (XML) 1.0*, fifth edition, production 2 (`Char`).
pub(crate) fn without_controls(text: &str) -> String {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Texts of at most `longest` characters that differ where the given ones do: of those whose beginnings and ends are alike,
/// the piece is shown in which they differ.
pub(crate) fn told_apart(texts: &[String], longest: usize) -> Vec<String> {
    let short: Vec<String> = texts.iter().map(|text| shortened(text, longest)).collect();
    let told = texts.iter().zip(&short).map(|(text, own)| {
        let all = texts.iter().zip(&short);
        let alike = all.filter(|(other, short)| *short == own && *other != text);
        match alike.map(|(other, _)| common_beginning(text, other)).max() {
            None => own.clone(),
            Some(same) => around(text, same, longest),
        }
    });
    told.collect()
}

/// How many characters two texts have in common at their beginning.
fn common_beginning(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// The beginning of a text, what follows its first `same` characters, and its end, of at most `longest` characters.
fn around(text: &str, same: usize, longest: usize) -> String {
    let count = text.chars().count();
    let start = longest / 4;
    // A little of what comes before shows where it is.
    let from = same.saturating_sub(4).max(start);
    let room = longest - start - 1;
    if count - from <= room {
        return cut(text, start, from);
    }
    let piece = room / 2;
    let end = room - piece - 1;
    let (begin, rest): (String, String) =
        (text.chars().take(from + piece).collect(), text.chars().skip(count - end).collect());
    format!("{}…{rest}", cut(&begin, start, from))
}

/// A text with the characters from `start` to `end` replaced by an ellipsis.
fn cut(text: &str, start: usize, end: usize) -> String {
    text.chars().take(start).chain(['…']).chain(text.chars().skip(end)).collect()
}

#[cfg(test)]
mod tests {
    use super::{shortened, told_apart, without_controls};

    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        assert_eq!(
            without_controls("a\0b\u{1}\u{1b}\u{ffff}c\td ä €😀"),
            "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}c\td ä €😀"
        );
    }

    #[test]
    fn long_texts_keep_beginning_and_end() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("a_long_name.x", 8), "a_l…me.x");
        assert_eq!(shortened("äöüäöüäöü", 4), "ä…öü");
    }

    #[test]
    fn names_that_differ_are_told_apart_wherever_they_do() {
        let name = |n: usize, end: &str| format!("{}{n}{}.{end}", "a".repeat(30), "b".repeat(30));
        for names in [
            vec![name(1, "x"), name(2, "x"), name(1, "y"), "short".to_owned()],
            vec![name(1, "x"), name(1, "y")],
            vec!["b".repeat(50) + "1", "b".repeat(50) + "2", "b".repeat(50)],
        ] {
            let told = told_apart(&names, 36);
            assert!(told.iter().all(|name| name.chars().count() <= 36), "{told:?}");
            let mut distinct = told.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), names.len(), "{told:?}");
        }
        assert_eq!(
            told_apart(&["same".repeat(20), "same".repeat(20)], 36)[0],
            shortened(&"same".repeat(20), 36)
        );
    }
}
