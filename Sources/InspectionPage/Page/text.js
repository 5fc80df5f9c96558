// Texts as the page shows them. No text of a property list becomes an element, or an attribute that
// does anything.

/// Creates an element with a class and a text.
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/// Characters that are invisible, or change the order or place of others.
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;
const names = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/// Appends a text on one line, with invisible characters as escapes and matches marked.
function appendVisible(parent, text, limit = 400, query = "", keepsLines = false) {
  const cut = text.length > limit ? text.slice(0, limit) : text;
  let position = 0;
  for (const match of cut.matchAll(unseen)) {
    if (keepsLines && (match[0] === "\n" || match[0] === "\t")) continue;
    appendMarked(parent, cut.slice(position, match.index), query);
    const code = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parent.append(make("span", "escape", names[match[0]] ?? `U+${code}`));
    position = match.index + match[0].length;
  }
  appendMarked(parent, cut.slice(position), query);
  if (cut.length < text.length) parent.append(make("span", "escape", "…"));
}

/// Appends a text with its matches marked.
function appendMarked(parent, text, query) {
  if (!query) return parent.append(text);
  const lower = text.toLowerCase();
  // If the lower-case text has another length, positions in it do not apply.
  if (lower.length !== text.length) return parent.append(text);
  let position = 0;
  for (let found = lower.indexOf(query); found >= 0; found = lower.indexOf(query, position)) {
    parent.append(text.slice(position, found), make("mark", "", text.slice(found, found + query.length)));
    position = found + query.length;
  }
  parent.append(text.slice(position));
}

/// A text on one line, for names of elements that screen readers speak.
function plain(text, limit = 200) {
  const cut = text.length > limit ? text.slice(0, limit) + "…" : text;
  return cut.replace(unseen, " ");
}

const numbers = new Intl.NumberFormat();

/// A number with a noun, such as `1 key`.
function counted(count, one, many = one + "s") {
  return `${numbers.format(count)} ${count === 1 ? one : many}`;
}

/// The bytes of base64.
function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/// The number of bytes of base64.
function sizeOf(base64) {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/// Two hexadecimal digits for each byte.
function hex(bytes, separator = "") {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(separator);
}

/// An offset in hexadecimal digits.
function offsetText(offset) {
  return offset.toString(16).padStart(8, "0");
}

const images = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
];

/// The media type of an image by its first bytes; null for other data.
function imageType(bytes) {
  for (const [type, magic] of images) {
    if (magic.every((byte, index) => bytes[index] === byte)) return type;
  }
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  return text.startsWith("RIFF") && text.endsWith("WEBP") ? "image/webp" : null;
}

const localDate = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

/// A date, given in seconds since 2001: local, in UTC, and the seconds. Years that calendars do not have are seconds only.
function dateTexts(seconds) {
  const date = new Date((Number(seconds) + 978307200) * 1000);
  if (Number.isNaN(date.getTime())) {
    const text = `${seconds} s since 2001`;
    return { local: text, utc: text };
  }
  return { local: localDate.format(date), utc: date.toISOString().replace(".000Z", "Z") };
}

/// Copies a text to the clipboard. Returns whether that succeeded.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", "hidden");
    area.value = text;
    document.body.append(area);
    const focused = document.activeElement;
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return copied;
  }
}
