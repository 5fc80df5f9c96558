import Foundation
import PropertyList
import Testing

/// A program that reads a property list and writes it in another format.
enum Reader: String, CaseIterable {
  case larder, foundation, plistlib, libplist

  /// The command that converts the file `$1` to the file `$2`, as XML, or from XML to binary.
  var command: String {
    switch self {
    case .larder: #"plutil -convert "$FORMAT" -o "$2" "$1""#
    case .foundation:
      #""$(dirname "$(readlink -f "$(command -v swift)")")/plutil" -convert "$FORMAT" -o "$2" "$1""#
    case .plistlib:
      """
      python3 -c 'import os, plistlib, sys
      value = plistlib.load(open(sys.argv[1], "rb"))
      format = plistlib.FMT_XML if os.environ["FORMAT"] == "xml1" else plistlib.FMT_BINARY
      data = plistlib.dumps(value, fmt=format)
      open(sys.argv[2], "wb").write(data)' "$1" "$2"
      """
    case .libplist: #"plistutil -i "$1" -o "$2""#
    }
  }
}

/// What a program makes of a document.
enum Passage: Equatable {
  /// It writes the same value.
  case same
  /// It writes another value.
  case becomes(PlistValue)
  /// It writes nothing.
  case refused
  /// It writes what is not a property list.
  case unreadable

  /// The outcome for a value and an output, or no output if it is nil.
  init(of value: PlistValue?, to data: Data?) throws {
    guard let data else {
      self = .refused
      return
    }
    guard let result = try? Plist.read(data).value else {
      self = .unreadable
      return
    }
    // Compared as bytes, because 0.0 and -0.0 are equal as numbers.
    let isSame = try value.map {
      try Plist.write($0, as: .binary) == Plist.write(result, as: .binary)
    }
    self = isSame == true ? .same : .becomes(result)
  }
}

/// A row of the table of documents on the page `Evidence.md`.
struct PassedDocument: CustomTestStringConvertible {
  let testDescription: String
  let document: Data
  /// The value of the document; nil if it is not a property list.
  var value: PlistValue?
  /// The outcomes other than the same value.
  var passages: [Reader: Passage]

  /// A value, as a binary document.
  private init(
    _ description: String, _ value: PlistValue, _ passages: [Reader: Passage] = [:]
  ) throws {
    testDescription = description
    document = try Plist.write(value, as: .binary)
    self.value = value
    self.passages = passages
  }

  /// A document that is not a property list.
  private init(_ description: String, _ document: Data, _ passages: [Reader: Passage]) {
    testDescription = description
    self.document = document
    self.passages = passages
  }

  static let integerWithLetters = PassedDocument(
    "an integer with letters",
    Data("<plist version=\"1.0\">\n<array><integer>4x</integer></array></plist>\n".utf8),
    [.larder: .refused, .foundation: .refused, .plistlib: .refused, .libplist: .becomes([4])])

  static let all: Result<[PassedDocument], any Error> = Result {
    [
      integerWithLetters,
      // An array of one element, which is the array.
      PassedDocument(
        "an array that contains itself",
        Data("bplist00".utf8) + Data([0xA1, 0, 8]) + Data([0, 0, 0, 0, 0, 0, 1, 1])
          + Data([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10]),
        [
          .larder: .refused, .foundation: .refused, .plistlib: .refused, .libplist: .unreadable,
        ]),
      try PassedDocument(
        "the least and greatest integers", [.integer(.min), .integer(.max), .unsignedInteger(.max)]),
      try PassedDocument("one as an integer, a real and a Boolean", [1, 1.0, true]),
      try PassedDocument(
        "a negative zero", [-0.0], [.foundation: .becomes([0.0]), .libplist: .becomes([0.0])]),
      try PassedDocument(
        "two keys of the same letter, composed and decomposed",
        .dictionary(PlistDictionary([("e\u{301}", 2), ("\u{e9}", 1)])),
        [.foundation: .becomes(["\u{e9}": 2])]),
      try PassedDocument(
        "a string with a null character", ["a\u{0}b"],
        [
          .larder: .refused, .plistlib: .refused, .foundation: .unreadable,
          .libplist: .becomes(["a"]),
        ]),
    ]
  }
}
