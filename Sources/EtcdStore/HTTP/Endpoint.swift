internal import FoundationEssentials

/// The address of a member of a cluster, without a path.
struct Endpoint: Sendable, Hashable, CustomStringConvertible {
  /// The address as a URL without a slash at its end.
  let description: String
  let isEncrypted: Bool
  /// Whether the address refers to this machine.
  let isLoopback: Bool

  /// Parses a URL; nil if the text is not a URL, or has more than a host and a port.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parts = URLComponents(string: text),
      let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
      parts.path == "" || parts.path == "/", parts.query == nil, parts.fragment == nil
    else { return nil }
    let port = parts.port
    if let port, !(1...65535).contains(port) { return nil }
    description = "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")"
    isEncrypted = scheme == "https"
    isLoopback =
      host == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}
