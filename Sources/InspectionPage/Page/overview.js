// The summary of all documents: how many there are, and which have errors or warnings.

/// How many documents with problems the summary lists.
const listedProblems = 500;

/// "error", "warning", or "" for a document without either.
const problemOf = (entry) => (entry.hasError || entry.isOmitted ? "error" : entry.warnings > 0 ? "warning" : "");

/// Shows the summary instead of a document: how many there are, and which have errors or warnings.
function showOverview() {
  for (const id of ["problems", "tools", "columns", "tree", "settings", "source", "search", "panel"]) element(id).hidden = true;
  state.number = -1;
  document.body.classList.remove("compares", "layered", "shows-bytes");
  document.body.classList.add("has-overview");
  element("name").replaceChildren();
  appendVisible(element("name"), index.title);
  element("name").title = index.title;
  element("summary").textContent = "";
  document.title = plain(index.title);
  const overview = element("overview");
  const found = { error: [], warning: [], "": [] };
  index.documents.forEach((entry, number) => found[problemOf(entry)].push(number));
  overview.replaceChildren(make("h2", "", counted(index.documents.length, "property list")));
  overview.append(make("p", "", found.error.length + found.warning.length === 0 ? "No errors or warnings."
    : `${found.error.length} with errors, ${found.warning.length} with warnings only, ${found[""].length} with neither`));
  const list = make("ul");
  const numbers = [...found.error, ...found.warning];
  list.append(...numbers.slice(0, listedProblems).map(overviewItem));
  overview.append(list);
  if (numbers.length > listedProblems) overview.append(make("p", "", `and ${numbers.length - listedProblems} more`));
  overview.hidden = false;
  element("back").setAttribute("aria-pressed", true);
  documentList.list.update();
}

function overviewItem(number) {
  const entry = index.documents[number];
  const item = make("li");
  const button = make("button");
  button.type = "button";
  appendVisible(button, entry.name.slice(sharedPath.length), 200);
  button.addEventListener("click", () => documentList.open(number));
  const note = make("span", "file-note");
  appendVisible(note, entry.summary, 200);
  item.append(documentBadge(entry), button, note);
  return item;
}

function documentBadge(entry) {
  return problemOf(entry) === "error" ? make("span", "badge error", "error") : make("span", "badge warning", String(entry.warnings));
}

function hideOverview() {
  element("overview").hidden = true;
  element("back").setAttribute("aria-pressed", false);
  document.body.classList.remove("has-overview");
}
