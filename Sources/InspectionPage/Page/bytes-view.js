// Bytes in hexadecimal digits, and the map of a binary property list.

/// Bytes in rows, as digits and as characters.
class HexView {
  /// - width: The number of bytes in a row.
  /// - styleOf: Returns the class of the byte at an offset; bytes of one class in a row are one element.
  constructor(element, bytes, { width = 16, start = 0, styleOf = () => "", partOf = () => -1 } = {}) {
    this.bytes = bytes;
    this.width = width;
    this.start = start;
    this.styleOf = styleOf;
    this.partOf = partOf;
    element.classList.add("hex");
    this.list = new VirtualList(element, 20, (row, index) => this.render(row, index));
    this.list.setCount(Math.ceil(bytes.length / width));
  }

  render(row, index) {
    const start = index * this.width;
    const end = Math.min(start + this.width, this.bytes.length);
    row.append(make("span", "offset", offsetText(this.start + start)));
    const digits = make("span", "digits");
    const characters = make("span", "characters");
    for (let from = start; from < end;) {
      const style = this.styleOf(from);
      const part = this.partOf(from);
      let to = from + 1;
      while (to < end && this.styleOf(to) === style && this.partOf(to) === part) to += 1;
      const run = this.bytes.subarray(from, to);
      const last = to === end;
      const pairs = Array.from(run, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
      const text = Array.from(run, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
      for (const [parent, content] of [[digits, pairs + (last ? "" : " ")], [characters, text]]) {
        const span = make("span", style, content);
        span.dataset.offset = from;
        parent.append(span);
      }
      from = to;
    }
    digits.append("   ".repeat(start + this.width - end));
    row.append(digits, characters);
  }

  show(offset) {
    this.list.show(Math.floor(offset / this.width));
  }

  center(offset) {
    this.list.center(Math.floor(offset / this.width));
  }

  /// The offset of the first byte of the run under an event; -1 outside of the bytes.
  offsetOf(event) {
    const offset = event.target.dataset?.offset;
    return offset === undefined ? -1 : Number(offset);
  }
}

const kinds = [
  [0x10, 0xf0, "integer"], [0x20, 0xf0, "real"], [0x30, 0xf0, "date"], [0x40, 0xf0, "data"], [0x50, 0xf0, "ASCII string"],
  [0x60, 0xf0, "UTF-16 string"], [0x80, 0xf0, "UID"], [0xa0, 0xf0, "array"], [0xc0, 0xf0, "set"], [0xd0, 0xf0, "dictionary"],
  [0x00, 0xff, "null"], [0x08, 0xff, "false"], [0x09, 0xff, "true"],
];

const groups = {
  integer: "number", real: "number", date: "date", data: "data", "ASCII string": "string", "UTF-16 string": "string",
  UID: "number", array: "container", set: "container", dictionary: "container",
};

/// The parts of a binary property list, in the order of their bytes.
class ByteMap {
  constructor(json) {
    this.bytes = bytesOf(json.base64);
    this.parts = [{ start: 0, end: 8, name: "header", group: "frame", object: -1 }];
    const unreachable = new Set(json.unreachable);
    this.unreachableCount = unreachable.size;
    json.offsets.forEach((start, object) => {
      if (start < 0) return;
      const kind = kinds.find(([value, mask]) => (json.markers[object] & mask) === value)?.[2] ?? "unknown";
      this.parts.push({
        start, end: json.ends[object], object, kind, name: `object ${object}`, group: groups[kind] ?? "constant",
        isTop: object === json.top, isUnreachable: unreachable.has(object),
      });
    });
    for (const [start, end] of json.gaps) this.parts.push({ start, end, name: "gap", group: "gap", object: -1 });
    const trailer = this.bytes.length - 32;
    this.parts.push({ start: json.table, end: trailer, name: "offset table", group: "frame", object: -1,
      kind: `${counted(json.offsets.length, "offset")} of ${counted(json.offsetSize, "byte")}` });
    this.parts.push({ start: trailer, end: this.bytes.length, name: "trailer", group: "frame", object: -1,
      kind: `references of ${counted(json.referenceSize, "byte")}, top object ${json.top}` });
    this.parts.sort((first, second) => first.start - second.start || second.end - first.end);
    this.partOfObject = new Map();
    this.parts.forEach((part, index) => {
      if (part.object >= 0) this.partOfObject.set(part.object, index);
    });
  }

  /// The bytes of a part as text, for parts that have no value in the tree.
  text(part) {
    const bytes = this.bytes.subarray(part.start, Math.min(part.end, part.start + 80));
    if (part.group === "gap") return hex(bytes.subarray(0, 16), " ");
    const start = (bytes[0] & 0x0f) === 0x0f ? 2 + (1 << (bytes[1] & 0x0f)) : 1;
    switch (part.kind) {
      case "ASCII string": return new TextDecoder("latin1").decode(bytes.subarray(start));
      case "UTF-16 string": return new TextDecoder("utf-16be").decode(bytes.subarray(start));
      case "integer": case "real": case "date": case "UID": return `0x${hex(bytes.subarray(1))}`;
      case "data": return hex(bytes.subarray(start, start + 16), " ");
      default: return "";
    }
  }

  /// The number of the last part that contains an offset; -1 if there is none.
  partAt(offset) {
    let [low, high] = [0, this.parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.parts[middle].start <= offset) low = middle;
      else high = middle - 1;
    }
    while (low > 0 && this.parts[low].end <= offset) low -= 1;
    return this.parts[low].end > offset ? low : -1;
  }
}

/// The map of a binary property list: its parts, and its bytes, in the colors of the parts.
class MapView {
  /// - events: Functions that are called: `point(object)` with -1 for none, `choose(object)`.
  constructor(element, map, textOf, events) {
    this.map = map;
    this.textOf = textOf;
    this.events = events;
    this.lit = -1;
    const summary = make("p", "map-summary",
      `${counted(map.bytes.length, "byte")}, ${counted(map.partOfObject.size, "object")}`
      + (map.unreachableCount ? `, ${counted(map.unreachableCount, "object")} that nothing refers to` : "")
      + this.gapText());
    const partsElement = make("div", "parts");
    partsElement.setAttribute("role", "listbox");
    partsElement.setAttribute("aria-label", "Parts of the file");
    partsElement.tabIndex = 0;
    const hexElement = make("div", "map-hex");
    hexElement.setAttribute("role", "region");
    hexElement.setAttribute("aria-label", "Bytes of the file");
    hexElement.tabIndex = 0;
    element.replaceChildren(summary, partsElement, hexElement);
    this.parts = new VirtualList(partsElement, 22, (row, index) => this.renderPart(row, index));
    this.parts.setCount(map.parts.length);
    this.hex = new HexView(hexElement, map.bytes, {
      styleOf: (offset) => this.styleOf(offset), partOf: (offset) => this.partAt(offset),
    });
    const partOfEvent = (event) => this.parts.rowOf(event.target);
    const partOfByte = (event) => {
      const offset = this.hex.offsetOf(event);
      return offset < 0 ? -1 : map.partAt(offset);
    };
    for (const [target, find] of [[partsElement, partOfEvent], [hexElement, partOfByte]]) {
      target.addEventListener("mousemove", (event) => this.point(find(event), target === hexElement));
      target.addEventListener("mouseleave", () => this.point(-1));
      target.addEventListener("click", (event) => this.choose(find(event)));
    }
    partsElement.addEventListener("keydown", (event) => this.press(event));
  }

  gapText() {
    const gaps = this.map.parts.filter((part) => part.group === "gap");
    if (gaps.length === 0) return "";
    const size = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0);
    return `, ${counted(size, "byte")} in ${counted(gaps.length, "gap")}`;
  }

  /// The part that contains a byte. Rows ask for the same bytes more than once.
  partAt(offset) {
    if (this.cached?.offset !== offset) this.cached = { offset, part: this.map.partAt(offset) };
    return this.cached.part;
  }

  styleOf(offset) {
    const part = this.partAt(offset);
    if (part < 0) return "";
    const { group, isUnreachable } = this.map.parts[part];
    return `${group}${isUnreachable ? " unreachable" : ""}${part === this.lit ? " lit" : ""}`;
  }

  renderPart(row, index) {
    const part = this.map.parts[index];
    row.id = `part-${index}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", index === this.lit);
    if (index === this.lit) row.classList.add("lit");
    const notes = [part.isTop && "top", part.isUnreachable && "unreferenced"].filter(Boolean);
    const text = this.textOf(part.object) ?? this.map.text(part);
    row.setAttribute("aria-label", plain(
      [part.name, part.kind, `at ${part.start}`, counted(part.end - part.start, "byte"), ...notes, text].filter(Boolean).join(", ")));
    row.append(make("span", "offset", offsetText(part.start)), make("span", "length", String(part.end - part.start)));
    row.append(make("span", `swatch ${part.group}`), make("span", "part-name", part.name));
    row.append(make("span", "part-kind", part.kind ?? ""));
    for (const note of notes) row.append(make("span", `badge ${note}`, note));
    const value = make("bdi", "part-text");
    appendVisible(value, text, 80);
    row.append(value);
  }

  point(part, isFromBytes = false) {
    if (part === this.lit) return;
    this.light(part);
    if (isFromBytes && part >= 0) this.parts.show(part);
    this.events.point(part < 0 ? -1 : this.map.parts[part].object);
  }

  /// Marks a part; -1 for none.
  light(part) {
    if (part === this.lit) return;
    this.lit = part;
    this.parts.update();
    this.hex.list.update();
  }

  /// Marks an object, and scrolls to it.
  showObject(object, scrolls) {
    const part = this.map.partOfObject.get(object) ?? -1;
    this.light(part);
    if (part < 0 || !scrolls) return;
    this.parts.show(part);
    this.hex.show(this.map.parts[part].start);
  }

  choose(part) {
    if (part < 0) return;
    this.light(part);
    this.hex.show(this.map.parts[part].start);
    this.parts.element.setAttribute("aria-activedescendant", `part-${part}`);
    if (this.map.parts[part].object >= 0) this.events.choose(this.map.parts[part].object);
  }

  press(event) {
    const last = this.map.parts.length - 1;
    const targets = { ArrowDown: this.lit + 1, ArrowUp: this.lit - 1, Home: 0, End: last };
    if (!(event.key in targets)) return;
    event.preventDefault();
    const part = Math.max(0, Math.min(targets[event.key], last));
    this.light(part);
    this.parts.show(part);
    this.choose(part);
  }
}
