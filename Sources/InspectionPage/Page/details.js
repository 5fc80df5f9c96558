// The details of a value: its key path, its full text, its bytes, its warnings.

/// How much of a text is shown; all of it can be copied.
const maximumText = 100_000;

/// Fills an element with the details of a node.
///
/// - context: `tree`, `isGraph`, `facts`, `warnings` by node, `layers`, `settings` of a manifest, `names` of the files of a comparison, `bytes` of the map, and the functions
///   `announce(text)`, `follow()` and `showBytes(object)`.
function showValue(element, node, context) {
  const { tree } = context;
  element.replaceChildren();
  addPath(element, tree, node, context);
  const title = make("p", "line");
  const [name, group] = types[tree.types[node]];
  title.append(make("span", `type ${group}`, name));
  const layer = tree.layer(node);
  if (layer !== undefined) {
    title.append(make("span", "layer", context.layers[layer]?.name ?? ""));
    if (tree.shadowed.has(node)) title.append(make("span", "", "shadowed: another layer's value counts"));
  }
  addPlace(title, node, context);
  element.append(title);
  if (tree.parent[node] < 0) showFacts(element, context.facts);
  else if (!context.isGraph) addSetting(element, settingAt(context.settings, tree.components(node)));
  for (const message of context.warnings.get(node) ?? []) {
    element.append(make("p", "problem-line warning", message));
  }
  if (tree.state(node) === "*" && !tree.hasChildren(node)) {
    const [type, text] = tree.other(node);
    addContent(element, tree.types[node], tree.text(node), 0, context, context.names[0]);
    addContent(element, type, text, 0, context, context.names[1]);
  } else if (tree.parent[node] >= 0) {
    addContent(element, tree.types[node], tree.text(node), tree.valueCount(node), context);
  }
}

function addPath(element, tree, node, context) {
  const path = tree.keyPath(node);
  const box = make("div", "path");
  const code = make("code");
  if (path) appendVisible(code, path, 5000);
  else code.append(make("span", "quiet", "the whole property list"));
  box.append(code);
  if (tree.nestingNode(node) >= 0) code.append(make("span", "quiet", path ? " in the property list in data" : " in data"));
  // The objects of an archive have other paths in the file.
  if (path && !context.isGraph) box.append(copyButton("Copy key path", () => path, context));
  element.append(box);
}

function copyButton(label, textOf, context) {
  const button = make("button", "", label);
  button.type = "button";
  button.addEventListener("click", async () => {
    const copied = await copy(textOf());
    context.announce(copied ? "Copied" : "The browser does not allow copying");
    button.textContent = copied ? "Copied" : "Not allowed";
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}

function addPlace(line, node, context) {
  const { tree } = context;
  if (tree.lines?.[node]) line.append(make("span", "quiet", `line ${tree.lines[node]}`));
  const object = tree.objects?.[node] ?? -1;
  if (object < 0) return;
  const button = make("button", "link", `object ${object}`);
  button.type = "button";
  button.title = "Show its bytes";
  button.addEventListener("click", () => context.showBytes(object));
  line.append(button);
}

function addContent(element, type, text, children, context, heading) {
  if (heading) {
    const title = make("h3");
    appendVisible(title, heading);
    element.append(title);
  }
  switch (type) {
    case "s": case "T": return addText(element, type === "T" ? text.slice(text.indexOf(" ") + 1) : text, context);
    case "D": return addDate(element, text);
    case "x": case "X": return addData(element, text, context);
    case "R": return addReference(element, text, context);
    case "d": case "a": case "S": case "o":
      element.append(make("p", "quiet", children === 0 ? "empty" : counted(children, "value")));
      return;
    case "t": case "f": case "n":
      element.append(make("pre", "", { t: "true", f: "false", n: "null" }[type]));
      return;
    default: return addText(element, text, context);
  }
}

function addText(element, text, context) {
  const line = make("p", "line");
  line.append(make("span", "quiet", counted([...text.slice(0, maximumText)].length, "character")
    + (text.length > maximumText ? ` shown of ${counted(text.length, "UTF-16 unit")}` : "")));
  line.append(copyButton("Copy value", () => text, context));
  const block = make("pre");
  block.dir = "auto";
  block.tabIndex = 0;
  appendVisible(block, text, maximumText, "", true);
  element.append(line, block);
}

function addDate(element, seconds) {
  const { local, utc } = dateTexts(seconds);
  const table = make("dl");
  table.append(make("dt", "", "Local"), make("dd", "", local), make("dt", "", "UTC"), make("dd", "", utc));
  table.append(make("dt", "", "Since 2001"), make("dd", "", `${seconds} s`));
  element.append(table);
}

function addReference(element, text, context) {
  element.append(make("p", "", `This object is elsewhere in the archive: number ${text.split(" ", 1)[0]}.`));
  const button = make("button", "", "Go to the object");
  button.type = "button";
  button.addEventListener("click", () => context.follow());
  element.append(button);
}

/// Data as digits, text and image, one of them at a time.
function addData(element, base64, context) {
  const bytes = bytesOf(base64);
  const image = imageType(bytes);
  const text = textOf(bytes);
  const views = [["Hex", () => hexOf(bytes)]];
  if (text !== null) views.push(["Text", () => preOf(text)]);
  if (image) views.unshift(["Image", () => imageOf(image, base64)]);
  const line = make("p", "line");
  const buttons = make("span", "segments");
  const box = make("div", "data");
  const show = (index) => {
    [...buttons.children].forEach((button, other) => button.setAttribute("aria-pressed", index === other));
    views[index][1]().forEach((part, place) => (place === 0 ? box.replaceChildren(part) : part()));
  };
  views.forEach(([label], index) => {
    const button = make("button", "", label);
    button.type = "button";
    button.addEventListener("click", () => show(index));
    buttons.append(button);
  });
  line.append(make("span", "quiet", counted(bytes.length, "byte")), buttons, copyButton("Copy base64", () => base64, context));
  element.append(line, box);
  show(0);
}

/// The text of bytes in UTF-8, or in UTF-16 with a byte-order mark; null for other bytes.
function textOf(bytes) {
  if (bytes.length === 0) return null;
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(mark, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function hexOf(bytes) {
  const view = make("div", "data-hex");
  view.tabIndex = 0;
  // The view must be in the page before it knows which rows can be seen.
  return [view, () => {
    const width = view.clientWidth < 560 ? 8 : 16;
    view.style.height = `${Math.min(Math.ceil(bytes.length / width) * 20 + 2, 420)}px`;
    new HexView(view, bytes, { width });
  }];
}

function preOf(text) {
  const block = make("pre");
  block.tabIndex = 0;
  appendVisible(block, text, maximumText, "", true);
  return [block];
}

function imageOf(type, base64) {
  const image = make("img");
  image.alt = "The image in the data";
  image.src = `data:${type};base64,${base64}`;
  return [image];
}

/// Fills an element with the facts about a document.
function showFacts(element, facts) {
  const table = make("dl");
  for (const [label, text] of facts) {
    const value = make("dd");
    appendVisible(value, text, 2000);
    table.append(make("dt", "", label), value);
  }
  element.append(table);
}

/// Fills an element with the layers of preferences.
function showLayers(element, layers) {
  for (const layer of layers) {
    const box = make("section", "layer-box");
    box.append(make("h3", "", layer.name));
    if (layer.error) box.append(make("p", "problem-line error", layer.error));
    showFacts(box, layer.facts);
    element.append(box);
  }
}

/// The place of a warning or an error in words.
function placeText(problem) {
  if (problem.line) return `line ${problem.line}, column ${problem.column}`;
  return problem.byte === undefined ? "" : `byte ${problem.byte} (${offsetText(problem.byte)})`;
}
