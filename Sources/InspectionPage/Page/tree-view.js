// The tree of values, as in the tree pattern of WAI-ARIA, with rows for what can be seen.

/// A tree with at most this many values is expanded from the beginning.
const smallCount = 150;
/// The text that is shown for an empty text or key.
const emptyText = "“”";

class TreeView {
  /// - element: The element with the role `tree`.
  /// - events: Functions that are called: `select(node)`, `point(node)` with -1 for none, `announce(text)`.
  constructor(element, events) {
    this.element = element;
    this.events = events;
    this.query = "";
    this.litObject = -1;
    this.typed = "";
    this.list = new VirtualList(element, 26, (row, index) => this.render(row, this.rows[index]));
    element.addEventListener("keydown", (event) => this.press(event));
    element.addEventListener("click", (event) => this.click(event));
    element.addEventListener("dblclick", (event) => this.toggle(this.nodeOf(event)));
    element.addEventListener("mousemove", (event) => this.point(this.nodeOf(event)));
    element.addEventListener("mouseleave", () => this.point(-1));
  }

  /// Shows a tree.
  ///
  /// - warnings: The messages of the warnings about nodes, by node.
  show(tree, warnings = new Map(), layers = []) {
    this.tree = tree;
    this.warnings = warnings;
    this.layers = layers;
    this.litObject = -1;
    this.onlyDifferences = false;
    this.expanded = new Uint8Array(tree.count);
    this.element.setAttribute("aria-multiselectable", "false");
    const isSmall = tree.count <= smallCount;
    for (let node = 0; node < tree.count; node += 1) {
      if (isSmall && tree.types[node] !== "X") this.expanded[node] = 1;
      if (tree.depth[node] === 0) this.expanded[node] = 1;
    }
    // A single container at the top is useless while collapsed.
    if (tree.count > 1 && tree.children[0] === 1) this.expanded[1] = 1;
    this.selected = 0;
    this.refresh();
    this.list.scrollTo(0);
    this.select(0);
  }

  /// Recomputes the rows after something has been expanded, collapsed or hidden.
  refresh() {
    const { tree } = this;
    const rows = new Int32Array(tree.count);
    let count = 0;
    for (let node = 0; node < tree.count;) {
      if (this.onlyDifferences && tree.state(node) === "=" && node > 0) {
        node = tree.end[node];
        continue;
      }
      rows[count++] = node;
      node = this.expanded[node] ? node + 1 : tree.end[node];
    }
    this.rows = rows.subarray(0, count);
    this.list.setCount(count);
  }

  /// The number of the row of a node, or of the row that it would follow if it has none.
  rowOf(node) {
    let [low, high] = [0, this.rows.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rows[middle] <= node) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  nodeOf(event) {
    const row = this.list.rowOf(event.target);
    return row < 0 ? -1 : this.rows[row];
  }

  // Rows

  render(row, node) {
    const { tree } = this;
    const type = tree.types[node];
    const [name, group] = types[type];
    const isRoot = tree.parent[node] < 0;
    row.id = `node-${node}`;
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", tree.depth[node] + 1);
    row.setAttribute("aria-posinset", tree.index[node] + 1);
    row.setAttribute("aria-setsize", isRoot ? 1 : tree.children[tree.parent[node]]);
    row.setAttribute("aria-selected", node === this.selected);
    if (tree.hasChildren(node)) row.setAttribute("aria-expanded", this.expanded[node] === 1);
    const display = tree.display(node);
    const warnings = this.warnings.get(node);
    row.setAttribute("aria-label", plain(this.name(node, name, display, warnings)));
    if (node === this.selected) row.classList.add("selected");
    if (this.litObject >= 0 && this.hasObject(node, this.litObject)) row.classList.add("lit");
    if (tree.shadowed.has(node)) row.classList.add("shadowed");

    const key = make("span", "key");
    key.style.paddingInlineStart = `min(${8 + Math.min(tree.depth[node], 24) * 16}px, 50%)`;
    key.append(make("span", tree.hasChildren(node) ? (this.expanded[node] ? "arrow open" : "arrow") : "arrow none"));
    const label = make("bdi", tree.key(node) === null ? "label index" : "label");
    appendVisible(label, tree.label(node) || emptyText, 200, this.scopeQuery("keys"));
    key.append(label);
    if (warnings) key.append(make("span", "badge warning", "!"));
    row.append(key, make("span", `type ${group}`, name));

    if (tree.json.states) return this.renderSides(row, node);
    row.append(this.value(type, tree.text(node), display));
    const layer = tree.layer(node);
    if (layer !== undefined) row.append(make("span", "layer", this.layers[layer]?.name ?? ""));
    else if (tree.lines?.[node]) row.append(make("span", "place", tree.lines[node]));
    else if (tree.objects?.[node] >= 0) row.append(make("span", "place", `#${tree.objects[node]}`));
  }

  renderSides(row, node) {
    const { tree } = this;
    const state = tree.state(node);
    row.classList.add({ "=": "same", "*": "changed", "-": "removed", "+": "added" }[state]);
    const [type, text] = tree.other(node);
    const first = this.value(tree.types[node], tree.text(node), describe(tree.types[node], tree.text(node), tree.childrenOn(0, node)));
    const second = this.value(type, text, describe(type, text, tree.childrenOn(1, node)));
    if (type !== tree.types[node]) second.prepend(make("span", "other-type", types[type][0]));
    row.append(state === "+" ? make("span", "value absent") : first);
    row.append(state === "-" ? make("span", "value absent") : second);
    row.children[2].classList.add("first");
    row.children[3].classList.add("second");
  }

  value(type, text, display) {
    const value = make("span", `value ${types[type][1]}`);
    if (type === "D") value.title = dateTexts(text).utc;
    if (type === "R") value.append("→ ");
    const content = make("bdi");
    const isSearched = !["d", "a", "S", "X"].includes(type);
    appendVisible(content, display || emptyText, 400, isSearched ? this.scopeQuery("values") : "");
    value.append(content);
    return value;
  }

  scopeQuery(scope) {
    return this.scope === "all" || this.scope === scope ? this.query : "";
  }

  name(node, type, display, warnings) {
    const { tree } = this;
    const parts = [tree.label(node) || "empty key", type];
    const state = { "*": "changed", "-": "only in the first file", "+": "only in the second file" }[tree.state(node)];
    if (state) parts.push(state);
    parts.push(display || "empty");
    if (state === "changed" && !tree.hasChildren(node)) {
      const [other, text] = tree.other(node);
      parts.push(`in the second file ${describe(other, text, 0) || "empty"}`);
    }
    const layer = tree.layer(node);
    if (layer !== undefined) parts.push(`${tree.shadowed.has(node) ? "shadowed, " : ""}layer ${this.layers[layer]?.name}`);
    if (warnings) parts.push(`warning: ${warnings.join("; ")}`);
    return parts.join(", ");
  }

  // Selection

  /// Selects a node that has a row.
  select(node) {
    this.selected = node;
    this.element.setAttribute("aria-activedescendant", `node-${node}`);
    this.list.show(this.rowOf(node));
    this.events.select(node);
  }

  /// Selects a node, and expands its ancestors.
  reveal(node) {
    if (this.onlyDifferences && this.tree.state(node) === "=") this.onlyDifferences = false;
    for (let at = this.tree.parent[node]; at >= 0; at = this.tree.parent[at]) this.expanded[at] = 1;
    this.refresh();
    this.select(node);
  }

  point(node) {
    if (node === this.pointed) return;
    this.pointed = node;
    this.events.point(node);
  }

  hasObject(node, object) {
    return this.tree.objects?.[node] === object || this.tree.keyObjects?.[node] === object;
  }

  /// Marks the rows of an object of a binary property list; -1 for none.
  light(object) {
    if (object === this.litObject || !this.tree) return;
    this.litObject = object;
    this.list.update();
  }

  /// Marks the matches of the search.
  mark(query, scope) {
    this.query = query;
    this.scope = scope;
    this.list.update();
  }

  // Expanding

  toggle(node, isExpanded = !this.expanded[node]) {
    if (node < 0 || !this.tree.hasChildren(node)) return;
    this.expanded[node] = isExpanded ? 1 : 0;
    this.refresh();
  }

  expandAll(isExpanded) {
    const { tree } = this;
    this.expanded.fill(isExpanded ? 1 : 0);
    for (let node = 0; node < tree.count; node = tree.end[node]) this.expanded[node] = 1;
    if (!isExpanded) this.selected = 0;
    this.refresh();
    this.select(this.selected);
    this.events.announce(isExpanded ? "Everything is expanded" : "Everything is collapsed");
  }

  /// Shows only what differs between the files of a comparison, with its ancestors.
  showDifferences(only) {
    this.onlyDifferences = only;
    if (only) {
      for (let node = 0; node < this.tree.count; node += 1) {
        if (this.tree.state(node) === "*") this.expanded[node] = 1;
      }
      if (this.tree.state(this.selected) === "=") this.selected = 0;
    }
    this.refresh();
    this.select(this.selected);
  }

  // Input

  click(event) {
    const node = this.nodeOf(event);
    if (node < 0) return;
    if (event.target.classList.contains("arrow")) this.toggle(node);
    this.select(node);
    this.element.focus({ preventScroll: true });
  }

  press(event) {
    if (event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
      if (event.key !== "c" || String(getSelection())) return;
      event.preventDefault();
      this.copyPath();
      return;
    }
    const action = this.actions[event.key];
    if (action) {
      event.preventDefault();
      action.call(this);
    } else if (event.key.length === 1 && event.key !== " ") {
      event.preventDefault();
      this.type(event.key);
    }
  }

  get actions() {
    const { tree, selected } = this;
    const row = this.rowOf(selected);
    const page = Math.max(1, Math.floor(this.element.clientHeight / 26) - 1);
    const go = (index) => this.select(this.rows[Math.max(0, Math.min(index, this.rows.length - 1))]);
    return {
      ArrowDown: () => go(row + 1),
      ArrowUp: () => go(row - 1),
      Home: () => go(0),
      End: () => go(this.rows.length - 1),
      PageDown: () => go(row + page),
      PageUp: () => go(row - page),
      ArrowRight: () => {
        if (!tree.hasChildren(selected)) return;
        if (this.expanded[selected]) go(row + 1);
        else this.toggle(selected, true);
      },
      ArrowLeft: () => {
        if (this.expanded[selected] && tree.hasChildren(selected)) this.toggle(selected, false);
        else if (tree.parent[selected] >= 0) this.select(tree.parent[selected]);
      },
      Enter: () => (tree.types[selected] === "R" ? this.follow() : this.toggle(selected)),
      " ": () => this.toggle(selected),
      "*": () => {
        const parent = tree.parent[selected];
        if (parent < 0) return this.toggle(selected, true);
        for (let node = parent + 1; node < tree.end[parent]; node = tree.end[node]) this.expanded[node] = 1;
        this.refresh();
      },
    };
  }

  /// Selects the object that the selected reference leads to.
  follow() {
    const target = this.tree.target(this.selected);
    if (target >= 0) this.reveal(target);
  }

  /// Selects the next row whose label begins with what is typed within a second.
  type(character) {
    const now = performance.now();
    this.typed = now - (this.typedAt ?? 0) < 1000 ? this.typed + character.toLowerCase() : character.toLowerCase();
    this.typedAt = now;
    const row = this.rowOf(this.selected);
    // A longer text may match the selected row itself.
    const start = this.typed.length > 1 ? 0 : 1;
    for (let step = start; step < start + this.rows.length; step += 1) {
      const node = this.rows[(row + step) % this.rows.length];
      if (this.tree.label(node).toLowerCase().startsWith(this.typed)) return this.select(node);
    }
  }

  async copyPath() {
    const copied = await copy(this.tree.keyPath(this.selected));
    this.events.announce(copied ? "The key path is copied" : "The browser does not allow copying");
  }
}
