extension PlistError {
  /// The kinds of documents that are mistaken for property lists, recognized by their first bytes.
  public enum ForeignFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    // The names of the formats, each with its article.

    /// A signed message, with a property list inside that the tools read.
    case signedMessage = "a signed message (CMS), such as a provisioning profile"
    /// An archive of NeXT, from before property lists.
    case typedstream = "a typedstream archive"
    /// An archive of GNUstep's, from before keyed archives.
    case gnustepArchive = "an archive of GNUstep's NSArchiver"
    /// A compiled user interface.
    case nib = "a compiled nib (NIBArchive)"
    /// An icon.
    case icon = "an icon (ICNS)"
    /// An archive, such as an app's.
    case zip = "a ZIP archive"
    /// A compressed file.
    case gzip = "a gzip file"
    /// An image.
    case png = "a PNG image"
    /// An image.
    case jpeg = "a JPEG image"
    /// A document.
    case pdf = "a PDF document"
    /// A database.
    case sqlite = "an SQLite database"
    /// The placeholder for a file that Git LFS has not fetched.
    case gitLFSPointer = "a Git LFS pointer"
    /// A program or library of Linux.
    case elf = "an ELF file"
    /// A program or library of macOS.
    case machO = "a Mach-O file"

    /// The name of the format with its article.
    public var description: String { rawValue }
  }
}

extension PlistError {
  /// The error for an unreadable document that is not a property list, or that contains a
  /// version-control conflict; nil if it does not look like either.
  init?(foreignContents bytes: UnsafeRawBufferPointer, as format: PlistFormat) {
    if let format = ForeignFormat(detecting: bytes) {
      self.init(.notPropertyList(format))
    } else if format != .binary, let marker = Self.conflictMarker(in: bytes) {
      self.init(.conflictMarker, at: TextCursor.location(of: marker, in: bytes))
    } else {
      return nil
    }
  }

  /// The position of the line that begins a conflict: `<<<<<<<`, with `=======` on a line further
  /// down.
  private static func conflictMarker(in bytes: UnsafeRawBufferPointer) -> Int? {
    func line(beginningWith mark: StaticString, from start: Int) -> Int? {
      var position = start
      while let found = bytes.firstPosition(of: mark, from: position) {
        if found == 0 || bytes[found - 1] == 0x0A || bytes[found - 1] == 0x0D { return found }
        position = found + 1
      }
      return nil
    }
    guard let start = line(beginningWith: "<<<<<<< ", from: 0) else { return nil }
    return line(beginningWith: "=======", from: start) == nil ? nil : start
  }
}

extension PlistError.ForeignFormat {
  /// The format of a document that is not a property list; nil if its first bytes match none.
  init?(detecting bytes: UnsafeRawBufferPointer) {
    if Self.isSignedMessage(bytes) {
      self = .signedMessage
    } else if let format = Self.beginnings.first(where: { bytes.starts(with: $0.bytes) })?.format {
      self = format
    } else if bytes.hasBytes("\u{b}streamtyped", at: 1) || bytes.hasBytes("\u{b}typedstream", at: 1)
    {
      self = .typedstream
    } else if Self.isMachO(bytes) {
      self = .machO
    } else {
      return nil
    }
  }

  private static let beginnings: [(bytes: [UInt8], format: Self)] = [
    (Array("GNUstep archive".utf8), .gnustepArchive), (Array("NIBArchive".utf8), .nib),
    (Array("icns".utf8), .icon), (Array("PK\u{3}\u{4}".utf8), .zip),
    (Array("PK\u{5}\u{6}".utf8), .zip), ([0x1F, 0x8B], .gzip), ([0x89, 0x50, 0x4E, 0x47], .png),
    ([0xFF, 0xD8, 0xFF], .jpeg), (Array("%PDF-".utf8), .pdf),
    (Array("SQLite format 3".utf8), .sqlite), (Array("\u{7F}ELF".utf8), .elf),
    (Array("version https://git-lfs.github.com/spec/".utf8), .gitLFSPointer),
  ]

  /// A sequence in DER (or BER, with an indefinite length) that begins with the object identifier
  /// of signed data, 1.2.840.113549.1.7.2.
  private static func isSignedMessage(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    let lengthSize = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7F)
    let identifier: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    return bytes.dropFirst(2 + lengthSize).starts(with: identifier)
  }

  /// A Mach-O file of either byte order and word size, or a fat one. Java classes have the same
  /// magic number as fat files, followed by a version that is greater than any number of
  /// architectures.
  private static func isMachO(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 8 else { return false }
    let magic = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
    let count = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    switch magic {
    case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE: return true
    case 0xCAFE_BABE, 0xCAFE_BABF: return count < 40
    default: return false
    }
  }
}
