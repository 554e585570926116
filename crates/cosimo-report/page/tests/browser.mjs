// Drives a headless Chromium over a pipe, and checks a report in it.
//
//   node browser.mjs FILE.html [--screenshot OUT.png] [--evaluate EXPRESSION]… [--check] [--size 1400x900] [--dark] [--full] [--no-webgl]
//
// prints JSON: the values of the expressions (promises are awaited), what was checked, and errors of the console; ends with 1 if there are
// errors or a check fails. CHROMIUM names the program (default: chromium).
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { colorsOf, decodePng, differingPixels } from "./png.mjs";

const FLAGS = [
  "--no-sandbox", "--headless=new", "--remote-debugging-pipe", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-extensions",
  "--disable-sync", "--mute-audio", "--hide-scrollbars", "--disable-dev-shm-usage",
];
const PATIENCE = 180000;

export class Browser {
  constructor(extra = []) {
    this.profile = mkdtempSync(join(tmpdir(), "report-"));
    const program = process.env.CHROMIUM ?? "chromium";
    this.process = spawn(program, [...FLAGS, ...extra, `--user-data-dir=${this.profile}`], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.exit = new Promise((done) => { this.process.once("exit", done); this.process.once("error", done); });
    this.waiting = new Map();
    this.listeners = [];
    this.last = 0;
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        this.receive(JSON.parse(rest.toString("utf8", 0, end)));
        rest = rest.subarray(end + 1);
      }
    });
    this.process.once("error", (error) => this.fail(new Error(`${program} does not start: ${error.message}`)));
    this.process.once("exit", (code) => this.fail(new Error(`${program} has ended (${code})`)));
    this.process.stdio[3].on("error", () => {});
  }

  fail(error) {
    this.broken = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  receive(message) {
    if (message.id === undefined) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const call = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!call) return;
    if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
    else call.resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    if (this.broken) return Promise.reject(this.broken);
    this.last += 1;
    const id = this.last;
    const answer = new Promise((done, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`${method}: no answer in ${PATIENCE / 1000} s`));
      }, PATIENCE);
      this.waiting.set(id, {
        method,
        resolve: (value) => { clearTimeout(timer); done(value); },
        reject: (error) => { clearTimeout(timer); reject(error); },
      });
    });
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  async close() {
    await this.send("Browser.close").catch(() => {});
    const late = setTimeout(() => this.process.kill("SIGKILL"), 5000);
    await this.exit;
    clearTimeout(late);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export class Tab {
  /// Opens a file in a new tab and waits until it has loaded.
  static async open(browser, file, { width = 1400, height = 900, dark = false, ratio = 1 } = {}) {
    const tab = new Tab();
    tab.browser = browser;
    tab.errors = [];
    tab.requests = [];
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    ({ sessionId: tab.session } = await browser.send("Target.attachToTarget", { targetId, flatten: true }));
    const loaded = new Promise((done) => {
      browser.listeners.push((message) => {
        if (message.sessionId !== tab.session) return;
        tab.note(message);
        if (message.method === "Page.loadEventFired") done();
      });
    });
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await tab.send(`${domain}.enable`);
    await tab.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: false });
    await tab.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await tab.send("Page.navigate", { url: pathToFileURL(resolve(file)).href });
    await loaded;
    return tab;
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  note({ method, params }) {
    if (method === "Runtime.exceptionThrown") {
      const { exceptionDetails } = params;
      this.errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    if (method === "Runtime.consoleAPICalled" && ["error", "assert"].includes(params.type)) {
      this.errors.push(params.args.map((a) => a.description ?? String(a.value)).join(" "));
    }
    if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
    if (method === "Network.requestWillBeSent" && !params.request.url.startsWith("data:")) this.requests.push(params.request.url);
  }

  /// The value of an expression in the page; promises are awaited.
  async evaluate(expression) {
    const answer = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }

  /// A PNG of the window, of all of the page, or of an element.
  async screenshot({ full = false, selector = null } = {}) {
    let clip;
    if (selector) {
      const box = await this.evaluate(`(() => { const b = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
        return { x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height }; })()`);
      clip = { ...box, scale: 1 };
    } else if (full) {
      const { cssContentSize } = await this.send("Page.getLayoutMetrics");
      clip = { x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height, scale: 1 };
    }
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: full, ...(clip ? { clip } : {}) });
    return Buffer.from(data, "base64");
  }

  pause(milliseconds) {
    return new Promise((done) => { setTimeout(done, milliseconds); });
  }

  /// Waits until all that is due is drawn.
  settle() {
    return this.evaluate("new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(d, 30)))).then(() => true)");
  }

  /// Waits until an expression is true in the page; false if that takes too long.
  async until(expression) {
    for (const start = Date.now(); Date.now() - start < PATIENCE / 2;) {
      if (await this.evaluate(expression)) return true;
      await this.pause(50);
    }
    return false;
  }

  press(key, text = undefined) {
    const code = key === " " ? "Space" : key.length === 1 ? `Key${key.toUpperCase()}` : key;
    return this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, text })
      .then(() => this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code }));
  }

  mouse(type, x, y, more = {}) {
    return this.send("Input.dispatchMouseEvent", { type, x, y, button: type === "mouseMoved" || type === "mouseWheel" ? "none" : "left", clickCount: 1, ...more });
  }
}

function must(condition, text) {
  if (!condition) throw new Error(text);
}

async function picturesWhilePlaying(tab) {
  const look = async () => decodePng(await tab.screenshot({ selector: ".stage" }));
  await tab.evaluate("cosimo.pause(), cosimo.seek(0), scrollTo(0, 0)");
  await tab.settle();
  const before = await look();
  await tab.evaluate("cosimo.play()");
  await tab.pause(1000);
  await tab.until("cosimo.time > 0");
  const after = await look();
  const state = await tab.evaluate("({ time: cosimo.time, playing: cosimo.playing, frames: cosimo.frames })");
  // What begins late has moved by then.
  await tab.evaluate("cosimo.pause(), cosimo.seek(0.9 * cosimo.duration), new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))");
  const later = await look();
  return { before, after, later, state };
}

/// Opens, plays and looks: throws with what is wrong, or gives what was seen.
export async function checkReport(tab) {
  await tab.evaluate("cosimo.ready.then(() => true)");
  const duration = await tab.evaluate("cosimo.duration");
  const seen = { duration, view: await tab.evaluate("cosimo.camera !== null") };
  if (seen.view) {
    const { before, after, later, state } = await picturesWhilePlaying(tab);
    Object.assign(seen, { time: state.time, frames: state.frames, colors: colorsOf(before), changed: Math.max(differingPixels(before, after), differingPixels(before, later)) });
    must(state.time > 0, "time stands still while playing");
    must(seen.colors > 20, `the 3D view has ${seen.colors} colours only`);
    must(seen.changed > 30, `${seen.changed} pixels of the 3D view changed while playing`);
  } else {
    await tab.evaluate("cosimo.seek(0), cosimo.play()");
    await tab.pause(1000);
    await tab.until("cosimo.time > 0");
    seen.time = await tab.evaluate("cosimo.time");
    must(seen.time > 0, "time stands still while playing");
  }
  const impacts = await tab.evaluate("cosimo.impacts");
  seen.impacts = impacts.length;
  if (impacts.length > 0) {
    const reached = await tab.evaluate("cosimo.seek(-1), (cosimo.time < cosimo.impacts[0] ? cosimo.nextImpact() : true) && cosimo.time");
    must(Math.abs(reached - impacts[0]) <= 1e-9 * duration, `the next impact is at ${impacts[0]} s, the player went to ${reached} s`);
    must(!(await tab.evaluate("cosimo.playing")), "the player goes on after a jump to an impact");
  }
  const others = tab.requests.filter((url) => !url.startsWith("file:")).concat(tab.requests.filter((url) => url.startsWith("file:")).slice(1));
  must(others.length === 0, `the page asked for ${others.join(", ")}`);
  must(tab.errors.length === 0, `errors in the console: ${tab.errors.join("; ")}`);
  return seen;
}

function optionsOf(list) {
  const options = { expressions: [] };
  for (let k = 0; k < list.length; k++) {
    if (list[k] === "--evaluate") options.expressions.push(list[++k]);
    else if (list[k] === "--screenshot") options.screenshot = list[++k];
    else if (list[k] === "--size") [options.width, options.height] = list[++k].split("x").map(Number);
    else if (["--check", "--dark", "--full", "--no-webgl"].includes(list[k])) options[list[k].slice(2)] = true;
    else if (!options.file && !list[k].startsWith("--")) options.file = list[k];
    else throw new Error(`unknown argument ${list[k]}`);
  }
  if (!options.file) throw new Error("usage: node browser.mjs FILE.html [--screenshot OUT.png] [--evaluate EXPRESSION] [--check]");
  return options;
}

async function run(options) {
  const browser = new Browser(options["no-webgl"] ? ["--disable-3d-apis"] : []);
  try {
    const tab = await Tab.open(browser, options.file, options);
    const result = { values: [], errors: tab.errors };
    await tab.evaluate("globalThis.cosimo?.ready");
    if (options.check) result.check = await checkReport(tab);
    for (const expression of options.expressions) result.values.push(await tab.evaluate(expression));
    if (options.screenshot) {
      await tab.settle();
      writeFileSync(options.screenshot, await tab.screenshot({ full: options.full }));
    }
    return result;
  } finally {
    await browser.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    const result = await run(optionsOf(process.argv.slice(2)));
    process.stdout.write(`${JSON.stringify(result)}\n`);
    process.exitCode = result.errors.length > 0 ? 1 : 0;
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ failed: error.message })}\n`);
    process.exitCode = 1;
  }
}
