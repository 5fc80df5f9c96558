// The search in a tree, in small pieces, so that the page stays responsive.

/// How many milliseconds a piece may take.
const slice = 8;
/// How many matches are kept.
const maximumMatches = 100_000;
/// Data with more base64 than this is not searched for text or hexadecimal digits.
const maximumData = 1 << 20;

class Search {
  /// - report: A function that is called when there may be more `matches`, or when `isComplete`
  ///   becomes true.
  constructor(report) {
    this.report = report;
    this.run = 0;
    this.matches = [];
    this.isComplete = true;
  }

  /// Begins a search, and ends the previous one. Matches are nodes, in order.
  start(tree, query, scope) {
    this.stop();
    this.isComplete = query === "";
    this.bytes = bytePattern(query.toLowerCase());
    if (query) this.continue(tree, query.toLowerCase(), scope, 0, this.run);
    else this.report();
  }

  /// Ends a search, and discards its matches.
  stop() {
    this.run += 1;
    this.matches = [];
    this.isComplete = true;
  }

  continue(tree, query, scope, start, run) {
    if (run !== this.run) return;
    const deadline = performance.now() + slice;
    let node = start;
    while (node < tree.count && this.matches.length < maximumMatches) {
      if (this.isMatch(tree, node, query, scope)) this.matches.push(node);
      node += 1;
      if (performance.now() > deadline) {
        setTimeout(() => this.continue(tree, query, scope, node, run));
        this.report();
        return;
      }
    }
    this.isComplete = true;
    this.report();
  }

  isMatch(tree, node, query, scope) {
    if (scope !== "values") {
      const key = tree.key(node);
      if (key !== null && key.toLowerCase().includes(query)) return true;
    }
    if (scope === "keys" || tree.hasChildren(node) && tree.types[node] !== "o") return false;
    if (this.isValueMatch(tree.types[node], tree.text(node), tree, node, query)) return true;
    if (tree.state(node) !== "*") return false;
    const [type, text] = tree.other(node);
    return this.isValueMatch(type, text, null, node, query);
  }

  isValueMatch(type, text, tree, node, query) {
    switch (type) {
      case "s": case "i": case "r": case "u": case "T": case "o": case "R":
        return text.toLowerCase().includes(query);
      case "x": case "X": return text.length <= maximumData && this.isDataMatch(text, query);
      default: return tree !== null && tree.display(node).toLowerCase().includes(query);
    }
  }

  isDataMatch(base64, query) {
    // A character for each byte.
    const text = atob(base64);
    return this.bytes?.test(text) || text.toLowerCase().includes(query);
  }
}

/// A pattern of the bytes for a text of hexadecimal digits; null for other texts. If the number of
/// digits is odd, the last one is the first half of a byte.
function bytePattern(query) {
  const digits = query.replace(/^0x|\s/g, "");
  if (!/^[0-9a-f]{2,}$/.test(digits)) return null;
  return new RegExp(digits.replace(/..?/g, (pair) => (pair.length === 2 ? `\\x${pair}` : `[\\x${pair}0-\\x${pair}f]`)));
}
