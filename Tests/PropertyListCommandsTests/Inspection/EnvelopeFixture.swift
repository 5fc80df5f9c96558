import Foundation

/// Files of other formats that have a property list in them.
///
/// The messages were written by `openssl cms -sign -binary -nodetach -nocerts -noattr`.
enum EnvelopeFixture {
  /// The property list in the signed messages.
  static let profile = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>Name</key><string>Example</string><key>TeamIdentifier</key>\
    <array><string>T1</string></array><key>Entitlements</key><dict><key>get-task-allow</key>\
    <true/></dict></dict></plist>

    """

  /// A signed message in DER.
  static let signedMessage = data(
    """
    MIIByQYJKoZIhvcNAQcCoIIBujCCAbYCAQExDTALBglghkgBZQMEAgEwggEJBgkqhkiG9w0BBwGggfsEgfg8P3ht
    bCB2ZXJzaW9uPSIxLjAiIGVuY29kaW5nPSJVVEYtOCI/Pgo8cGxpc3QgdmVyc2lvbj0iMS4wIj48ZGljdD48a2V5
    Pk5hbWU8L2tleT48c3RyaW5nPkV4YW1wbGU8L3N0cmluZz48a2V5PlRlYW1JZGVudGlmaWVyPC9rZXk+PGFycmF5
    PjxzdHJpbmc+VDE8L3N0cmluZz48L2FycmF5PjxrZXk+RW50aXRsZW1lbnRzPC9rZXk+PGRpY3Q+PGtleT5nZXQt
    dGFzay1hbGxvdzwva2V5Pjx0cnVlLz48L2RpY3Q+PC9kaWN0PjwvcGxpc3Q+CjGBlDCBkQIBATApMBExDzANBgNV
    BAMMBkxhcmRlcgIUc3gtRybSzJMYFIVM3jDvw9vGfgUwCwYJYIZIAWUDBAIBMAoGCCqGSM49BAMCBEgwRgIhAL98
    Xfrg5ndfKUP7HDZpO2n5aLUXCIMdr2ODUIn7ZOBWAiEAyYhcpFgYVXd/5P91g5xS0iBBRyRVowX/dfHnVrzun8U=
    """)

  /// One with indefinite lengths and its contents in parts, as `-stream` writes it.
  static let streamedMessage = data(
    """
    MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBoIAkgASB+Dw/eG1sIHZlcnNp
    b249IjEuMCIgZW5jb2Rpbmc9IlVURi04Ij8+CjxwbGlzdCB2ZXJzaW9uPSIxLjAiPjxkaWN0PjxrZXk+TmFtZTwv
    a2V5PjxzdHJpbmc+RXhhbXBsZTwvc3RyaW5nPjxrZXk+VGVhbUlkZW50aWZpZXI8L2tleT48YXJyYXk+PHN0cmlu
    Zz5UMTwvc3RyaW5nPjwvYXJyYXk+PGtleT5FbnRpdGxlbWVudHM8L2tleT48ZGljdD48a2V5PmdldC10YXNrLWFs
    bG93PC9rZXk+PHRydWUvPjwvZGljdD48L2RpY3Q+PC9wbGlzdD4KAAAAAAAAMYGTMIGQAgEBMCkwETEPMA0GA1UE
    AwwGTGFyZGVyAhRzeC1HJtLMkxgUhUzeMO/D28Z+BTALBglghkgBZQMEAgEwCgYIKoZIzj0EAwIERzBFAiAOpTbV
    if1IlIZCs+2k1BcouL/IpLhzgI2t43haktSdygIhAN4befOGSUKg++Tyu6g/AAvQeoxDsy6IURFnbY6qSh0xAAAA
    AAAA
    """)

  /// One without its contents.
  static let detachedMessage = data(
    """
    MIHGBgkqhkiG9w0BBwKggbgwgbUCAQExDTALBglghkgBZQMEAgEwCwYJKoZIhvcNAQcBMYGTMIGQAgEBMCkwETEP
    MA0GA1UEAwwGTGFyZGVyAhRzeC1HJtLMkxgUhUzeMO/D28Z+BTALBglghkgBZQMEAgEwCgYIKoZIzj0EAwIERzBF
    AiEA6M++HEAHeuZ2XDkhV6v/M1yucQRcr1b4w7OwcNzYknwCICkJm0jBT3u8Chk345I4tJmVXB+gjHuymD12tGx0
    oRBr
    """)

  private static func data(_ base64: String) -> Data {
    Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
  }

  // MARK: Mach-O

  /// A Mach-O file with a property list in its section `__TEXT,__info_plist`.
  ///
  /// - Parameter contents: The property list; nil for a file without the section.
  static func machO(_ contents: Data?, is64Bit: Bool = true, isBigEndian: Bool = false) -> Data {
    var file = Data()
    func put(_ number: Int, _ size: Int = 4) {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
      file += isBigEndian ? bytes.reversed() : bytes
    }
    func put(_ name: String) {
      file += Data(name.utf8) + Data(count: 16 - name.utf8.count)
    }
    let word = is64Bit ? 8 : 4
    let sections = contents == nil ? ["__text"] : ["__text", "__info_plist"]
    let commandSize = (is64Bit ? 72 : 56) + sections.count * (is64Bit ? 80 : 68)
    let start = (is64Bit ? 32 : 28) + 8 + commandSize
    put(is64Bit ? 0xFEED_FACF : 0xFEED_FACE)
    put(is64Bit ? 0x0100_000C : 7)
    for number in [0, 2, 2, 8 + commandSize, 0] { put(number) }
    if is64Bit { put(0) }
    // A command of another kind.
    put(0x1B)
    put(8)
    put(is64Bit ? 0x19 : 1)
    put(commandSize)
    put("__TEXT")
    for number in [0, 4096, 0, 4096] { put(number, word) }
    for number in [5, 5, sections.count, 0] { put(number) }
    for name in sections {
      put(name)
      put("__TEXT")
      put(0, word)
      put(name == "__text" ? 0 : contents?.count ?? 0, word)
      put(start)
      for _ in 0..<(is64Bit ? 7 : 6) { put(0) }
    }
    return file + (contents ?? Data())
  }

  /// A fat Mach-O file of several others.
  static func fat(_ files: [Data]) -> Data {
    func number(_ number: Int) -> Data {
      Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) })
    }
    var header = number(0xCAFE_BABE) + number(files.count)
    var offset = 8 + files.count * 20
    for file in files {
      header += number(7) + number(3) + number(offset) + number(file.count) + number(0)
      offset += file.count
    }
    return files.reduce(header, +)
  }
}
