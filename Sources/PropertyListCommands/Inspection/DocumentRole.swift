internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The likely purpose of a property list, guessed from its keys and its file's name.
struct DocumentRole: Sendable, CustomStringConvertible {
  /// The role without details of a file, for counts.
  let title: String
  /// The role in a few words.
  let description: String

  static let informationTitle = "Info.plist"
  static let launchdTitle = "launchd job"

  private init(_ title: String, describedAs description: String) {
    (self.title, self.description) = (title, description)
  }

  /// A role whose description has details after the title.
  private init(_ title: String, _ details: String?...) {
    self.init(title, describedAs: title + details.compactMap(\.self).joined())
  }

  init?(of document: PlistDocument, at path: String) {
    let name = FilePath.split(path).name
    let ending = FilePath.fileExtension(of: path).lowercased()
    guard case .dictionary(let root) = document.value else {
      guard ending == "xcspec" else { return nil }
      self.init("Xcode specification")
      return
    }
    if let archive = ArchivedObjects(document.value) {
      let title = "keyed archive"
      self.init(title, describedAs: archive.rootClassName.map { "archive of class \($0)" } ?? title)
    } else if root.has("Entitlements", "TeamIdentifier")
      || root.has("Entitlements", "ProvisionsAllDevices")
    {
      self.init(
        "provisioning profile", root.text("Name").map { " \($0)" },
        root.date("ExpirationDate").map { ", expires \($0.descriptionText)" })
    } else if root.has("PayloadType", "PayloadContent") {
      self.init("configuration profile", root.text("PayloadIdentifier").map { " \($0)" })
    } else if root.has("pfm_subkeys") {
      self.init("preference manifest", root.text("pfm_domain").map { " of domain \($0)" })
    } else if root.has("archiveVersion", "objectVersion", "rootObject", "objects") {
      self.init("Xcode project")
    } else if ending == "entitlements" || ending == "xcent" || root.isEntitlements {
      self.init("entitlements")
    } else if root.has("CFBundleIdentifier") || root.has("CFBundleInfoDictionaryVersion")
      || root.has("CFBundleExecutable") || root.has("CFBundlePackageType")
    {
      let version = root.text("CFBundleShortVersionString") ?? root.text("CFBundleVersion")
      self.init(
        Self.informationTitle, root.text("CFBundleIdentifier").map { " of \($0)" },
        version.map { ", version \($0)" })
    } else if let label = root.text("Label"), root.has("ProgramArguments") || root.has("Program") {
      self.init(Self.launchdTitle, " \(label)")
    } else if root.keys.contains(where: { $0.hasPrefix("NSPrivacy") }) {
      self.init("privacy manifest")
    } else if root.has("files2", "rules2") {
      self.init("CodeResources", describedAs: "resources of a code signature (CodeResources)")
    } else if root.has("URL"), ending == "webloc" {
      self.init("web location")
    } else if ending == "stringsdict" || root.isPluralStrings {
      self.init(
        "stringsdict", describedAs: "plural rules for \(root.count.counted("string")) (stringsdict)"
      )
    } else if ending == "strings" {
      self.init("strings table", " of \(root.count.counted("string"))")
    } else if let title = Self.title(of: root, ending: ending) {
      self.init(title)
    } else if let domain = Self.domain(ofFile: name, at: path) {
      self.init("preferences", " of domain \(domain)")
    } else {
      return nil
    }
  }

  /// The kind of a document, from its keys or its file's extension; nil for others.
  private static func title(of root: PlistDictionary, ending: String) -> String? {
    if root.has("WebMainResource") { return "web archive" }
    if root.has("scopeName", "patterns") { return "TextMate grammar" }
    if root.has("settings"), root.has("name"), ending == "tmtheme" || root.has("uuid") {
      return "TextMate theme"
    }
    if root.has("Ansi 0 Color") || root.has("Background Color", "Foreground Color") {
      return "iTerm colors"
    }
    if ending == "terminal" || root.text("type") == "Window Settings" { return "Terminal settings" }
    if root.has("Process", "Input") || root.has("ParentRecipe", "Input") { return "AutoPkg recipe" }
    if root.has("AMApplicationVersion", "actions") { return "Automator workflow" }
    if root.has("bundleid", "connections", "objects") { return "Alfred workflow" }
    if root.has("fontMaster", "glyphs") || root.has(".appVersion", "glyphs") {
      return "Glyphs font source"
    }
    if root.has("title", "rules") || root.has("global", "profiles") {
      return ending == "json" ? "Karabiner configuration" : nil
    }
    return ending == "xcspec" ? "Xcode specification" : nil
  }

  /// The preferences domain of a file that is in a folder of preferences, or whose name has
  /// reverse-DNS form; nil for other files.
  private static func domain(ofFile name: String, at path: String) -> String? {
    guard name.hasSuffix(".plist") else { return nil }
    let domain = String(name.dropLast(6))
    let folder = path.dropLast(name.count)
    let isInFolder = ["Preferences/", ".config/", "Preferences/ByHost/"].contains { end in
      folder == end[...] || folder.hasSuffix("/" + end)
    }
    let parts = domain.split(separator: ".", omittingEmptySubsequences: false)
    let isReversed = parts.count > 2 && parts.allSatisfy { !$0.isEmpty }
    return !domain.isEmpty && (isInFolder || isReversed) ? domain : nil
  }
}

extension PlistDictionary {
  fileprivate func has(_ keys: String...) -> Bool { keys.allSatisfy { self[$0] != nil } }

  fileprivate func text(_ key: String) -> String? {
    if case .string(let text)? = self[key] { text } else { nil }
  }

  fileprivate func date(_ key: String) -> Date? {
    if case .date(let date)? = self[key] { date } else { nil }
  }

  fileprivate var isEntitlements: Bool {
    let others: Set = [
      "application-identifier", "get-task-allow", "aps-environment", "keychain-access-groups",
      "beta-reports-active", "inter-app-audio", "platform-application",
    ]
    return !isEmpty
      && keys.allSatisfy {
        $0.hasPrefix("com.apple.security.") || $0.hasPrefix("com.apple.developer.")
          || others.contains($0)
      }
  }

  fileprivate var isPluralStrings: Bool {
    !isEmpty
      && values.allSatisfy { value in
        if case .dictionary(let entry) = value {
          entry.has("NSStringLocalizedFormatKey")
        } else {
          false
        }
      }
  }
}
