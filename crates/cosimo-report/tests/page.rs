//! The tests of the page's own modules, by Node, and of the page in a browser.

use std::path::Path;
use std::process::Command;

#[test]
fn the_modules_of_the_page_pass_their_tests() {
    let is_required = std::env::var_os("COSIMO_REQUIRE_BROWSER").is_some();
    let answers =
        |name: &str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
    if !(answers("node") && answers("chromium")) {
        assert!(!is_required, "node and chromium are required");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/tests");
    let is_test = |path: &std::path::PathBuf| {
        path.to_str().is_some_and(|name| name.ends_with(".test.js") || name.ends_with(".browser.mjs"))
    };
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_test);
    let out = Command::new("node").arg("--test").args(files).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}
