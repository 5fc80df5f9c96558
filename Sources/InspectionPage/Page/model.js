// The documents of the page, each of which is JSON in its own element.

/// Reads the JSON of an element.
function readElement(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/// The names of types by their letters, and the classes that color them.
const types = {
  d: ["dictionary", "container"], a: ["array", "container"], S: ["set", "container"], o: ["object", "object"],
  s: ["string", "string"], i: ["integer", "number"], r: ["real", "number"], t: ["boolean", "constant"],
  f: ["boolean", "constant"], D: ["date", "date"], x: ["data", "data"], X: ["data", "data"], u: ["UID", "number"],
  n: ["null", "constant"], T: ["object", "object"], R: ["reference", "reference"], m: ["missing", "problem"],
};

const withChildren = new Set(["d", "a", "S", "X", "o"]);
const withText = new Set(["s", "i", "r", "D", "x", "X", "u", "o", "T", "R", "m"]);

/// A tree of values in columns, by the numbers of its nodes in depth-first order.
class Tree {
  constructor(json) {
    this.json = json;
    this.types = json.types;
    const count = (this.count = json.types.length);
    /// The number of the parent of each node; -1 for a root.
    this.parent = new Int32Array(count).fill(-1);
    /// The number of the node after each node and its descendants.
    this.end = new Int32Array(count);
    /// The number of ancestors of each node.
    this.depth = new Uint16Array(count);
    /// The position of each node in its parent.
    this.index = new Int32Array(count);
    /// The number of children of each node.
    this.children = new Int32Array(count);
    this.textNumber = new Int32Array(count).fill(-1);
    this.connect();
    if (json.lines) this.lines = json.lines;
    if (json.objects) this.connectObjects();
    this.shadowed = new Set(json.shadowed ?? []);
  }

  connect() {
    const open = [];
    const remaining = [];
    let [containers, texts] = [0, 0];
    for (let node = 0; node < this.count; node += 1) {
      const depth = open.length;
      if (depth > 0) {
        const parent = open[depth - 1];
        this.parent[node] = parent;
        this.index[node] = this.children[parent] - remaining[depth - 1];
        remaining[depth - 1] -= 1;
      }
      this.depth[node] = depth;
      this.end[node] = node + 1;
      const type = this.types[node];
      if (withText.has(type)) this.textNumber[node] = texts++;
      if (withChildren.has(type)) {
        this.children[node] = this.json.counts[containers++];
        open.push(node);
        remaining.push(this.children[node]);
      }
      while (open.length > 0 && remaining[open.length - 1] === 0) {
        this.end[open.pop()] = node + 1;
        remaining.pop();
      }
    }
  }

  /// The nodes of the objects of a binary property list: the first with the object as its value, or as its key.
  connectObjects() {
    this.objects = this.json.objects;
    this.keyObjects = this.json.keyObjects ?? [];
    this.nodeOfObject = new Map();
    for (let node = 0; node < this.count; node += 1) {
      for (const object of [this.objects[node], this.keyObjects[node]]) {
        if (object >= 0 && !this.nodeOfObject.has(object)) this.nodeOfObject.set(object, node);
      }
    }
  }

  /// The key of a node; null for an element and for a root.
  key(node) {
    const name = this.json.names[node];
    return name < 0 ? null : this.json.keys[name];
  }

  /// The label of a value: its key, or its index in an array. Elements of sets have none.
  label(node) {
    const key = this.key(node);
    if (key !== null || this.parent[node] < 0) return key ?? "Root";
    const around = this.types[this.parent[node]];
    if (around === "X") return "Property list";
    if (around === "S") return "•";
    return String(this.position(node, 0));
  }

  /// The index of an element in the first or second file of a comparison, or in the only one.
  position(node, side) {
    if (!this.json.states) return this.index[node];
    const [own, other] = side === 0 ? [this.json.first, this.json.second] : [this.json.second, this.json.first];
    return own[node] >= 0 ? own[node] : other[node];
  }

  /// The text of a node as it is in the document; undefined for types without one.
  text(node) {
    const number = this.textNumber[node];
    return number < 0 ? undefined : this.json.texts[number];
  }

  /// The components of the key path, from the root, or from the root of the nested property list.
  /// In a comparison, they refer to the first file, or to the second file for a value that only
  /// this file has.
  components(node) {
    const side = this.state(node) === "+" ? 1 : 0;
    const components = [];
    for (let at = node; this.parent[at] >= 0 && this.types[this.parent[at]] !== "X"; at = this.parent[at]) {
      const inSet = this.types[this.parent[at]] === "S";
      components.unshift(this.key(at) ?? (inSet ? "*" : String(this.position(at, side))));
    }
    return components;
  }

  /// The data that contains the nested property list of a node; -1 for a node of the document
  /// itself.
  nestingNode(node) {
    let at = this.parent[node];
    while (at >= 0 && this.types[at] !== "X") at = this.parent[at];
    return at;
  }

  /// The key path as plutil takes it.
  keyPath(node) {
    return keyPathOf(this.components(node));
  }

  /// The node at a path of keys and indices, or the innermost node on the path that exists.
  nodeAt(path) {
    let node = 0;
    for (const component of path) {
      const child = this.childrenByComponent(node).get(component);
      if (child === undefined) return node;
      node = child;
    }
    return node;
  }

  /// The children of a node by their keys or indices; of several with the same key, the first.
  childrenByComponent(node) {
    this.lookedUp ??= new Map();
    let children = this.lookedUp.get(node);
    if (children) return children;
    children = new Map();
    for (let child = node + 1; child < this.end[node]; child = this.end[child]) {
      const component = this.key(child) ?? String(this.index[child]);
      if (!children.has(component)) children.set(component, child);
    }
    this.lookedUp.set(node, children);
    return children;
  }

  hasChildren(node) {
    return this.children[node] > 0;
  }

  state(node) {
    return this.json.states?.[node] ?? "";
  }

  layer(node) {
    return this.json.layers?.[node];
  }

  /// The number of values that a container has in the first or second file of a comparison.
  childrenOn(side, node) {
    if (this.state(node) !== "*") return this.children[node];
    this.counts ??= new Map();
    if (!this.counts.has(node)) {
      const counts = [0, 0];
      for (let child = node + 1; child < this.end[node]; child = this.end[child]) {
        const state = this.state(child);
        if (state !== "+") counts[0] += 1;
        if (state !== "-") counts[1] += 1;
      }
      this.counts.set(node, counts);
    }
    return this.counts.get(node)[side];
  }

  /// The type and text that a node has in the second file of a comparison.
  other(node) {
    return this.json.others?.[node] ?? [this.types[node], this.text(node)];
  }

  /// The node of the object that a reference leads to; -1 if there is none.
  target(node) {
    const [number] = this.text(node).split(" ", 1);
    if (!this.numbers) {
      this.numbers = new Map();
      for (let at = 0; at < this.count; at += 1) {
        if (this.types[at] === "o") this.numbers.set(this.text(at).split(" ", 1)[0], at);
      }
    }
    return this.numbers.get(number) ?? -1;
  }

  /// The value of a node on one line, for people.
  display(node) {
    return describe(this.types[node], this.text(node), this.valueCount(node));
  }

  /// The number of values in a node. Preferences shadowed by other layers are not counted.
  valueCount(node) {
    return this.children[node] - (node === 0 ? this.shadowed.size : 0);
  }
}

/// A key path as plutil takes it.
function keyPathOf(components) {
  if (components.length === 1 && components[0] === "") return "\\";
  return components.map((component) => component.replace(/[.\\]/g, "\\$&")).join(".");
}

/// A value on one line.
function describe(type, text, children) {
  switch (type) {
    case "d": return children === 0 ? "empty" : counted(children, "key");
    case "a": case "S": return children === 0 ? "empty" : counted(children, "element");
    case "t": return "true";
    case "f": return "false";
    case "n": return "null";
    case "D": return dateTexts(text).local;
    case "x": return describeData(text);
    case "X": return `${counted(sizeOf(text), "byte")}, property list`;
    case "o": case "R": return describeObject(text);
    case "T": return text.slice(text.indexOf(" ") + 1);
    case "m": return `object ${text} does not exist`;
    default: return text;
  }
}

function describeObject(text) {
  const space = text.indexOf(" ");
  const [number, name] = [text.slice(0, space), text.slice(space + 1)];
  return number === "" ? name : `${name} #${number}`;
}

function describeData(base64) {
  const start = bytesOf(base64.slice(0, 32));
  const size = sizeOf(base64);
  const image = imageType(start);
  if (image) return `${counted(size, "byte")}, ${image.slice(6).toUpperCase()} image`;
  return `${counted(size, "byte")}${size > 0 ? "  " : ""}${hex(start.subarray(0, 16), " ")}${size > 16 ? " …" : ""}`;
}
