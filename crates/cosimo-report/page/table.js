// Tables that can be sorted; of long ones only the rows in view exist.
import { element } from "./dom.js";

const ROW = 27;

export class DataTable {
  /// `columns`: {title, text(row), value(row) to sort by, right, hint, click(row)}; `options`: height of the body in pixels, onRow(row).
  constructor(parent, columns, options = {}) {
    this.columns = columns;
    this.options = options;
    this.rows = [];
    this.order = null;
    this.head = element("tr", {}, ...columns.map((c, k) => this.header(c, k)));
    this.body = element("tbody");
    this.node = element("div", { class: "table", scroll: () => this.fill() }, element("table", {}, element("thead", {}, this.head), this.body));
    if (options.height) this.node.style.maxHeight = `${options.height}px`;
    parent.append(this.node);
  }

  header(column, k) {
    const sort = column.value ? () => this.sortBy(k) : null;
    const title = column.hint ?? (sort ? "sort" : null);
    return element("th", { class: column.right ? "right" : "", title, scope: "col", ...(sort ? { click: sort, tabindex: 0 } : {}) }, column.title);
  }

  setRows(rows) {
    this.rows = rows;
    this.sort();
  }

  sortBy(k) {
    const down = this.order?.k === k ? !this.order.down : Boolean(this.columns[k].right);
    this.order = { k, down };
    [...this.head.children].forEach((cell, c) => cell.setAttribute("aria-sort", c === k ? (down ? "descending" : "ascending") : "none"));
    this.sort();
  }

  sort() {
    this.sorted = [...this.rows];
    if (this.order) {
      const { value } = this.columns[this.order.k];
      const sign = this.order.down ? -1 : 1;
      this.sorted.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === y) return 0;
        if (x === null || x === undefined) return 1;
        if (y === null || y === undefined) return -1;
        return x < y ? -sign : sign;
      });
    }
    this.fill(true);
  }

  /// Makes the rows in view, between two empty ones as high as the others.
  fill(anew = false) {
    const count = this.sorted?.length ?? 0;
    const whole = !this.options.height || count < 120;
    const first = whole ? 0 : Math.max(0, Math.floor(this.node.scrollTop / ROW) - 20);
    const last = whole ? count : Math.min(count, first + Math.ceil(this.options.height / ROW) + 40);
    if (!anew && this.made && this.made[0] === first && this.made[1] === last) return;
    this.made = [first, last];
    const gap = (rows) => (rows > 0 ? [element("tr", { class: "gap", style: `height:${rows * ROW}px` })] : []);
    this.body.replaceChildren(...gap(first), ...this.sorted.slice(first, last).map((row) => this.row(row)), ...gap(count - last));
  }

  row(row) {
    const cells = this.columns.map((column) => {
      const text = column.text(row);
      const content = column.click && text !== "–" ? element("button", { class: "link", title: "go there", click: () => column.click(row) }, text) : text;
      return element("td", { class: column.right ? "right" : "" }, content);
    });
    const { onRow } = this.options;
    return element("tr", onRow ? { class: "clickable", click: () => onRow(row) } : {}, ...cells);
  }
}
