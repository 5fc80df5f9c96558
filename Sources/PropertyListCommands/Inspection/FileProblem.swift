internal import CommandLineInterface
internal import PropertyList

/// What `-lint` finds in a file.
struct FileProblem {
  enum Severity: String {
    case error
    case warning
  }

  var severity: Severity
  /// The message with its place in the file.
  let description: String
  private let message: String
  private let location: PlistError.Location?
  private let keyPath: PlistKeyPath

  init(_ warning: PlistWarning) {
    self.init(
      .warning, "\(warning)", warning.message, at: warning.location, warning.keyPath)
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

  /// An error about a whole file.
  init(error message: String) {
    self.init(.error, message, message)
  }

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
    if !keyPath.isRoot { object["keyPath"] = .string("\(keyPath)") }
    object["severity"] = .string(severity.rawValue)
    object["message"] = .string(message)
    return object
  }

  /// The workflow command by which GitHub shows the problem at its line.
  func workflowCommand(in file: String) -> String {
    var properties = "file=\(Self.escaped(file, ":,"))"
    if case .line(let line, let column)? = location { properties += ",line=\(line),col=\(column)" }
    let message = keyPath.isRoot ? message : "\(message) (key path \(keyPath.excerpt))"
    return "::\(severity.rawValue) \(properties)::\(Self.escaped(message.onOneLine, ""))"
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
