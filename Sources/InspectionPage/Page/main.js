// The page: the list of documents, the tree and its panel, search, colors and printing.

/// How many rows are printed.
const printedRows = 10_000;

const element = (id) => document.getElementById(id);
const index = readElement("index");
const treeView = new TreeView(element("tree"), {
  select: (node) => selectNode(node),
  point: (node) => pointAtNode(node),
  announce,
});

const settingsView = new SettingsView(element("settings"), (path) => revealPath(path));

/// What is shown: the document, its trees by their names, and the tab of the panel; and whether an object of the bytes is being chosen.
const state = { number: -1, document: null, trees: {}, view: "tree", tab: "value", map: null, mapView: null, isChoosing: false };

function announce(text) {
  element("announcement").textContent = "";
  setTimeout(() => (element("announcement").textContent = text), 50);
}

// Documents

function openDocument(number) {
  const entry = index.documents[number];
  hideOverview();
  Object.assign(state, { number, view: "tree", tab: "value", map: null, mapView: null, trees: {} });
  state.document = entry.isOmitted
    ? { kind: "file", name: entry.name, facts: [], error: { message: "left out because the page would be too large with it", path: [] } }
    : readElement(`document-${number}`);
  element("name").replaceChildren();
  appendVisible(element("name"), index.documents.length > 1 ? entry.name.slice(sharedPath.length) : entry.name);
  element("name").title = entry.name;
  element("summary").replaceChildren();
  appendVisible(element("summary"), entry.summary);
  document.title = `${plain(entry.name)} – ${plain(index.title)}`;
  document.body.classList.toggle("compares", state.document.kind === "comparison");
  document.body.classList.toggle("layered", state.document.kind === "preferences");
  if (state.document.tree) state.trees.tree = new Tree(state.document.tree);
  if (state.document.graph) state.trees.graph = new Tree(state.document.graph);
  if (state.document.settings && state.document.kind === "preferences") state.view = "settings";
  showProblems();
  showViews();
  showTree();
  documentList?.list.update();
}

/// The messages of the warnings by the nodes that they are about.
function warningsByNode(tree) {
  const warnings = new Map();
  if (!tree || state.view !== "tree") return warnings;
  for (const warning of state.document.warnings ?? []) {
    const node = tree.nodeAt(warning.path);
    const place = placeText(warning);
    warnings.set(node, [...(warnings.get(node) ?? []), place ? `${place}: ${warning.message}` : warning.message]);
  }
  return warnings;
}

function showTree() {
  const tree = state.trees[state.view];
  const isTree = tree !== undefined;
  const isSettings = state.view === "settings";
  element("tree").hidden = element("columns").hidden = element("search").hidden = !isTree;
  element("tools").hidden = !isTree && !isSettings;
  for (const id of ["expand", "collapse"]) element(id).hidden = isSettings;
  element("settings").hidden = element("changes").hidden = !isSettings;
  element("source").hidden = isTree || !state.document.source;
  element("panel").hidden = false;
  clearSearch();
  if (isSettings) {
    element("differences").hidden = element("steps").hidden = true;
    showSettings();
    return showPanel("file");
  }
  if (!isTree) {
    if (state.document.source) showSource(element("source"), state.document.source, state.document.error);
    showPanel("file");
    return;
  }
  state.warnings = warningsByNode(tree);
  element("count").textContent = counted(tree.count, "value");
  showColumns(tree);
  const isComparison = tree.json.states !== undefined;
  const differs = isComparison && tree.state(0) !== "=";
  element("differences").hidden = element("steps").hidden = !differs;
  treeView.show(tree, state.warnings, state.document.layers);
  if (differs) {
    element("only").checked = true;
    treeView.showDifferences(true);
  }
}

function showColumns(tree) {
  const names = tree.json.states ? ["Key", "Type", ...state.document.names] : ["Key", "Type", "Value"];
  if (!tree.json.states) names.push(tree.json.layers ? "Layer" : tree.lines ? "Line" : tree.objects ? "Object" : "");
  element("columns").replaceChildren(...names.map((name) => {
    const column = make("span");
    appendVisible(column, name, 200);
    return column;
  }));
}

function showViews() {
  const views = [["tree", "Values"], ["graph", "Objects"]].filter(([name]) => state.trees[name]);
  if (state.document.settings && state.trees.tree) views.unshift(["settings", "Settings"]);
  element("views").replaceChildren(...(views.length < 2 ? [] : views).map(([name, label]) => {
    const button = make("button", "", label);
    button.type = "button";
    button.setAttribute("aria-pressed", name === state.view);
    button.addEventListener("click", () => {
      showView(name);
      element("views").querySelector("[aria-pressed=true]").focus();
    });
    return button;
  }));
}

function showView(name) {
  state.view = name;
  showViews();
  showTree();
}

/// Shows the value at a path of keys and indices.
function revealPath(path) {
  if (state.view !== "tree") showView("tree");
  treeView.reveal(state.trees.tree.nodeAt(path));
  treeView.element.focus();
}

/// The errors and warnings above the tree. One about a value leads to it.
function showProblems() {
  const { error, warnings = [], layers = [] } = state.document;
  const lines = [];
  if (error) lines.push(problemLine(error, "error"));
  for (const layer of layers) {
    if (layer.error) lines.push(problemLine({ message: `${layer.name}: ${layer.error}`, path: [] }, "error"));
  }
  for (const warning of warnings.slice(0, 100)) lines.push(problemLine(warning, "warning"));
  if (warnings.length > 100) lines.push(make("p", "problem-line warning", `and ${counted(warnings.length - 100, "further warning")}`));
  element("problems").replaceChildren(...lines);
  element("problems").hidden = lines.length === 0;
}

function problemLine(problem, kind) {
  const line = make("p", `problem-line ${kind}`);
  const place = placeText(problem);
  if (place) line.append(make("span", "problem-place", place));
  const message = make("span");
  appendVisible(message, problem.message, 1000);
  line.append(message);
  if (problem.path.length > 0) {
    const path = make(kind === "warning" ? "button" : "code", "link");
    appendVisible(path, problem.path.join("."), 200);
    if (kind === "warning") {
      path.addEventListener("click", () => revealPath(problem.path));
    }
    line.append(path);
  }
  return line;
}

// The list of documents

let documentList = null;

/// The path of the innermost folder that all files are in.
const sharedPath = index.documents.reduce((path, { name }) => {
  let length = Math.min(path.lastIndexOf("/"), name.lastIndexOf("/")) + 1;
  while (length > 0 && path.slice(0, length) !== name.slice(0, length)) {
    length = length > 1 ? path.lastIndexOf("/", length - 2) + 1 : 0;
  }
  return path.slice(0, length);
}, index.documents[0].name);

class DocumentList {
  constructor() {
    this.numbers = index.documents.map((_, number) => number);
    this.selected = 0;
    this.list = new VirtualList(element("list"), 44, (row, at) => this.render(row, this.numbers[at], at));
    element("filter").addEventListener("input", () => this.filter());
    element("kind").addEventListener("change", () => this.filter());
    element("list").addEventListener("click", (event) => this.choose(this.list.rowOf(event.target)));
    element("list").addEventListener("keydown", (event) => {
      const targets = { ArrowDown: this.selected + 1, ArrowUp: this.selected - 1, Home: 0, End: this.numbers.length - 1 };
      if (!(event.key in targets)) return;
      event.preventDefault();
      this.choose(Math.max(0, Math.min(targets[event.key], this.numbers.length - 1)));
    });
  }

  filter() {
    const text = element("filter").value.toLowerCase();
    const kind = element("kind").value;
    this.numbers = [];
    index.documents.forEach((entry, number) => {
      const isMatch = `${entry.name}\n${entry.summary}`.toLowerCase().includes(text);
      if (isMatch && (kind === "all" || problemOf(entry) === kind)) this.numbers.push(number);
    });
    this.selected = this.numbers.indexOf(state.number);
    this.list.setCount(this.numbers.length);
    announce(counted(this.numbers.length, "document"));
  }

  render(row, number, at) {
    const entry = index.documents[number];
    row.id = `file-${number}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", number === state.number);
    row.setAttribute("aria-posinset", at + 1);
    row.setAttribute("aria-setsize", this.numbers.length);
    if (number === state.number) row.classList.add("selected");
    row.title = entry.name;
    const slash = entry.name.lastIndexOf("/");
    const name = make("bdi", "file-name");
    appendVisible(name, entry.name.slice(slash + 1), 120);
    const note = make("span", "file-note");
    appendVisible(note, [entry.name.slice(sharedPath.length, slash + 1), entry.summary].filter(Boolean).join("  "), 200);
    if (problemOf(entry)) row.append(documentBadge(entry));
    row.append(name, note);
  }

  /// Opens a document, even if the filter hides it.
  open(number) {
    if (!this.numbers.includes(number)) {
      element("filter").value = "";
      element("kind").value = "all";
      this.filter();
    }
    this.choose(this.numbers.indexOf(number));
    element("list").focus();
  }

  choose(at) {
    if (at < 0 || at >= this.numbers.length) return;
    this.selected = at;
    openDocument(this.numbers[at]);
    element("list").setAttribute("aria-activedescendant", `file-${this.numbers[at]}`);
    this.list.show(at);
  }
}

// The panel

function tabs() {
  const { document: shown } = state;
  const tabs = [];
  if (state.trees[state.view]) tabs.push(["value", "Value"]);
  tabs.push(["file", shown.kind === "preferences" ? "Domain" : "File"]);
  if (shown.bytes) tabs.push(["bytes", "Bytes"]);
  if (shown.layers) tabs.push(["layers", "Layers"]);
  return tabs;
}

function showPanel(tab = state.tab) {
  state.tab = tab;
  state.mapView = null;
  treeView.light(-1);
  const detail = element("detail");
  detail.replaceChildren();
  detail.className = tab;
  document.body.classList.toggle("shows-bytes", tab === "bytes");
  element("tabs").replaceChildren(...tabs().map(([name, label]) => {
    const button = make("button", "", label);
    button.type = "button";
    button.id = `tab-${name}`;
    button.setAttribute("role", "tab");
    button.setAttribute("aria-selected", name === tab);
    button.setAttribute("aria-controls", "detail");
    button.tabIndex = name === tab ? 0 : -1;
    button.addEventListener("click", () => openTab(name));
    return button;
  }));
  detail.setAttribute("aria-labelledby", `tab-${tab}`);
  if (tab === "value") showSelected();
  if (tab === "file") showFacts(detail, [["name", state.document.name], ...state.document.facts]);
  if (tab === "layers") showLayers(detail, state.document.layers);
  if (tab === "bytes") showMap();
}

/// Shows a tab, and keeps the focus in the row of tabs, whose buttons are new.
function openTab(name) {
  showPanel(name);
  element(`tab-${name}`).focus();
}

element("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const names = tabs().map(([name]) => name);
  openTab(names[(names.indexOf(state.tab) + step + names.length) % names.length]);
});

function showSelected() {
  showValue(element("detail"), treeView.selected, {
    tree: treeView.tree, isGraph: state.view === "graph", facts: state.document.facts, warnings: state.warnings, layers: state.document.layers ?? [], settings: state.document.settings, names: state.document.names, announce,
    follow: () => {
      treeView.follow();
      treeView.element.focus();
    },
    showBytes: (object) => {
      showPanel("bytes");
      state.mapView.showObject(object, true);
      state.mapView.parts.element.focus();
    },
  });
}

function showMap() {
  state.map ??= new ByteMap(state.document.bytes);
  const { tree } = state.trees;
  const textOf = (object) => {
    const node = tree?.nodeOfObject?.get(object);
    if (node === undefined) return undefined;
    return tree.keyObjects[node] === object ? tree.key(node) : tree.display(node);
  };
  state.mapView = new MapView(element("detail"), state.map, textOf, {
    point: (object) => treeView.light(object),
    choose: (object) => {
      const node = tree?.nodeOfObject?.get(object);
      if (node !== undefined && state.view === "tree") {
        // The object may be a key, where the node would show the value.
        state.isChoosing = true;
        treeView.reveal(node);
        state.isChoosing = false;
      }
      treeView.light(object);
    },
  });
  const object = tree?.objects?.[treeView.selected] ?? -1;
  if (object >= 0) state.mapView.showObject(object, true);
}

function selectNode(node) {
  if (state.isChoosing) return;
  if (state.tab === "bytes") {
    const object = state.view === "tree" ? treeView.tree.objects?.[node] ?? -1 : -1;
    if (object >= 0) state.mapView?.showObject(object, true);
  } else {
    showPanel("value");
  }
}

function pointAtNode(node) {
  const object = node < 0 || state.view !== "tree" ? -1 : treeView.tree.objects?.[node] ?? -1;
  if (!state.mapView) return;
  treeView.light(object);
  state.mapView.showObject(object, object >= 0);
}

// Search

const search = new Search(() => {
  showMatches();
  // The first match is shown as soon as it is found.
  if (search.matches.length > 0 && state.awaitsMatch) {
    state.awaitsMatch = false;
    step(1, true);
  }
});

/// Shows how many matches there are, and which one is selected; with an ellipsis while the search
/// continues.
function showMatches(place = search.matches.indexOf(treeView.selected)) {
  const { matches, isComplete } = search;
  const isCut = matches.length >= maximumMatches;
  const count = (isCut ? "the first " : "") + counted(matches.length, "match", "matches") + (isComplete ? "" : " …");
  element("matches").textContent = element("query").value === "" ? ""
    : matches.length === 0 ? (isComplete ? "no matches" : "…")
    : place < 0 ? count : `${(place + 1).toLocaleString()} of ${count}`;
  element("previous").disabled = element("next").disabled = matches.length === 0;
}

function startSearch() {
  const query = element("query").value;
  const scope = element("scope").value;
  state.awaitsMatch = query !== "";
  treeView.mark(query.toLowerCase(), scope);
  search.start(treeView.tree, query, scope);
}

function clearSearch() {
  element("query").value = "";
  search.stop();
  showMatches();
  treeView.query = "";
}

/// Selects the next match, or the previous one.
function step(direction, includesSelected = false) {
  const { matches } = search;
  if (matches.length === 0) return;
  const { selected } = treeView;
  let place;
  if (direction > 0) {
    place = matches.findIndex((node) => (includesSelected ? node >= selected : node > selected));
    if (place < 0) place = 0;
  } else {
    place = matches.findLastIndex((node) => node < selected);
    if (place < 0) place = matches.length - 1;
  }
  treeView.reveal(matches[place]);
  element("only").checked = treeView.onlyDifferences;
  showMatches(place);
}

let waiting;
element("query").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(startSearch, 120);
});
element("scope").addEventListener("change", startSearch);
element("query").addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  } else if (event.key === "ArrowDown") {
    event.preventDefault();
    treeView.element.focus();
  } else if (event.key === "Escape") {
    element("query").value = "";
    startSearch();
  }
});
element("next").addEventListener("click", () => step(1));
element("previous").addEventListener("click", () => step(-1));
document.addEventListener("keydown", (event) => {
  const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  const isSearch = (event.key === "/" && !isField) || (event.key === "f" && (event.ctrlKey || event.metaKey));
  if (!isSearch || element("search").hidden) return;
  event.preventDefault();
  event.stopPropagation();
  element("query").focus();
  element("query").select();
}, true);

// Tools

element("expand").addEventListener("click", () => treeView.expandAll(true));
element("collapse").addEventListener("click", () => treeView.expandAll(false));
element("changed").addEventListener("change", showSettings);
element("only").addEventListener("change", (event) => treeView.showDifferences(event.target.checked));
element("later").addEventListener("click", () => stepDifference(1));
element("earlier").addEventListener("click", () => stepDifference(-1));

/// Selects the next value that differs, or the previous one.
function stepDifference(direction) {
  const { tree, selected } = treeView;
  for (let distance = 1; distance <= tree.count; distance += 1) {
    const node = (selected + direction * distance + tree.count * 2) % tree.count;
    const isDifference = tree.state(node) === "*" ? !tree.hasChildren(node)
      : tree.state(node) !== "=" && tree.state(tree.parent[node]) === "*";
    if (isDifference) return treeView.reveal(node);
  }
}

element("theme").addEventListener("change", (event) => {
  document.documentElement.style.colorScheme = event.target.value;
});

// Printing

/// Rows that cannot be seen have no elements, but are printed.
function fillPrint() {
  const paper = element("print");
  paper.replaceChildren();
  if (treeView.tree === undefined || element("tree").hidden) return;
  for (const node of treeView.rows.subarray(0, printedRows)) {
    const row = make("div", "row");
    treeView.render(row, node);
    row.removeAttribute("id");
    paper.append(row);
  }
  if (treeView.rows.length > printedRows) {
    paper.append(make("p", "", `${counted(treeView.rows.length - printedRows, "further value")}: collapse what is not to be printed`));
  }
}
addEventListener("beforeprint", fillPrint);
addEventListener("afterprint", () => element("print").replaceChildren());

if (index.documents.length > 1) {
  element("documents").hidden = false;
  document.body.classList.add("has-documents");
  documentList = new DocumentList();
  documentList.list.setCount(index.documents.length);
}
if (index.opensOnSummary && documentList) {
  element("back").hidden = false;
  element("back").addEventListener("click", showOverview);
  showOverview();
  element("overview").focus({ preventScroll: true });
} else {
  openDocument(0);
  element(state.view === "settings" ? "settings" : "tree").focus({ preventScroll: true });
}
performance.mark("shown");
