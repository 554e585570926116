//! How deep brackets are nested: the reader of the dialects calls itself for every level.

/// Levels that are read; a problem has three.
const MOST: usize = 100;

/// Refuses a text whose brackets are nested too deeply; those in strings and comments do not count.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut depth = 0_usize;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' | '\'' => {
                while let Some((_, inner)) = characters.next().filter(|(_, inner)| *inner != character) {
                    if inner == '\\' {
                        characters.next();
                    }
                }
            }
            '/' => {
                let end = match characters.peek() {
                    Some((_, '/')) => "\n",
                    Some((_, '*')) => "*/",
                    _ => continue,
                };
                let to = text[at + 2..].find(end).map_or(text.len(), |length| at + 2 + length + end.len());
                while characters.next_if(|(inner, _)| *inner < to).is_some() {}
            }
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST {
            let line = 1 + text[..at].matches('\n').count();
            return Err(format!(
                "line {line}: lists are nested more than {MOST} deep; a problem has lists of lists"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn brackets_count_where_they_nest() {
        let deep = |levels: usize| format!("{{a: {}{}}}", "[".repeat(levels), "]".repeat(levels));
        check(&deep(99)).unwrap();
        assert!(check(&deep(100)).unwrap_err().starts_with("line 1: lists are nested more than 100 deep"));
        check(&format!("{{a: \"{}\", b: '\\'{}'}}", "[".repeat(200), "[".repeat(200))).unwrap();
        check(&format!("// {}\n/* {} */ [1]", "[".repeat(200), "{".repeat(200))).unwrap();
        // What closes in a string or comment does not make room for more.
        let hidden = "[ /*]*/ '}' //]\n".repeat(101);
        assert!(check(&hidden).unwrap_err().starts_with("line 101"));
    }
}
