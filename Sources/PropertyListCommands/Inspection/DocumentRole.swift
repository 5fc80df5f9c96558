internal import FoundationEssentials
internal import PropertyList

/// The likely purpose of a property list, guessed from its keys and its file's name.
enum DocumentRole: Equatable, Sendable {
  case bundleInformation(identifier: String?, version: String?)
  case entitlements
  case launchdJob(label: String)
  case provisioningProfile(name: String?, expiration: Date?)
  case configurationProfile(identifier: String?)
  case keyedArchive(className: String?)
  case stringsTable(count: Int)
  case pluralStrings(count: Int)
  case xcodeProject
  case privacyManifest
  case codeResources
  case webLocation
  case preferenceManifest(domain: String?)
  /// A kind that has nothing particular to a file.
  case named(String)
  case preferences(domain: String)

  /// The role of a document in a file at a path; nil if nothing tells it.
  init?(of document: PlistDocument, at path: String) {
    let name = PropertyListDetection.name(of: path)
    let ending = PropertyListDetection.fileExtension(of: path).lowercased()
    guard case .dictionary(let root) = document.value else {
      guard ending == "xcspec" else { return nil }
      self = .named("Xcode specification")
      return
    }
    if let archive = ArchivedObjects(document.value) {
      self = .keyedArchive(className: archive.rootClassName)
    } else if root.has("Entitlements", "TeamIdentifier")
      || root.has("Entitlements", "ProvisionsAllDevices")
    {
      self = .provisioningProfile(name: root.text("Name"), expiration: root.date("ExpirationDate"))
    } else if root.has("PayloadType", "PayloadContent") {
      self = .configurationProfile(identifier: root.text("PayloadIdentifier"))
    } else if root.has("pfm_subkeys") {
      self = .preferenceManifest(domain: root.text("pfm_domain"))
    } else if root.has("archiveVersion", "objectVersion", "rootObject", "objects") {
      self = .xcodeProject
    } else if ending == "entitlements" || ending == "xcent" || root.isEntitlements {
      self = .entitlements
    } else if root.has("CFBundleIdentifier") || root.has("CFBundleInfoDictionaryVersion")
      || root.has("CFBundleExecutable") || root.has("CFBundlePackageType")
    {
      self = .bundleInformation(
        identifier: root.text("CFBundleIdentifier"),
        version: root.text("CFBundleShortVersionString") ?? root.text("CFBundleVersion"))
    } else if let label = root.text("Label"), root.has("ProgramArguments") || root.has("Program") {
      self = .launchdJob(label: label)
    } else if root.keys.contains(where: { $0.hasPrefix("NSPrivacy") }) {
      self = .privacyManifest
    } else if root.has("files2", "rules2") {
      self = .codeResources
    } else if root.has("URL"), ending == "webloc" {
      self = .webLocation
    } else if ending == "stringsdict" || root.isPluralStrings {
      self = .pluralStrings(count: root.count)
    } else if ending == "strings" {
      self = .stringsTable(count: root.count)
    } else if let title = Self.title(of: root, ending: ending) {
      self = .named(title)
    } else if let domain = Self.domain(ofFile: name, at: path) {
      self = .preferences(domain: domain)
    } else {
      return nil
    }
  }

  /// The kind of a document that its keys or its file's extension tell; nil for others.
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

  /// The preferences domain of a file: of one in a folder of preferences, or whose name is in
  /// reverse-DNS form; nil for others.
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

extension DocumentRole: CustomStringConvertible {
  /// The role in a few words.
  var description: String {
    switch self {
    case .bundleInformation(let identifier, let version):
      "Info.plist" + (identifier.map { " of \($0)" } ?? "")
        + (version.map { ", version \($0)" } ?? "")
    case .launchdJob(let label): "launchd job \(label)"
    case .provisioningProfile(let name, let expiration):
      "provisioning profile" + (name.map { " \($0)" } ?? "")
        + (expiration.map { ", expires \($0.descriptionText)" } ?? "")
    case .configurationProfile(let identifier):
      "configuration profile" + (identifier.map { " \($0)" } ?? "")
    case .keyedArchive(let className): className.map { "archive of class \($0)" } ?? "keyed archive"
    case .stringsTable(let count): "strings table of \(count) string\(count == 1 ? "" : "s")"
    case .pluralStrings(let count):
      "plural rules for \(count) string\(count == 1 ? "" : "s") (stringsdict)"
    case .codeResources: "resources of a code signature (CodeResources)"
    case .preferences(let domain): "preferences of domain \(domain)"
    case .preferenceManifest(let domain):
      "preference manifest" + (domain.map { " of domain \($0)" } ?? "")
    case .entitlements, .xcodeProject, .privacyManifest, .webLocation, .named: title
    }
  }

  /// The role without what is particular to a file, for counts.
  var title: String {
    switch self {
    case .bundleInformation: "Info.plist"
    case .entitlements: "entitlements"
    case .launchdJob: "launchd job"
    case .provisioningProfile: "provisioning profile"
    case .configurationProfile: "configuration profile"
    case .keyedArchive: "keyed archive"
    case .stringsTable: "strings table"
    case .pluralStrings: "stringsdict"
    case .xcodeProject: "Xcode project"
    case .privacyManifest: "privacy manifest"
    case .codeResources: "CodeResources"
    case .webLocation: "web location"
    case .named(let title): title
    case .preferences: "preferences"
    case .preferenceManifest: "preference manifest"
    }
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

  /// Whether all values have plural rules.
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
