// The settings that a manifest describes: titles, descriptions, values, and which of them differ from their defaults.

class SettingsView {
  /// - element: The element of the view.
  /// - reveal: A function that shows the value at a path in the tree.
  constructor(element, reveal) {
    this.element = element;
    this.reveal = reveal;
  }

  /// Shows the settings of a document, or only those that differ from their defaults.
  show(document, onlyChanged) {
    const { settings, layers = [] } = document;
    const parts = [];
    if (settings.title) {
      parts.push(make("h2"));
      appendVisible(parts[0], settings.title, 200);
    }
    if (settings.description) parts.push(this.paragraph("description", settings.description));
    const shown = settings.keys.filter((setting) => setting.differs || !onlyChanged || this.holdsChange(settings, setting));
    parts.push(...shown.map((setting) => this.setting(setting, layers)));
    if (shown.length === 0) parts.push(make("p", "quiet", onlyChanged ? "No value differs from its default." : "The manifest describes no keys."));
    this.element.replaceChildren(...parts);
  }

  /// Whether a dictionary contains a value that differs from its default.
  holdsChange(settings, setting) {
    return settings.keys.some((other) => other.differs && other.path.length > setting.path.length
      && setting.path.every((component, index) => component === other.path[index]));
  }

  paragraph(className, text) {
    const paragraph = make("p", className);
    appendVisible(paragraph, text, 2000);
    return paragraph;
  }

  setting(setting, layers) {
    const box = make("section", "setting");
    if (setting.differs) box.classList.add("differs");
    box.style.marginInlineStart = `${Math.min(setting.path.length - 1, 8) * 20}px`;
    const heading = make("h3");
    if (setting.title) {
      const title = make("span");
      appendVisible(title, setting.title, 200);
      heading.append(title, " ");
    }
    const key = make(setting.isSet ? "button" : "code", setting.isSet ? "link" : "quiet");
    appendVisible(key, keyPathOf(setting.path), 200);
    if (setting.isSet) {
      key.type = "button";
      key.title = "Show the value among all values";
      key.addEventListener("click", () => this.reveal(setting.path));
    }
    heading.append(key);
    box.append(heading);
    if (setting.description) box.append(this.paragraph("description", setting.description));
    const line = make("p", "line");
    if (setting.value !== undefined) {
      const value = make("bdi", "setting-value");
      appendVisible(value, setting.value, 400);
      line.append(value);
    }
    line.append(make("span", setting.differs ? "badge warning" : "quiet", this.stateOf(setting)));
    if (setting.layer !== undefined) line.append(make("span", "layer", layers[setting.layer]?.name ?? ""));
    box.append(line);
    showFacts(box, setting.facts);
    return box;
  }

  stateOf(setting) {
    if (!setting.isSet) return "not set";
    if (!setting.differs) return setting.value === undefined ? "set" : "the default";
    return setting.facts.some(([label]) => label === "default") ? "differs from the default" : "set";
  }
}

/// What a manifest says about the value at a path; undefined if it says nothing.
function settingAt(settings, path) {
  if (!settings) return undefined;
  settings.byPath ??= new Map(settings.keys.map((setting) => [JSON.stringify(setting.path), setting]));
  return settings.byPath.get(JSON.stringify(path));
}

/// Adds what a manifest says about a value.
function addSetting(element, setting) {
  if (!setting) return;
  const box = make("section", "described");
  if (setting.title) {
    const title = make("h3");
    appendVisible(title, setting.title, 200);
    box.append(title);
  }
  if (setting.description) {
    const description = make("p");
    appendVisible(description, setting.description, 2000);
    box.append(description);
  }
  showFacts(box, setting.facts);
  element.append(box);
}

/// Shows the settings of the document, as many as are wanted, and counts them.
function showSettings() {
  const { keys } = state.document.settings;
  element("count").textContent = `${counted(keys.length, "setting")}, ${counted(keys.filter((setting) => setting.differs).length, "change")}`;
  settingsView.show(state.document, element("changed").checked);
}
