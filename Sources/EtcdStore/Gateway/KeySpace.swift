internal import FoundationEssentials

/// The keys of a store in the cluster: those that begin with its prefix.
struct KeySpace: Sendable {
  private var prefix: Data

  init(prefix: String) { self.prefix = Data(prefix.utf8) }

  /// The keys that begin with a prefix after this one.
  func part(_ prefix: String) -> KeySpace {
    var part = self
    part.prefix += Data(prefix.utf8)
    return part
  }

  /// The first key. etcd has no empty one.
  var start: Data { prefix.isEmpty ? Data([0]) : prefix }

  /// The first key after the store's keys.
  var end: Data {
    var end = prefix
    while let last = end.popLast() {
      if last < 0xFF { return end + [last + 1] }
    }
    // To the end of all keys.
    return Data([0])
  }

  /// The name of a key in the cluster.
  func name(of key: String) -> Data { prefix + Data(key.utf8) }

  /// The preference's key for a name in the cluster; nil if the name is not a preference's.
  func key(of name: Data) -> String? {
    guard name.starts(with: prefix) else { return nil }
    return String(validating: name.dropFirst(prefix.count), as: UTF8.self)
  }
}
