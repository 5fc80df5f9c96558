internal import CommandLineInterface
internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// `-info`
extension Plutil {
  static func inform(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let isJSON = invocation.has(.json)
    let list = try InputList(of: invocation, in: session)
    let areFound = list.items.map(\.isFound)
    var totals = FolderTotals()
    // For a folder, the sizes of values are not printed, and measuring takes longer than reading.
    let measures = isJSON || areFound.contains(false)
    let manifests = measures ? InstalledManifests() : nil
    list.forEach("reading", in: session) { file throws(InputProblem) in
      let input = try file.load()
      do throws(PlistError) {
        return try DocumentSummary(
          of: input, from: file, measures: measures, manifests: manifests)
      } catch {
        throw .file("\(error)")
      }
    } consume: { item, result in
      let name = item.input.name
      switch result {
      case .failure(let error):
        totals.failed += 1
        session.report("\(error)", about: name)
      case .success(let summary):
        if isJSON { return session.print(jsonLine: object(summary, of: name)) }
        if item.isFound {
          totals.add(summary)
          session.print("\(name.onOneLine): \(line(summary))\n")
        } else {
          print(summary, of: name, session)
        }
      }
    }
    if list.hasFolders, !isJSON { session.print(totals.text) }
  }

  private struct FolderTotals {
    var failed = 0
    private var formats: [String: Int] = [:]
    private var roles: [String: Int] = [:]
    private var count = 0
    private var size = 0

    mutating func add(_ summary: DocumentSummary) {
      count += 1
      size += summary.size
      formats[summary.format.title, default: 0] += 1
      roles[summary.role?.title ?? "other", default: 0] += 1
    }

    var text: String {
      let lists = count.counted("property list")
      var text = "\(lists) of \(size) bytes, \(failed) that cannot be read\n"
      for (title, counts) in [("formats", formats), ("seem to be", roles)] where !counts.isEmpty {
        let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
          .map { "\($0.value) \($0.key)" }
        text += "  \(title): \(parts.joined(separator: ", "))\n"
      }
      return text
    }
  }

  private static func line(_ summary: DocumentSummary) -> String {
    let format = [summary.format.title, "\(summary.size) bytes"]
    return (format + (summary.role.map { ["\($0)".onOneLine] } ?? [])).joined(separator: ", ")
  }

  private static func print(_ summary: DocumentSummary, of name: String, _ session: Session) {
    session.print("\(name.onOneLine):", in: .heading)
    session.print("\n")
    for (title, text) in rows(summary) {
      session.print("  \(title): ", in: .key)
      session.print("\(text.onOneLine)\n")
    }
    guard !summary.describedKeys.isEmpty else { return }
    session.print("  described keys:\n", in: .key)
    for key in summary.describedKeys {
      let texts = [key.title, key.description].compactMap(\.self)
      let name = PlistKeyPath(components: [key.name ?? ""]).excerpt
      session.print("    \(name): \(texts.joined(separator: ". ").onOneLine)\n")
    }
  }

  private static func rows(_ summary: DocumentSummary) -> [(String, String)] {
    var rows = facts(of: summary).map { ($0.label, $0.text) }
    let duplicates = summary.duplicates
    if !duplicates.isEmpty {
      let paths = duplicates.map(\.excerpt).joined(separator: ", ")
      rows.append(("duplicate keys", paths))
    }
    for warning in summary.otherWarnings { rows.append(("warning", "\(warning)")) }
    return rows
  }

  /// The properties of a file, each with its label, without warnings.
  static func facts(of summary: DocumentSummary) -> [(label: String, text: String)] {
    var rows: [(label: String, text: String)] = []
    if let role = summary.role { rows.append(("seems to be", "\(role)")) }
    switch summary.manifest {
    case .success(let file)?:
      if let title = file.manifest.title { rows.append(("title", title)) }
      if let description = file.manifest.description { rows.append(("description", description)) }
      rows.append(("manifest", file.path))
    case .failure(let error)?: rows.append(("manifest", "\(error)"))
    case nil: break
    }
    if let envelope = summary.envelope { rows.append(("note", "\(envelope)")) }
    let encoding = summary.encoding.map { ", \($0)" } ?? ""
    rows.append(("format", summary.format.title + encoding))
    rows.append(("size", "\(summary.size) bytes"))
    let counts = summary.counts.map { kind, count in
      "\(count) \(count == 1 ? kind.description : kind.plural)"
    }
    rows.append(("values", counts.joined(separator: ", ")))
    rows.append(("keys", "\(summary.keyCount)"))
    rows.append(("depth", "\(summary.depth)"))
    if let dates = summary.dates {
      let (first, last) = (dates.lowerBound.descriptionText, dates.upperBound.descriptionText)
      rows.append(("dates", first == last ? first : "\(first) to \(last)"))
    }
    if !summary.largest.isEmpty {
      let parts = summary.largest.map { "\($0.keyPath.excerpt) (\($0.size) bytes)" }
      rows.append(("largest", parts.joined(separator: ", ")))
    }
    return rows
  }

  private static func object(_ summary: DocumentSummary, of name: String) -> PlistDictionary {
    var object: PlistDictionary = [
      "file": .string(name), "format": .string(summary.format.commandLineName),
    ]
    if let encoding = summary.encoding { object["encoding"] = .string(encoding) }
    object["size"] = .integer(Int64(summary.size))
    if let envelope = summary.envelope { object["note"] = .string("\(envelope)") }
    if let role = summary.role { object["seemsToBe"] = .string("\(role)") }
    if case .success(let file)? = summary.manifest {
      object["title"] = file.manifest.title.map { .string($0) }
      object["description"] = file.manifest.description.map { .string($0) }
      object["manifest"] = .string(file.path)
      object["describedKeys"] = .array(
        summary.describedKeys.map { key in
          var described: PlistDictionary = ["name": .string(key.name ?? "")]
          described["title"] = key.title.map { .string($0) }
          described["description"] = key.description.map { .string($0) }
          return .dictionary(described)
        })
    }
    object["values"] = .dictionary(
      PlistDictionary(
        summary.counts.map { (ValueType.name(of: $0.kind), .integer(Int64($0.count))) }))
    object["keys"] = .integer(Int64(summary.keyCount))
    object["depth"] = .integer(Int64(summary.depth))
    if let dates = summary.dates {
      object["firstDate"] = .string(dates.lowerBound.descriptionText)
      object["lastDate"] = .string(dates.upperBound.descriptionText)
    }
    object["largest"] = .array(
      summary.largest.map {
        ["keyPath": .string("\($0.keyPath)"), "size": .integer(Int64($0.size))]
      })
    object["duplicateKeys"] = .array(summary.duplicates.map { .string("\($0)") })
    object["warnings"] = .array(summary.otherWarnings.map { .string("\($0)") })
    return object
  }
}

/// `-describe`
extension Plutil {
  static func describe(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let path = PlistKeyPath(invocation.arguments[0])
    let inputs = try InputFile.all(of: invocation)
    guard let manifests = try ManifestLibrary(of: invocation, in: session) else { return }
    let installed = InstalledManifests()
    for input in inputs {
      guard let document = input.read(in: session, isSilent: true) else { continue }
      do {
        let manifest: PreferencesManifest
        var value: PlistValue?
        if manifests.isEmpty, PreferencesManifest.isManifest(document.value) {
          manifest = try PreferencesManifest(document.value)
        } else {
          let found =
            try manifests.isEmpty
            ? installed.manifest(for: document.value, in: input)
            : manifests.manifest(for: input, isNamed: true)
          guard let found else {
            throw CommandFailure(
              manifests.isEmpty
                ? "not a preference manifest, and none is installed for it; use --manifest to name one"
                : "there is no manifest for this domain")
          }
          manifest = found.manifest
          value = document.value[path]
        }
        let description = try KeyDescription(at: path, in: manifest, value: value)
        if invocation.has(.json) {
          session.print(jsonLine: description.object(in: input.name))
        } else {
          session.print(description)
        }
      } catch {
        session.report("\(error)", about: input.name)
      }
    }
  }
}
