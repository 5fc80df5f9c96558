import Foundation
import PreferencesFoundation
import PropertyList

extension FuzzTarget {
  /// Python's plistlib and json, which read what we write as the same value, and read what we
  /// accept as the same value or not at all.
  static let plistlib = FuzzTarget(name: "plistlib") { data in
    let peer = try sharedPlistlib.get()
    guard let document = try? Plist.read(data, options: .small) else { return }
    for format in [PlistFormat.xml, .binary, .json] {
      let value = document.value.common(to: .plistlib, in: format)
      let read = try peer.read(try Plist.write(value, as: format), as: format)
      if let difference = read.difference(from: TypedText(value)) {
        throw Finding(description: "plistlib reads our \(format) as another value: \(difference)")
      }
    }
    guard document.format != .openStep, let value = document.asReadByPlistlib(data) else { return }
    let read = try peer.read(data, as: document.format)
    // A peer may refuse what we accept.
    if read.error == nil, let difference = read.difference(from: TypedText(value)) {
      throw Finding(description: "plistlib reads the \(document.format) otherwise: \(difference)")
    }
  }

  /// Foundation's reader, which reads what we write as the same value.
  static let foundation = FuzzTarget(name: "foundation") { data in
    var options = PlistReadOptions.small
    // Objects become the values of a domain, which is a further level.
    options.limits.maximumDepth -= 1
    guard let document = try? Plist.read(data, options: options) else { return }
    for format in [PlistFormat.xml, .binary] {
      let value = document.value.common(to: .foundation, in: format)
      let written = try Plist.write(value, as: format)
      let read = try PropertyListSerialization.propertyList(from: written, format: nil)
      let text = TypedText(try PlistValue(storing: read))
      if let difference = text.difference(from: TypedText(value)) {
        throw Finding(description: "Foundation reads our \(format) as another value: \(difference)")
      }
    }
  }

  private static let sharedPlistlib = Result { try PlistlibPeer() }
}

extension PlistDocument {
  /// The value as plistlib reads it from the data of the document, if it reads it; nil if it reads
  /// another one, as the tests of disagreements say.
  fileprivate func asReadByPlistlib(_ data: Data) -> PlistValue? {
    // XML readers turn bare carriage returns into line feeds.
    if format == .xml, data.contains(0x0D) { return nil }
    return value.asReadByPlistlib(in: format)
  }
}

extension PlistValue {
  fileprivate func asReadByPlistlib(in format: PlistFormat) -> PlistValue? {
    switch self {
    case .dictionary(let dictionary):
      var read = PlistDictionary()
      for (key, value) in dictionary {
        guard let value = value.asReadByPlistlib(in: format) else { return nil }
        read[key] = value
      }
      return .dictionary(read)
    case .array(let elements):
      var read: [PlistValue] = []
      for element in elements {
        guard let element = element.asReadByPlistlib(in: format) else { return nil }
        read.append(element)
      }
      return .array(read)
    case .date(let date):
      // It rounds to microseconds.
      let seconds = date.timeIntervalSinceReferenceDate
      return seconds == seconds.rounded()
        ? .date(Date(timeIntervalSinceReferenceDate: seconds + 0)) : nil
    case .uid(let uid):
      return format == .xml ? ["CF$UID": .integer(Int64(uid))] : self
    default:
      return self
    }
  }
}

/// Another reader of property lists.
private enum Peer {
  case plistlib, foundation
}

extension PlistValue {
  /// The value with replacements for what a format lacks or a peer reads differently.
  ///
  /// The tests of disagreements have a row for each difference.
  fileprivate func common(to peer: Peer, in format: PlistFormat) -> PlistValue {
    switch self {
    case .dictionary(let dictionary):
      return dictionary.common(to: peer, in: format)
    case .array(let elements), .set(let elements):
      return .array(elements.map { $0.common(to: peer, in: format) })
    case .string(let string):
      return .string(string.common(to: peer, in: format))
    case .integer, .unsignedInteger, .boolean:
      return self
    case .real(let number):
      return format == .json && !number.isFinite ? 0.5 : self
    case .float(let number):
      return format == .json && !number.isFinite ? 0.5 : self
    case .date(let date):
      // Python has whole microseconds of the years 1 to 9999.
      // -0.0 is the same date as 0.
      let seconds = date.timeIntervalSinceReferenceDate.rounded(.down) + 0
      if format == .json { return "a date" }
      return (-63_113_904_000...252_423_993_599).contains(seconds)
        ? .date(Date(timeIntervalSinceReferenceDate: seconds)) : false
    case .data(let data):
      return format == .json ? .string(data.base64EncodedString()) : self
    case .uid(let uid):
      // Foundation has no public type for it.
      return format == .binary && peer == .plistlib ? self : .integer(Int64(uid))
    case .null:
      return format == .json ? self : false
    }
  }
}

extension PlistDictionary {
  fileprivate func common(to peer: Peer, in format: PlistFormat) -> PlistValue {
    var common = PlistDictionary()
    // Foundation's dictionaries compare keys by canonical equivalence.
    var keys: Set<String> = []
    for (original, value) in self {
      let key = original.common(to: peer, in: format)
      guard keys.insert(key).inserted || peer == .plistlib else { continue }
      common[key] = value.common(to: peer, in: format)
    }
    // It would be a UID.
    if common.count == 1, common["CF$UID"] != nil { common["other"] = 1 }
    return .dictionary(common)
  }
}

extension String {
  fileprivate func common(to peer: Peer, in format: PlistFormat) -> String {
    var scalars = unicodeScalars
    if format == .xml {
      scalars = String.UnicodeScalarView(
        scalars.map { scalar in
          let isControl =
            scalar.value < 0x20 && scalar != "\t" && scalar != "\n" && scalar != "\r"
          return isControl || scalar.value == 0xFFFE || scalar.value == 0xFFFF ? "?" : scalar
        })
    }
    // Foundation takes it for a byte-order mark.
    if peer == .foundation, scalars.first == "\u{FEFF}" {
      scalars.insert("?", at: scalars.startIndex)
    }
    return String(scalars)
  }
}
