// The page in a headless Chromium: `node --test interaction.browser.mjs`. Reports are made from the samples.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser, checkReport, Tab } from "./browser.mjs";
import { decodePng, differingPixels } from "./png.mjs";
import { bounce, bounceInstants, REPORTS } from "./sample.mjs";

const folder = mkdtempSync(join(tmpdir(), "pages-"));
let browser;

before(() => {
  for (const [name, make] of Object.entries(REPORTS)) writeFileSync(join(folder, `${name}.html`), make());
  browser = new Browser();
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

async function open(name, options) {
  const tab = await Tab.open(browser, join(folder, `${name}.html`), options);
  await tab.evaluate("cosimo.ready");
  return tab;
}

async function inView(tab, selector) {
  return tab.evaluate(`(() => { const e = ${selector}; e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect();
    return { x: b.x, y: b.y, width: b.width, height: b.height }; })()`);
}

async function click(tab, selector) {
  const box = await inView(tab, selector);
  await tab.mouse("mousePressed", box.x + box.width / 2, box.y + box.height / 2);
  await tab.mouse("mouseReleased", box.x + box.width / 2, box.y + box.height / 2);
}

async function drag(tab, from, to) {
  await tab.mouse("mousePressed", ...from);
  for (const s of [0.3, 0.7, 1]) await tab.mouse("mouseMoved", from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1]), { buttons: 1 });
  await tab.mouse("mouseReleased", ...to);
}

async function picture(tab) {
  await tab.settle();
  return decodePng(await tab.screenshot({ selector: ".stage" }));
}

const one = (selector) => `document.querySelector(${JSON.stringify(selector)})`;

for (const name of Object.keys(REPORTS)) {
  test(`${name}: opens, plays, asks for nothing, no errors`, async () => {
    const seen = await checkReport(await open(name));
    assert.equal(seen.view, name === "shapes" || name === "chain");
  });
}

test("poses follow the closed form, between frames too", async () => {
  const tab = await open("shapes");
  for (const t of [0.1234, 0.6, 1.9]) {
    const { position, orientation } = await tab.evaluate(`cosimo.seek(${t}), cosimo.pose("ball.sphere")`);
    assert.ok(Math.abs(position[2] - (bounce(t).gap + 0.08)) < 2e-4, `${t}: ${position}`);
    assert.ok(Math.abs(orientation[3] - Math.sin(t)) < 1e-4 && Math.abs(orientation[0] - Math.cos(t)) < 1e-4);
  }
  assert.deepEqual(tab.errors, []);
});

test("keys: n and p to impacts, arrows by frames, space plays", async () => {
  const tab = await open("shapes");
  const instants = bounceInstants(3);
  await tab.press("n");
  await tab.press("n");
  assert.ok(Math.abs((await tab.evaluate("cosimo.time")) - instants[1]) < 1e-12);
  await tab.press("p");
  assert.ok(Math.abs((await tab.evaluate("cosimo.time")) - instants[0]) < 1e-12);
  await tab.press("Home");
  await tab.press("ArrowRight");
  await tab.press("ArrowRight");
  assert.ok(Math.abs((await tab.evaluate("cosimo.time")) - 2 / 120) < 1e-12);
  await tab.press(" ");
  assert.equal(await tab.evaluate("cosimo.playing"), true);
  await tab.press(" ");
  assert.equal(await tab.evaluate("cosimo.playing"), false);
  assert.deepEqual(tab.errors, []);
});

test("the scrub bar takes the time along", async () => {
  const tab = await open("shapes");
  const box = await inView(tab, one(".scrub"));
  await drag(tab, [box.x + 5, box.y + 20], [box.x + box.width / 2, box.y + 20]);
  assert.ok(Math.abs((await tab.evaluate("cosimo.time")) - 1.5) < 0.02);
});

test("the view: turned, moved, zoomed, along an axis, names, forces, another axis up: another picture each time", async () => {
  const tab = await open("shapes");
  await tab.evaluate("cosimo.seek(0.35)");
  const box = await inView(tab, one(".stage"));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  let before = await picture(tab);
  const acts = {
    turn: () => drag(tab, [x, y], [x + 80, y + 30]),
    zoom: () => tab.mouse("mouseWheel", x, y, { deltaX: 0, deltaY: -240 }),
    front: () => tab.evaluate("[...document.querySelectorAll('button.small')].find((b) => b.textContent === 'front').click()"),
    names: () => tab.evaluate("cosimo.show({ names: true })"),
    frames: () => tab.evaluate("cosimo.show({ frames: true })"),
    forces: () => tab.evaluate("cosimo.show({ forces: false })"),
    parallel: () => tab.evaluate("cosimo.camera.setParallel(true)"),
    up: () => tab.evaluate("cosimo.view.setUp('y')"),
  };
  for (const [name, act] of Object.entries(acts)) {
    await act();
    const now = await picture(tab);
    assert.ok(differingPixels(before, now) > 40, `${name} changes nothing`);
    before = now;
  }
  assert.deepEqual(tab.errors, []);
});

test("forces are arrows of their colour, as long as the force", async () => {
  const tab = await open("shapes");
  const crimson = async (t) => {
    await tab.evaluate(`cosimo.seek(${t})`);
    const { width, height, channels, pixels } = await picture(tab);
    const rows = new Set();
    // Left of the middle is the ball alone: not the scales, not the other force.
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width / 2; x++) {
        const k = (y * width + x) * channels;
        if (pixels[k] > 150 && pixels[k + 1] < 60 && pixels[k + 2] > 68 && pixels[k + 2] < 150) rows.add(y);
      }
    }
    return rows.size;
  };
  await tab.evaluate("cosimo.view.setUp('z'), cosimo.camera.from(-Math.PI / 2, 0)");
  const [free, hit] = [await crimson(0.2), await crimson(bounceInstants(3)[0])];
  assert.equal(free, 0);
  const { length, height } = await tab.evaluate("({ length: 150 * cosimo.view.shapes.metresPerNewton, height: cosimo.camera.height() })");
  const stage = await inView(tab, one(".stage"));
  assert.ok(Math.abs(hit / ((length / height) * stage.height) - 1) < 0.15, `${hit} rows`);
  await tab.evaluate("cosimo.show({ forces: false })");
  assert.equal(await crimson(bounceInstants(3)[0]), 0);
});

test("a range dragged in one figure is the range of all; double click brings the run back", async () => {
  const tab = await open("shapes");
  const box = await inView(tab, one("#figures .over"));
  const range = () => tab.evaluate("cosimo.figures.map((f) => f.range())");
  await drag(tab, [box.x + 150, box.y + 60], [box.x + 300, box.y + 64]);
  const [first, ...others] = await range();
  assert.ok(first[0] > 0.2 && first[1] < 2.5 && first[1] > first[0]);
  for (const other of others) assert.deepEqual(other, first);
  await tab.mouse("mousePressed", box.x + 200, box.y + 60, { clickCount: 2 });
  await tab.mouse("mouseReleased", box.x + 200, box.y + 60, { clickCount: 2 });
  assert.deepEqual((await range())[0], [0, 3]);
});

test("values under the pointer, and a click brings the time there", async () => {
  const tab = await open("shapes");
  const box = await inView(tab, one("#figures .over"));
  await tab.mouse("mouseMoved", box.x + 200, box.y + 60);
  await tab.settle();
  const tip = await tab.evaluate("[...document.querySelectorAll('.tip')].filter((t) => !t.hidden).map((t) => t.innerText).join()");
  assert.match(tip, /t = [\d.]+ m?s/);
  assert.match(tip, /ball\.sphere\.gap\s+[\d.]+ [mµ]m/);
  await click(tab, one("#figures .over"));
  assert.ok((await tab.evaluate("cosimo.time")) > 1);
});

test("a quantity over another: picked from the searched list", async () => {
  const tab = await open("shapes");
  await click(tab, one("#explore .field"));
  await tab.send("Input.insertText", { text: "moment" });
  const options = () => tab.evaluate("[...document.querySelectorAll('#explore .option')].map((o) => o.innerText)");
  assert.equal((await options()).length, 1);
  await click(tab, one("#explore .option"));
  await click(tab, "document.querySelectorAll('#explore .field')[1]");
  await tab.send("Input.insertText", { text: "angle" });
  await click(tab, "document.querySelectorAll('#explore .popup')[1].querySelector('.option')");
  await tab.until("document.querySelectorAll('#explore .legend .unit')[1]?.textContent");
  assert.deepEqual(await tab.evaluate("[...document.querySelectorAll('#explore .legend .unit')].map((u) => u.textContent)"), ["mm", "kN m"]);
  assert.equal(await tab.evaluate("document.querySelectorAll('#explore .popup')[1].hidden"), true);
  assert.deepEqual(tab.errors, []);
});

test("the spectrum finds the two tones, and says its limits", async () => {
  const tab = await open("shapes");
  await click(tab, one("#spectrum .field"));
  await tab.send("Input.insertText", { text: "deflection" });
  await click(tab, one("#spectrum .option"));
  const text = await tab.evaluate("document.querySelector('#spectrum').innerText");
  assert.match(text, /deflection highest lines: 40 Hz \(32 µm\), 90 Hz \(10 µm\)/);
  assert.match(text, /The limit is 500 Hz/);
  assert.match(text, /recorded results themselves reach 1 kHz/);
});

test("statistics of the visible range; a time in the table brings the player there", async () => {
  const tab = await open("shapes");
  const cells = () => tab.evaluate("[...document.querySelectorAll('#statistics tbody tr')].find((r) => r.innerText.startsWith('ball.sphere.gap')).innerText.split('\\t')");
  assert.equal((await cells())[4], "0.6");
  await tab.evaluate("cosimo.zoom(0.5, 0.8)");
  await tab.evaluate("document.querySelector('#statistics input[type=checkbox]').click()");
  assert.ok(await tab.until("document.querySelector('#statistics output').value.includes('800 ms')"));
  // Between the first two impacts: the height of the second flight.
  assert.ok(Math.abs(Number((await cells())[4]) - 0.64 * 0.6) < 1e-3);
  await click(tab, "document.querySelectorAll('#statistics tbody .link')[1]");
  assert.ok((await tab.evaluate("cosimo.time")) > 0.5);
});

test("events by kind; a row brings the player there", async () => {
  const tab = await open("shapes");
  const rows = () => tab.evaluate("document.querySelectorAll('#events tbody tr').length");
  const all = await rows();
  await click(tab, one("#events .controls input[type=checkbox]"));
  assert.equal(await rows(), all / 2);
  await click(tab, "document.querySelectorAll('#events tbody tr')[3]");
  assert.ok(Math.abs((await tab.evaluate("cosimo.time")) - bounceInstants(3)[3]) < 1e-12);
});

test("a run that failed says why", async () => {
  const tab = await open("plain", { dark: true });
  const text = await tab.evaluate("document.body.innerText");
  assert.match(text, /failed/);
  assert.match(text, /step 500 did not converge/);
});

test("without WebGL the page says so, and the rest works", async () => {
  const other = new Browser(["--disable-3d-apis"]);
  try {
    const tab = await Tab.open(other, join(folder, "shapes.html"));
    await tab.evaluate("cosimo.ready");
    assert.match(await tab.evaluate("document.querySelector('#view').innerText"), /no WebGL 2/);
    const seen = await checkReport(tab);
    assert.equal(seen.view, false);
  } finally {
    await other.close();
  }
});
