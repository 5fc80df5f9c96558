internal import EtcdStore
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Preferences
internal import PropertyList

/// The domains that are kept in sync, and their cluster: the contents of a configuration file.
struct Configuration: Sendable, Equatable {
  /// The path of the file.
  var path: String
  /// How to connect to the cluster. The prefix is that of everything that Larder has there.
  var connection: EtcdStore.Options
  /// The folder of the state files.
  var stateFolder: String
  /// The synchronized keys of each domain.
  var domains: [String: [String]] = [:]
  /// The domains whose managed preferences are replicated to this machine; nil for none.
  var managed: ManagedSelection?

  /// A choice of domains.
  enum ManagedSelection: Sendable, Equatable {
    /// All domains that the cluster has managed preferences of.
    case all
    case domains([String])
  }

  /// The path of the configuration of the machine.
  static let machinePath = "/etc/larder/sync.plist"

  /// The path of the configuration that is used by default: that of the machine for root, and
  /// otherwise that of the user.
  static var defaultPath: String {
    geteuid() == 0
      ? machinePath : UserFolders.standard.configuration + "/larder/sync.plist"
  }

  /// The folder of the state files unless the configuration names one.
  static var defaultStateFolder: String {
    geteuid() == 0 ? "/var/lib/larder-sync" : UserFolders.standard.state + "/larder-sync"
  }

  /// Reads a configuration file, which only its owner, the user of the process or root, may change.
  static func load(_ path: String) throws(ConfigurationError) -> Configuration {
    let path = FilePath.absolute(path)
    let data: Data
    do throws(EtcdError) {
      data = try CheckedFile.read(path, .published)
    } catch {
      throw ConfigurationError(lines: ["\(error)"])
    }
    let document: PlistDocument
    do throws(PlistError) {
      document = try Plist.read(data)
    } catch {
      throw ConfigurationError(lines: ["\(path): \(error)"])
    }
    var reader = ConfigurationReader(path, document.format)
    let configuration = reader.configuration(document.value)
    guard let configuration, reader.problems.isEmpty else {
      throw ConfigurationError(lines: reader.problems)
    }
    return configuration
  }
}

/// The mistakes in a configuration file.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// A line for each mistake: the file, the key path, and what was expected.
  var lines: [String]

  /// The lines as one text.
  var description: String { lines.joined(separator: "\n") }
}
