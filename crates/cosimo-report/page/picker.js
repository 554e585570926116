// Choice of recorded quantities from a list that can be searched.
import { element } from "./dom.js";

const SHOWN_AT_ONCE = 300;

/// Names in which all words of a search occur.
export function matching(columns, search) {
  const words = search.toLowerCase().split(/\s+/).filter((w) => w !== "");
  return columns.filter((c) => words.every((w) => c.name.toLowerCase().includes(w)));
}

export class Picker {
  /// `options`: label, columns ({name, unit}), multiple, chosen (names), onChange(names).
  constructor(parent, options) {
    this.options = options;
    this.chosen = [...options.chosen];
    this.field = element("button", { class: "field", type: "button", "aria-haspopup": "listbox", click: () => this.toggleList() });
    this.search = element("input", {
      type: "search", placeholder: "search names", "aria-label": `search ${options.label}`,
      input: () => this.fill(),
      keydown: (event) => { if (event.key === "Escape") this.close(); },
    });
    this.list = element("div", { class: "options", role: "listbox", "aria-multiselectable": String(options.multiple) });
    this.popup = element("div", { class: "popup", hidden: true }, this.search, this.list);
    this.node = element("div", { class: "picker" }, element("span", { class: "label", text: options.label }), this.field, this.popup);
    parent.append(this.node);
    document.addEventListener("pointerdown", (event) => { if (!this.node.contains(event.target)) this.close(); });
    this.describe();
  }

  toggleList() {
    if (!this.popup.hidden) {
      this.close();
      return;
    }
    this.popup.hidden = false;
    this.search.value = "";
    this.fill();
    this.search.focus();
  }

  close() {
    this.popup.hidden = true;
  }

  fill() {
    const found = matching(this.options.columns, this.search.value);
    const rows = found.slice(0, SHOWN_AT_ONCE).map((column) => this.row(column));
    if (found.length === 0) rows.push(element("p", { class: "empty", text: "No quantity has such a name." }));
    if (found.length > SHOWN_AT_ONCE) rows.push(element("p", { class: "empty", text: `and ${found.length - SHOWN_AT_ONCE} more: search` }));
    this.list.replaceChildren(...rows);
  }

  row(column) {
    const on = this.chosen.includes(column.name);
    const unit = element("span", { class: "of", text: column.unit });
    return element("button", {
      class: on ? "option on" : "option", type: "button", role: "option", "aria-selected": String(on),
      click: () => this.pick(column.name),
    }, element("span", { class: "tick", text: on ? "✓" : "" }), element("span", { text: column.name }), unit);
  }

  pick(name) {
    if (!this.options.multiple) {
      this.chosen = [name];
      this.close();
    } else if (this.chosen.includes(name)) this.chosen = this.chosen.filter((n) => n !== name);
    else this.chosen.push(name);
    if (!this.popup.hidden) {
      const top = this.list.scrollTop;
      this.fill();
      this.list.scrollTop = top;
    }
    this.describe();
    this.options.onChange(this.chosen);
  }

  describe() {
    const names = this.chosen;
    const text = names.length === 0 ? "choose…" : names.length <= 2 ? names.join(", ") : `${names[0]} and ${names.length - 1} more`;
    this.field.textContent = text;
    this.field.title = names.join("\n");
  }
}
