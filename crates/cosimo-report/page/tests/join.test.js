import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { order, page, part, script } from "./join.mjs";

const FOLDER = new URL("../", import.meta.url);
const PLACES = ["title", "style", "script", "data", "columns", "scene", "energy"];

test("the order lists every module once, and modules import from earlier ones only", () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".js"));
  assert.deepEqual([...order()].sort(), files.sort());
  order().forEach((name, k) => {
    for (const [, from] of part(name).matchAll(/^import .* from "\.\/(.*)";$/gm)) {
      const at = order().indexOf(from);
      assert.ok(at >= 0 && at < k, `${name} imports ${from}, which comes later or not at all`);
    }
  });
});

test("imports are one line of names, exports are functions, constants and classes", () => {
  for (const name of order()) {
    for (const line of part(name).split("\n")) {
      if (/^\s*import\b/.test(line)) assert.match(line, /^import \{ [\w, ]+ \} from "\.\/[\w-]+\.js";$/, name);
      if (/^\s*export\b/.test(line)) assert.match(line, /^export (async )?(function|const|class) \w+/, name);
    }
  }
});

test("no name stands twice at top level, and what is imported is exported there and used", () => {
  const seen = new Map();
  const exported = new Map();
  for (const name of order()) {
    const text = part(name);
    for (const [, , what] of text.matchAll(/^(export )?(?:async )?(?:function|const|let|class) (\w+)/gm)) {
      assert.ok(!seen.has(what), `${what} is in ${name} and in ${seen.get(what)}`);
      seen.set(what, name);
    }
    exported.set(name, new Set([...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map((m) => m[1])));
  }
  for (const name of order()) {
    const text = part(name);
    for (const [line, names, from] of text.matchAll(/^import \{ (.*) \} from "\.\/(.*)";$/gm)) {
      for (const what of names.split(", ")) {
        assert.ok(exported.get(from).has(what), `${name} imports ${what}, which ${from} does not export`);
        assert.ok(new RegExp(`\\b${what}\\b`).test(text.replace(line, "")), `${name} imports ${what} and does not use it`);
      }
    }
  }
});

test("script and style are small, and hold nothing that ends a script or is a placeholder", () => {
  const bytes = Buffer.byteLength(script()) + Buffer.byteLength(part("style.css"));
  assert.ok(bytes < 200_000, `${bytes} bytes`);
  assert.doesNotMatch(script(), /<\/script|<!--|\{\{|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  assert.doesNotMatch(part("style.css"), /<\/style|\{\{|url\(|@import/);
});

test("the template has each placeholder, and the page none", () => {
  for (const place of PLACES) assert.ok(part("template.html").includes(`{{${place}}}`), place);
  const html = page({ title: "a < b", data: { text: "</script>" }, columns: "c", scene: "s", energy: "e" });
  assert.doesNotMatch(html, /\{\{\w+\}\}/);
  assert.equal(html.match(/<\/script>/g).length, 5);
  assert.ok(html.includes("<title>a &lt; b</title>"));
});
