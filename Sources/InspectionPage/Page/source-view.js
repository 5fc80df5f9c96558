// A file that is not a valid property list, as text or as bytes, with the error at its place.
import { appendVisible, bytesOf, make } from "./text.js";
import { HexView } from "./bytes-view.js";
import { VirtualList } from "./virtual-list.js";

/// How much of a line is shown.
const maximumLine = 2000;

/// Shows the bytes of a file, and scrolls to the error.
export function showSource(element, source, error) {
  const bytes = bytesOf(source.base64);
  element.className = "";
  if (source.isText && error.byte === undefined) showLines(element, source, bytes, error);
  else showBytes(element, source, bytes, error);
}

function showLines(element, source, bytes, error) {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/);
  const errorRow = error.line ? error.line - source.line : -1;
  const rows = lines.length + (errorRow >= 0 ? 1 : 0);
  element.classList.add("text");
  const list = new VirtualList(element, 20, (row, index) => {
    if (index === errorRow + 1 && errorRow >= 0) return renderError(row, error);
    const line = errorRow >= 0 && index > errorRow ? index - 1 : index;
    if (line === errorRow) row.classList.add("error-line");
    const text = make("span", "source-line");
    renderLine(text, lines[line], line === errorRow ? error.column : 0);
    row.append(make("span", "offset", String(source.line + line)), text);
  });
  list.setCount(rows);
  if (errorRow >= 0) list.center(errorRow);
}

function renderLine(element, text, column) {
  // A long line is shown around the error.
  const start = Math.max(0, column - maximumLine / 2);
  if (column === 0) return appendVisible(element, text, maximumLine, "", true);
  const characters = Array.from(text);
  appendVisible(element, characters.slice(start, column - 1).join(""), maximumLine, "", true);
  const mark = make("mark", "error-mark");
  appendVisible(mark, characters[column - 1] ?? " ");
  element.append(mark);
  appendVisible(element, characters.slice(column, start + maximumLine).join(""), maximumLine, "", true);
}

function renderError(row, error) {
  row.classList.add("error-message");
  row.append(make("span", "offset", "✗"), make("span", "", error.message));
}

function showBytes(element, source, bytes, error) {
  const at = error.byte === undefined ? -1 : error.byte - source.start;
  const view = new HexView(element, bytes, {
    start: source.start, styleOf: (offset) => (offset === at ? "error-mark" : ""),
  });
  if (at >= 0) view.center(Math.min(at, bytes.length - 1));
}
