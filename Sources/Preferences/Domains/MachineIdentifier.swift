internal import FileStorage
internal import FoundationEssentials
internal import Threading

/// Identifies the machine among those that share a user's folder.
enum MachineIdentifier {
  private static let known = Lock<String?>(nil)

  /// A hash of `/etc/machine-id`, which should not be exposed according to machine-id(5), or of the
  /// host name without that file.
  static var current: String {
    if let known = known.withLock({ $0 }) { return known }
    let (identifier, isCertain) = identifier()
    let hash = String(StableHash.hash("Larder " + identifier), radix: 16)
    if isCertain { known.withLock { $0 = hash } }
    return hash
  }

  /// Returns the file's contents or the host name, and whether the result is final.
  private static func identifier() -> (String, isCertain: Bool) {
    var isCertain = false
    for _ in 0..<10 where !isCertain {
      do throws(FileSystemError) {
        let line = try AtomicFile.readLine("/etc/machine-id", limit: 256)
        return (String(decoding: line, as: UTF8.self), true)
      } catch {
        switch PreferencesError(error, path: "/etc/machine-id").cause {
        case .shortage, .interruption, .disk: Duration.milliseconds(20).sleep()
        default: isCertain = true
        }
      }
    }
    return (ProcessInfo.processInfo.hostName, isCertain)
  }
}
