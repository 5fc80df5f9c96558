import Foundation
import PropertyList
import TestSupport
import Testing

/// A command line that is compared with the toolchain's plutil.
///
/// ``PlutilReference/files`` has the files.
struct PlutilReference: CustomTestStringConvertible {
  let words: [String]
  /// The file that is standard input; nil for an empty one.
  var input: String?

  var testDescription: String {
    words.joined(separator: " ") + (input.map { " < \($0)" } ?? "")
  }

  /// A command line of words without spaces.
  init(_ line: String, input: String? = nil) {
    words = line.split(separator: " ").map(String.init)
    self.input = input
  }

  init(words: [String], input: String? = nil) {
    self.words = words
    self.input = input
  }

  // MARK: Files

  /// The property lists that all references work on.
  static let files: [String: Data] = {
    let mixed: PlistValue = [
      "count": -5, "data": .data(Data([0x10, 0x20, 0x30, 0x40])), "list": [["a.b": "deep"], true],
      "ratio": 2.5, "when": .date(Date(timeIntervalSinceReferenceDate: 725_857_445)),
    ]
    let strings: PlistValue = [
      "B": "b", "a10": "x", "a9": "y", "A": ["1", "2"], "nested": ["Z": "z", "y": ["k": "v"]],
      "10": "t", "9": "n", "_k": "u",
    ]
    let values: [String: PlistValue] = [
      "mixed": mixed, "strings": strings, "array": ["a", "b"], "numbers": [1, 2, 3],
      "reals": [1.0, 0.1, 1e-10, 1e22, 1_234_567.25], "booleans": ["on": true, "off": false],
      "text": "hello", "empty": [:], "screensaver": ["tokenRemovalAction": 0],
      "bytes": .data(Data(0..<26)),
    ]
    var files: [String: Data] = [
      "data.json": Data(
        #"{"name":"x","n":3,"t":true,"list":[1,2,{"k":"v"}],"s":"a/b \"q\"","e":{}}"#.utf8),
      "old.plist": Data("{ a = 1; b = (x, y); \"c d\" = { e = f; }; }".utf8),
      "table.strings": Data("\"a\" = \"b\";\n\"c\" = \"d\";\n".utf8),
      "bad.plist": Data("<plist><dict>".utf8), "nothing": Data(),
      "taken.swift": Data("let precious = 1\n".utf8),
    ]
    for (name, value) in values {
      files["\(name).plist"] = try? Plist.write(value, as: .xml)
    }
    for name in ["mixed", "strings", "array", "numbers", "booleans"] {
      files["\(name).bin"] = values[name].flatMap { try? Plist.write($0, as: .binary) }
    }
    files["taken.plist"] = files["strings.plist"]
    return files
  }()

  // MARK: Runs

  /// What a run leaves behind.
  struct Outcome: Equatable {
    let status: Int32
    let output: Content
    let error: String
    /// The files of the folder whose contents have changed.
    let files: [String: Content]

    /// Whether two runs did and printed the same, except for their messages.
    func agrees(with other: Outcome) -> Bool {
      status == other.status && output == other.output && files == other.files
    }
  }

  /// A file or an output. Where only the order of keys or objects differs, contents are equal.
  enum Content: Equatable {
    case binary(PlistValue)
    case json(NSObject)
    case text(Data)

    init(_ data: Data) {
      if PlistFormat(detecting: data) == .binary, let value = try? Plist.read(data).value {
        self = .binary(value)
      } else if !data.contains(UInt8(ascii: "\n")), data.first == UInt8(ascii: "{"),
        let object = try? JSONSerialization.jsonObject(with: data) as? NSObject
      {
        self = .json(object)
      } else {
        self = .text(data)
      }
    }
  }

  /// The words, and the name of the input.
  var wordsAndInput: [String] { words + [input].compactMap(\.self) }

  /// Runs a plutil in a new folder with the files that the words name.
  func outcome(with program: String) throws -> Outcome {
    let folder = try TemporaryFolder()
    let named = words + (words.contains("taken.plist") ? ["taken.swift"] : [])
    for name in named { if let data = Self.files[name] { try folder.write(data, to: name) } }
    let run = try Plutil.program.run(
      program, words, in: folder, input: input.flatMap { Self.files[$0] } ?? Data())
    var files: [String: Content] = [:]
    for name in try folder.names() {
      let content = Content(try folder.data(name))
      if content != Self.files[name].map(Content.init) { files[name] = content }
    }
    return Outcome(
      status: run.status, output: Content(run.output), error: run.error, files: files)
  }
}
