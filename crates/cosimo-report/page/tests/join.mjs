// Joins the page from its parts as the report writer does: template, style, modules in the order of `order.txt`, data.
import { readFileSync } from "node:fs";

const folder = new URL("../", import.meta.url);

export function part(name) {
  return readFileSync(new URL(name, folder), "utf8");
}

/// Names of the modules in the order in which they are joined.
export function order() {
  return part("order.txt").split("\n").filter((line) => line !== "");
}

/// All modules as one script: lines of imports are dropped, `export ` is removed.
export function script() {
  const lines = order().flatMap((name) => part(name).split("\n"));
  return lines.filter((line) => !line.startsWith("import ")).map((line) => line.replace(/^export /, "")).join("\n");
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/// The complete page.
export function page({ title, data, columns, scene, energy }) {
  const values = {
    title: escaped(title), style: part("style.css"), script: script(), data: JSON.stringify(data).replace(/<\//g, "<\\/"), columns, scene, energy,
  };
  return part("template.html").replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
}
