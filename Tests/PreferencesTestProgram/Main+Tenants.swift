import Foundation
import Preferences
import PropertyList

extension Main {
  /// `update-tenants <count> <seconds>` increments the versions of a server's tenants, whose folder
  /// is given instead of the file, and prints the number of updates.
  func updateTenants() throws {
    var generator = SystemRandomNumberGenerator()
    let end = Date().addingTimeInterval(Double(number(1)))
    var writes = 0
    while Date() < end {
      let tenant = Int.random(in: 0..<number(0), using: &generator)
      let file = "\(path)/tenant-\(tenant)/user/org.example.service.plist"
      try PreferencesStore(fileAt: file).update(timeout: .seconds(60)) { values in
        guard case .integer(let version) = values["version"] ?? 0 else { return }
        values["version"] = .integer(version + 1)
      }
      writes += 1
      usleep(2000)
    }
    say("\(writes)")
  }
}
