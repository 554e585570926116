//! The page: a template, a style and modules, joined to one file.

/// The modules in the order in which they are joined: each behind those that it imports.
macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../page/", $name)))),*]
    };
}

const TEMPLATE: &str = include_str!("../page/template.html");
const STYLE: &str = include_str!("../page/style.css");
const MODULES: [(&str, &str); 33] = modules![
    "vectors.js",
    "data.js",
    "units.js",
    "palette.js",
    "dom.js",
    "poses.js",
    "statistics.js",
    "fourier.js",
    "spectrum.js",
    "azimuth.js",
    "timeline.js",
    "player.js",
    "transport.js",
    "geometry.js",
    "surface.js",
    "bounds.js",
    "shaders.js",
    "renderer.js",
    "camera.js",
    "camera-input.js",
    "scene-shapes.js",
    "overlay.js",
    "scene-view.js",
    "curve.js",
    "chart.js",
    "chart-input.js",
    "figure.js",
    "picker.js",
    "table.js",
    "header.js",
    "explore.js",
    "sections.js",
    "main.js",
];

/// What the template leaves open.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    pub(crate) title: &'a str,
    pub(crate) data: &'a str,
    pub(crate) columns: &'a str,
    pub(crate) scene: &'a str,
    pub(crate) energy: &'a str,
}

/// All modules as one: without imports, and with nothing exported.
fn script() -> String {
    let mut script = String::new();
    for (_, text) in MODULES {
        for line in text.lines().filter(|line| !line.starts_with("import ")) {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page with these parts.
pub(crate) fn fill(parts: &Parts<'_>) -> String {
    let (title, script) = (escaped(parts.title), script());
    let values = [
        ("{{title}}", title.as_str()),
        ("{{style}}", STYLE),
        ("{{script}}", &script),
        ("{{data}}", parts.data),
        ("{{columns}}", parts.columns),
        ("{{scene}}", parts.scene),
        ("{{energy}}", parts.energy),
    ];
    let mut page = String::new();
    let mut rest = TEMPLATE;
    // What is filled in is not looked through for further placeholders.
    while let Some(start) = rest.find("{{") {
        let (before, open) = rest.split_at(start);
        page.push_str(before);
        match values.iter().find(|(name, _)| open.starts_with(name)) {
            Some((name, value)) => {
                page.push_str(value);
                rest = &open[name.len()..];
            }
            None => {
                page.push_str("{{");
                rest = &open[2..];
            }
        }
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_are_those_of_the_folder_in_their_order() {
        let names: Vec<&str> = include_str!("../page/order.txt").split_whitespace().collect();
        assert!(MODULES.iter().map(|(name, _)| *name).eq(names));
    }

    #[test]
    fn the_page_by_itself_is_small() {
        let own = fill(&Parts { title: "a < b", data: "{}", columns: "", scene: "", energy: "" });
        assert!(own.len() < 300_000, "{} bytes", own.len());
        assert!(own.contains("<title>a &lt; b</title>") && !own.contains("{{") && !own.contains("\nimport "));
    }
}
