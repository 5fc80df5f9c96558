package import FoundationEssentials

/// A file of another format that contains a property list.
package enum PlistEnvelope: Sendable, Hashable {
  /// A signed message (CMS), such as a provisioning profile or a signed configuration profile. Its
  /// signature is not checked.
  case signedMessage
  /// An executable in Mach-O, with the name of the processor that it is for.
  case machO(architecture: String)

  /// Finds the property list in a file of another format.
  ///
  /// - Returns: The bytes of the property list, which need not be valid, and their envelope; nil
  ///   for data that is neither a signed message nor a Mach-O file.
  /// - Throws: An error for such a file if it is damaged or has no property list.
  package static func open(
    _ data: Data
  ) throws(PlistError) -> (contents: Data, envelope: PlistEnvelope)? {
    try data.withBytes { bytes throws(PlistError) in
      switch PlistError.ForeignFormat(detecting: bytes) {
      case .signedMessage:
        var message = SignedMessage(bytes)
        return (try message.contents(), .signedMessage)
      case .machO:
        let (range, architecture) = try MachOFile(bytes).informationPropertyList()
        return (Data(bytes[range]), .machO(architecture: architecture))
      default: return nil
      }
    }
  }
}

extension PlistEnvelope: CustomStringConvertible {
  /// The place of the property list, in words that follow a file's name.
  package var description: String {
    switch self {
    case .signedMessage:
      "the property list is inside a signed message (CMS), whose signature was not checked"
    case .machO(let architecture):
      "the property list is inside a Mach-O file (\(architecture)), section __TEXT,__info_plist"
    }
  }
}
