import Glibc
import Preferences
import Synchronization

/// The stores of the tenants, one for each: `<folder>/<tenant>/preferences.plist`.
///
/// A store is opened once and kept: it costs a few kilobytes and no thread, and all of them
/// together are watched by one thread with two descriptors. Changes that other processes save
/// arrive without a call. For tenants with managed or system-wide values, use stores of domains
/// with their own ``DomainLocations``.
final class Tenants: Sendable {
  private let folder: String
  private let stores = Mutex<[String: PreferencesStore]>([:])

  init(in folder: String) {
    self.folder = folder
  }

  /// The number of open stores.
  var count: Int { stores.withLock { $0.count } }

  private var all: [PreferencesStore] { stores.withLock { Array($0.values) } }

  /// Opens and reads the stores of all tenants that have a folder, so that no request waits for
  /// that.
  func openAll(limit: Int) throws {
    guard let listing = opendir(folder) else {
      if errno == ENOENT { return }
      throw Failure(system: folder)
    }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard Self.isValid(name) else { continue }
      // The first read of a store reads its files.
      _ = try store(of: name, limit: limit).plistValue(forKey: "greeting")
    }
  }

  /// The store of a tenant, which need not have a folder yet.
  func store(of tenant: String, limit: Int) throws -> PreferencesStore {
    if let store = stores.withLock({ $0[tenant] }) { return store }
    guard Self.isValid(tenant) else { throw Failure("\(tenant) is no name of a tenant") }
    // Opened without the lock, because opening checks folders. If two threads open the store, one
    // of the two is dropped; both have the same values.
    let new = open(tenant)
    return try stores.withLock { stores in
      if let store = stores[tenant] { return store }
      guard stores.count < limit else { throw Failure("there are \(limit) tenants already") }
      stores[tenant] = new
      return new
    }
  }

  private func open(_ tenant: String) -> PreferencesStore {
    var options = PreferencesStore.Options()
    // A tenant does not see the server's command line.
    options.arguments = []
    let store = PreferencesStore(fileAt: "\(folder)/\(tenant)/preferences.plist", options: options)
    // All tenants share them.
    store.register(defaults: ["greeting": "Welcome"])
    return store
  }

  /// Whether a name can be used as the name of a folder, and does not lead elsewhere.
  private static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "-")
        }
      }
  }

  /// Reads the files of all tenants again, for file systems that do not report changes.
  func reload() {
    for store in all { store.synchronize() }
  }
}
