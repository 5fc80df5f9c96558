internal import CommandLineInterface
internal import Manifests
internal import PropertyList

/// What `-lint` finds in a file.
struct FileProblem {
  enum Severity: String {
    case error
    case warning
    /// Something that could not be checked.
    case note

    /// The name of GitHub's workflow command.
    fileprivate var command: String { self == .note ? "notice" : rawValue }
  }

  var severity: Severity
  /// The message with its place in the file.
  let description: String
  private let message: String
  private let location: PlistError.Location?
  private let keyPath: PlistKeyPath
  /// The line, where no column is known.
  private var line: Int?
  /// Further entries of the object in JSON.
  private var details: PlistDictionary = [:]

  init(_ warning: PlistWarning) {
    self.init(.warning, "\(warning)", warning.message, at: warning.location, warning.keyPath)
  }

  init(_ problem: RoleProblem) {
    self.init(.warning, problem.description, problem.message, problem.keyPath)
  }

  /// A file that is not a valid property list.
  init(_ problem: InputProblem) {
    switch problem {
    case .file(let message): self.init(.error, message, message)
    case .document(let error):
      self.init(
        .error, "\(error)", "\(error.error.kind)\(error.remedy(for: "plutil"))",
        at: error.error.location, error.error.keyPath)
    }
  }

  /// A deviation of the value at a path from a manifest, with its line in a text format.
  init(_ finding: ManifestFinding, in path: PlistKeyPath, line: Int?) {
    let keyPath = PlistKeyPath(components: path.components + finding.keyPath.components)
    self.init(finding.severity.rawValue, finding.message, keyPath, line: line)
    if let expected = finding.expected { details["expected"] = .string(expected) }
    if !finding.allowedValues.isEmpty {
      details["allowedValues"] = TypedJSON.encode(.array(finding.allowedValues))
    }
    if let name = finding.nearestName { details["nearestName"] = .string(name) }
  }

  /// A problem of a manifest itself, with its line in a text format.
  init(_ problem: ManifestProblem, line: Int?) {
    self.init(problem.severity.rawValue, problem.message, problem.keyPath, line: line)
  }

  private init(_ severity: String, _ message: String, _ keyPath: PlistKeyPath, line: Int?) {
    let place = line.map { "line \($0): " } ?? ""
    let path = keyPath.isRoot ? "" : " (key path \(keyPath.excerpt))"
    self.init(Severity(rawValue: severity) ?? .error, place + message + path, message, keyPath)
    self.line = line
  }

  /// Something that a file was not checked for.
  init(note message: String, at keyPath: PlistKeyPath = PlistKeyPath()) {
    self.init("note", message, keyPath, line: nil)
  }

  init(error message: String) { self.init(.error, message, message) }

  private init(
    _ severity: Severity, _ description: String, _ message: String,
    at location: PlistError.Location? = nil, _ keyPath: PlistKeyPath = PlistKeyPath()
  ) {
    (self.severity, self.description, self.message) = (severity, description, message)
    (self.location, self.keyPath) = (location, keyPath)
  }

  /// The object of a line of JSON.
  func object(in file: String) -> PlistDictionary {
    var object: PlistDictionary = ["file": .string(file)]
    object.add(location)
    if let line { object["line"] = .integer(Int64(line)) }
    if !keyPath.isRoot { object["keyPath"] = .string("\(keyPath)") }
    object["severity"] = .string(severity.rawValue)
    object["message"] = .string(message)
    for (name, value) in details { object[name] = value }
    return object
  }

  /// The workflow command by which GitHub shows the problem at its line.
  func workflowCommand(in file: String) -> String {
    var properties = "file=\(Self.escaped(file, ":,"))"
    if case .line(let line, let column)? = location { properties += ",line=\(line),col=\(column)" }
    if let line { properties += ",line=\(line)" }
    let message = keyPath.isRoot ? message : "\(message) (key path \(keyPath.excerpt))"
    return "::\(severity.command) \(properties)::\(Self.escaped(message.onOneLine, ""))"
  }

  /// A text in which line breaks, percent signs and other characters are escaped as in URLs.
  private static func escaped(_ text: String, _ others: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "\r" || scalar == "\n" || others.unicodeScalars.contains(scalar)
      {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped.append(contentsOf: "%\(digits.count < 2 ? "0" : "")\(digits)".unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
