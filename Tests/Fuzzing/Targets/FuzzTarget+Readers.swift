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
          if format == .binary { try expectMap(of: data, isValid: true) }
          for warning in document.warnings {
            try expectLine(warning)
            try expectLocation(warning.location, in: data)
          }
        } catch let error as PlistError {
          try expectLine(error)
          try expectLocation(error.location, in: data)
          if format == .binary { try expectMap(of: data, isValid: false) }
        }
      }
    }
  }

  /// Expects that the parts of a binary property list are in its bytes, and that there is a map of each valid one.
  private static func expectMap(of data: Data, isValid: Bool) throws {
    guard let map = BinaryLayout(data) else {
      return try expect(!isValid, "there is no map")
    }
    let area = BinaryLayout.headerLength..<map.table.lowerBound
    let ranges = map.objects.compactMap(\.range)
    try expect(ranges.allSatisfy { area.contains($0) }, "an object is not in the object area")
    try expect(map.gaps.allSatisfy { area.contains($0) }, "a gap is not in the object area")
    try expect(
      !map.gaps.contains { gap in ranges.contains { $0.overlaps(gap) } }, "a gap is in an object")
    for object in map.objects.indices {
      for count in 0...2 {
        _ = map.members(of: object, keys: ["a", "b"].prefix(count), count: count)
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
