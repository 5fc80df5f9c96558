import Foundation
import PropertyList

extension FuzzTarget {
  /// The readers of the formats, each with the default options and with the most liberal ones.
  ///
  /// Errors and warnings are single lines with a location in the document.
  static let readers = PlistFormat.allCases.map { format in
    FuzzTarget(name: format.rawValue.lowercased()) { data in
      for options in [PlistReadOptions(), .liberal] {
        do {
          let document = try Plist.read(data, as: format, options: options)
          try expect(document.format == format, "the format is \(document.format)")
          for warning in document.warnings {
            try expectLine(warning)
            try expectLocation(warning.location, in: data)
          }
        } catch let error as PlistError {
          try expectLine(error)
          try expectLocation(error.location, in: data)
        }
      }
    }
  }

  private static func expectLocation(_ location: PlistError.Location?, in data: Data) throws {
    switch location {
    case .line(let line, let column)?:
      // A line ends with a line feed, a carriage return or both.
      let most = data.count { $0 == 0x0A || $0 == 0x0D } + 1
      try expect((1...most).contains(line), "line \(line) is none of the \(most) lines")
      try expect((1...data.count + 1).contains(column), "there is no column \(column)")
    case .byte(let offset)?:
      try expect((0...data.count).contains(offset), "there is no byte \(offset)")
    case nil:
      break
    }
  }
}

extension PlistReadOptions {
  /// Everything that a reader can be made to accept.
  static var liberal: PlistReadOptions {
    var options = PlistReadOptions()
    options.allowsLenientDates = true
    options.allowsTypedValues = true
    options.allowsMalformedBase64 = true
    return options
  }

  /// The default options, for documents that are small enough to do more than read them.
  static var small: PlistReadOptions {
    var options = PlistReadOptions()
    options.limits.maximumNodeCount = 2000
    return options
  }
}
