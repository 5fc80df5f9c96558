// A file that is not a valid property list, as text or as bytes, with the error at its place.

/// How much of a line is shown, and how much of it before an error.
const maximumLine = 2000;
const maximumBefore = 400;

/// Shows the bytes of a file in a new element that replaces the old one, and scrolls to the error.
///
/// A list listens to its element, and would continue to do so when the element shows the next
/// document.
function showSource(old, source, error) {
  const element = old.cloneNode(false);
  old.replaceWith(element);
  const bytes = bytesOf(source.base64);
  element.className = "";
  if (source.isText && error.byte === undefined) showLines(element, source, bytes, error);
  else showBytes(element, source, bytes);
}

function showLines(element, source, bytes, error) {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/);
  const errorRow = error.line ? error.line - source.line : -1;
  const rows = lines.length + (errorRow >= 0 ? 1 : 0);
  // The visible part of a long line may begin anywhere.
  if (source.column > 1) lines[0] = `…${lines[0]}`;
  const column = errorRow === 0 && source.column > 1 ? error.column - source.column + 2 : error.column;
  const parts = errorRow >= 0 ? partsOf(lines[errorRow], column) : null;
  element.classList.add("text");
  const list = new VirtualList(element, 20, (row, index) => {
    if (index === errorRow + 1 && errorRow >= 0) return renderError(row, error);
    const line = errorRow >= 0 && index > errorRow ? index - 1 : index;
    const text = make("span", "source-line");
    row.append(make("span", "offset", String(source.line + line)), text);
    if (line !== errorRow) return appendVisible(text, lines[line], maximumLine, "", true);
    row.classList.add("error-line");
    renderParts(text, parts);
  });
  list.setCount(rows);
  if (errorRow >= 0) list.center(errorRow);
}

/// A line in three parts: the text before a column, the character there, and the text after it.
function partsOf(line, column) {
  const characters = Array.from(line);
  const start = Math.max(0, column - 1 - maximumBefore);
  return {
    before: (start > 0 ? "…" : "") + characters.slice(start, column - 1).join(""),
    marked: characters[column - 1] ?? " ",
    after: characters.slice(column).join(""),
  };
}

/// Shows the parts of the line with the error. The beginning of the first part is cut off if the
/// error would be out of sight.
function renderParts(element, { before, marked, after }) {
  const [first, mark, last] = [make("span", "before"), make("mark", "error-mark"), make("span", "after")];
  const text = make("bdi");
  appendVisible(text, before, maximumLine, "", true);
  first.append(text);
  appendVisible(mark, marked);
  appendVisible(last, after, maximumLine, "", true);
  element.append(first, mark, last);
}

function renderError(row, error) {
  row.classList.add("error-message");
  row.append(make("span", "offset", "✗"), make("span", "", error.message));
}

function showBytes(element, source, bytes) {
  const at = source.error === undefined ? -1 : source.error - source.start;
  const view = new HexView(element, bytes, {
    start: source.start, styleOf: (offset) => (offset === at ? "error-mark" : ""),
  });
  if (at >= 0) view.center(Math.min(at, bytes.length - 1));
}
