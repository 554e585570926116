//! The structure of the code in numbers: import circles within crates, implementations of `Master`, functions of the master that take all
//! of a model, files that a step enters, lines of each crate. Reads the sources as text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The module of a file: `[]` is the root of its crate.
pub(crate) type Module = Vec<String>;

/// The modules of a crate, each with what it imports of the others.
pub(crate) type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// A module as it is read.
#[derive(Default)]
struct Source {
    /// Everything but comments and tests.
    code: String,
    /// Paths of its `use` declarations, and of those that it exports again.
    uses: Vec<Vec<String>>,
    exports: BTreeMap<String, Vec<String>>,
}

/// All files of Rust below a folder.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn module_of(source: &Path, file: &Path) -> Module {
    let inside = file.strip_prefix(source).unwrap_or(file).with_extension("");
    let mut module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module
        .last()
        .is_some_and(|last| last == "mod" || module.len() == 1 && (last == "lib" || last == "main"))
    {
        module.pop();
    }
    module
}

/// The text without comments and tests.
fn code_of(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let lines = text[..end].lines().map(|line| line.find("//").map_or(line, |at| &line[..at]));
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths of a tree of imports such as `a::{b, c::{self, d as e}}`, with the names that they get.
fn expand(tree: &str, prefix: &[String], out: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let (Some(open), Some(close)) = (tree.find('{'), tree.rfind('}')) {
        let head = tree[..open].trim().trim_end_matches("::");
        let prefix: Vec<String> = prefix.iter().cloned().chain(segments(head)).collect();
        let (mut depth, mut start) = (0, open + 1);
        for (at, c) in tree.char_indices().filter(|(at, _)| (open + 1..=close).contains(at)) {
            match c {
                '{' => depth += 1,
                '}' if at < close => depth -= 1,
                ',' | '}' if depth == 0 => {
                    expand(&tree[start..at], &prefix, out);
                    start = at + 1;
                }
                _ => {}
            }
        }
    } else if !tree.is_empty() {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path: Vec<String> = prefix.iter().cloned().chain(segments(path)).collect();
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name =
            if alias.is_empty() { path.last().cloned().unwrap_or_default() } else { alias.trim().to_owned() };
        out.push((path, name));
    }
}

fn segments(path: &str) -> impl Iterator<Item = String> {
    path.split("::")
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .into_iter()
}

fn read(text: &str) -> Source {
    let mut source = Source { code: code_of(text), ..Source::default() };
    let mut rest = String::new();
    let mut statement: Option<(bool, String)> = None;
    for line in source.code.lines() {
        let trimmed = line.trim();
        let begins = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "].into_iter();
        let begun = begins.clone().find(|begin| trimmed.starts_with(begin));
        if let (None, Some(begin)) = (&statement, begun) {
            statement = Some((begin != "use ", String::new()));
        }
        match &mut statement {
            None => {
                rest.push_str(line);
                rest.push('\n');
            }
            Some((is_export, tree)) => {
                let part = begun.map_or(trimmed, |begin| &trimmed[begin.len()..]);
                tree.push_str(part.trim_end_matches(';'));
                tree.push(' ');
                if trimmed.ends_with(';') {
                    let mut paths = Vec::new();
                    expand(tree, &[], &mut paths);
                    for (path, name) in paths {
                        if *is_export {
                            source.exports.insert(name, path.clone());
                        }
                        source.uses.push(path);
                    }
                    statement = None;
                }
            }
        }
    }
    // Paths within the code.
    for root in ["crate::", "super::"] {
        for (at, _) in rest.match_indices(root) {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            if rest[..at].chars().next_back().is_some_and(is_word) {
                continue;
            }
            let path: String = rest[at..].chars().take_while(|c| is_word(*c)).collect();
            source.uses.push(segments(&path).collect());
        }
    }
    source
}

/// Imports of all modules of the crate with these sources.
pub(crate) fn imports(folder: &Path) -> Imports {
    let mut sources: BTreeMap<Module, Source> = BTreeMap::new();
    for file in files_below(folder) {
        let is_test = file.file_stem().is_some_and(|stem| stem == "tests");
        if let (false, Ok(text)) = (is_test, std::fs::read_to_string(&file)) {
            sources.insert(module_of(folder, &file), read(&text));
        }
    }
    let mut graph = Imports::new();
    for (module, source) in &sources {
        let needs = source.uses.iter().filter_map(|path| resolve(&sources, module, path, 0));
        graph.insert(module.clone(), needs.filter(|need| need != module).collect());
    }
    graph
}

/// The module in which what a path names is defined; nothing outside the crate.
fn resolve(
    sources: &BTreeMap<Module, Source>,
    from: &Module,
    path: &[String],
    depth: usize,
) -> Option<Module> {
    let (mut at, mut rest) = (from.clone(), path);
    match path.first()?.as_str() {
        "crate" => (at, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        first => {
            at.push(first.to_owned());
            sources.get(&at)?;
            rest = &path[1..];
        }
    }
    while let Some(part) = rest.first() {
        let mut inner = at.clone();
        inner.push(part.clone());
        rest = &rest[1..];
        if sources.contains_key(&inner) {
            at = inner;
            continue;
        }
        let exported = sources.get(&at).and_then(|source| source.exports.get(part));
        return match exported {
            Some(path) if depth < 8 => {
                let path: Vec<String> = path.iter().chain(rest).cloned().collect();
                resolve(sources, &at, &path, depth + 1)
            }
            _ => Some(at),
        };
    }
    Some(at)
}

/// The circles of a graph of imports: modules that import each other, directly or through others.
pub(crate) fn circles(graph: &Imports) -> Vec<Vec<Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        graph.keys().map(|module| (module, reach(graph, module))).collect();
    let mut found: Vec<Vec<Module>> = Vec::new();
    for module in graph.keys() {
        let is_known = found.iter().any(|circle| circle.contains(module));
        if is_known || !reached[module].contains(module) {
            continue;
        }
        let own =
            graph.keys().filter(|other| reached[module].contains(other) && reached[other].contains(module));
        found.push(own.cloned().collect());
    }
    found
}

/// The circles among what each folder holds: folders and files that import each other, with all that is below them taken as one.
pub(crate) fn folder_circles(graph: &Imports) -> Vec<Vec<Module>> {
    let folders: BTreeSet<&[String]> =
        graph.keys().flat_map(|module| (0..module.len()).map(|n| &module[..n])).collect();
    let mut found = Vec::new();
    for folder in folders {
        let within = |module: &Module| -> Option<Module> {
            let depth = module.len().min(folder.len() + 1);
            module.starts_with(folder).then(|| module[..depth].to_vec())
        };
        let mut own = Imports::new();
        for (module, needs) in graph {
            let Some(from) = within(module) else { continue };
            let needs = needs.iter().filter_map(within).filter(|need| *need != from).collect::<Vec<_>>();
            own.entry(from).or_default().extend(needs);
        }
        found.extend(circles(&own));
    }
    found
}

/// Everything that a module imports, directly or through others.
fn reach<'a>(graph: &'a Imports, module: &'a Module) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut open = vec![module];
    while let Some(module) = open.pop() {
        for need in graph.get(module).into_iter().flatten() {
            if found.insert(need) {
                open.push(need);
            }
        }
    }
    found
}

/// Files below a folder that implement methods of a type.
pub(crate) fn implementing(folder: &Path, implementation: &str) -> Vec<PathBuf> {
    let has = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        code_of(&text).lines().any(|line| line.starts_with(implementation))
    };
    files_below(folder).into_iter().filter(has).collect()
}

/// Functions below a folder that take the whole of a type, by reference or as `self`: file and name.
pub(crate) fn taking_whole(folder: &Path, whole: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for file in files_below(folder) {
        let code = code_of(&std::fs::read_to_string(&file).unwrap_or_default());
        for (at, _) in code.match_indices("fn ") {
            let signature = code[at + 3..].split(['{', ';']).next().unwrap_or_default();
            let taken = signature.split("->").next().unwrap_or_default();
            if let Some((name, parameters)) = taken.split_once('(')
                && (contains_word(parameters, whole) || is_method_of(&code[..at], whole, parameters))
            {
                found.push((file.clone(), name.to_owned()));
            }
        }
    }
    found
}

/// Whether the function that begins after this code is a method of a type, and takes `self`.
fn is_method_of(before: &str, own: &str, parameters: &str) -> bool {
    let block = before.rfind("\nimpl").map_or("", |at| before[at..].lines().nth(1).unwrap_or_default());
    contains_word(block, own) && contains_word(parameters, "self")
}

fn contains_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

/// Lines below a folder.
pub(crate) fn lines(folder: &Path) -> usize {
    files_below(folder)
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap_or_default().lines().count())
        .sum()
}

/// Prints the structure of the workspace in the present folder.
#[allow(
    dead_code,
    clippy::print_stdout,
    reason = "unused where this file is a module of a test; a program prints"
)]
fn main() {
    let mut crates: Vec<PathBuf> =
        std::fs::read_dir("crates").into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    crates.sort();
    let master = Path::new("crates/cosimo-master/src");
    println!("files with `impl Master`: {}", implementing(master, "impl Master {").len());
    println!(
        "functions of the master that take the whole context: {}",
        taking_whole(master, "StepContext").len()
    );
    let graph = imports(master);
    let step = vec!["step".to_owned()];
    println!(
        "modules of the master that a step may enter: {} of {}",
        reach(&graph, &step).len(),
        graph.len()
    );
    println!("{:26} {:>7} {:>8} {:>8}", "crate", "lines", "circles", "folders");
    for own in crates {
        let source = own.join("src");
        let graph = imports(&source);
        let circles = circles(&graph);
        let name = own.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let of_folders = folder_circles(&graph);
        println!("{name:26} {:7} {:8} {:8}", lines(&source), circles.len(), of_folders.len());
        for circle in circles.into_iter().chain(of_folders) {
            let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            println!("    {}", names.join(" "));
        }
    }
}
