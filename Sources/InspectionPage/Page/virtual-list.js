// A list that has elements only for the rows that can be seen.

/// Browsers do not place anything exactly beyond some ten million pixels. Longer lists are scrolled
/// in proportion.
const maximumHeight = 8_000_000;

class VirtualList {
  /// - element: The element that scrolls.
  /// - rowHeight: The height of a row in pixels.
  /// - render: Fills the element of a row, which is empty and has the class `row`, by its number.
  constructor(element, rowHeight, render) {
    this.element = element;
    this.rowHeight = rowHeight;
    this.render = render;
    this.count = 0;
    this.spacer = make("div", "spacer");
    this.spacer.setAttribute("role", "presentation");
    this.rows = [];
    element.replaceChildren(this.spacer);
    element.addEventListener("scroll", () => this.schedule(), { passive: true });
    new ResizeObserver(() => this.update()).observe(element);
  }

  /// Changes the number of rows, and renders the visible ones.
  setCount(count) {
    this.count = count;
    this.height = Math.min(count * this.rowHeight, maximumHeight);
    this.spacer.style.height = `${this.height}px`;
    this.update();
  }

  /// The number of the first visible row; its fraction is the part of the row that is out of sight.
  get first() {
    const hidden = this.count * this.rowHeight - this.element.clientHeight;
    const range = this.height - this.element.clientHeight;
    if (range <= 0 || hidden <= 0) return 0;
    return (Math.min(this.element.scrollTop / range, 1) * hidden) / this.rowHeight;
  }

  /// Scrolls as far as is needed to show a row, in the middle if it is far away.
  show(row) {
    const visible = this.element.clientHeight / this.rowHeight;
    const first = this.first;
    if (row >= first && row + 1 <= first + visible) return this.update();
    const isNear = row >= first - visible && row <= first + 2 * visible;
    const start = row < first ? row : row + 1 - visible;
    this.scrollTo(isNear ? start : row - visible / 2);
  }

  /// Scrolls so that a row is in the middle.
  center(row) {
    this.scrollTo(row + 0.5 - this.element.clientHeight / this.rowHeight / 2);
  }

  scrollTo(row) {
    const hidden = this.count * this.rowHeight - this.element.clientHeight;
    const range = this.height - this.element.clientHeight;
    if (hidden > 0) this.element.scrollTop = ((row * this.rowHeight) / hidden) * range;
    this.update();
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => this.update());
  }

  /// Renders the rows that can be seen.
  update() {
    this.frame = undefined;
    const first = this.first;
    const start = Math.floor(first);
    const visible = Math.ceil(this.element.clientHeight / this.rowHeight) + 1;
    const end = Math.min(start + visible, this.count);
    const top = this.element.scrollTop - (first - start) * this.rowHeight;
    for (let index = 0; index < Math.max(end - start, this.rows.length); index += 1) {
      if (start + index >= end) {
        this.rows[index].remove();
        continue;
      }
      const row = (this.rows[index] ??= make("div"));
      for (const { name } of [...row.attributes]) row.removeAttribute(name);
      row.className = "row";
      row.replaceChildren();
      row.style.top = `${top + index * this.rowHeight}px`;
      row.dataset.row = start + index;
      this.render(row, start + index);
      if (row.parentNode !== this.spacer) this.spacer.append(row);
    }
    this.rows.length = Math.min(this.rows.length, Math.max(0, end - start));
  }

  /// The number of the row that contains an element; -1 outside all rows.
  rowOf(target) {
    const row = target.closest?.("[data-row]");
    return row && this.element.contains(row) ? Number(row.dataset.row) : -1;
  }
}
