import Foundation
import TestSupport
import Testing

@testable import SyncCommands

@Suite("The service manager")
struct ServiceManagerTests {
  /// A socket that receives notifications.
  private final class Receiver {
    let socket: Int32

    init(_ name: String) {
      socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { path in
        path.copyBytes(from: name.utf8)
        if name.hasPrefix("@") { path[0] = 0 }
      }
      let size = MemoryLayout<sa_family_t>.size + name.utf8.count + (name.hasPrefix("/") ? 1 : 0)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, socklen_t(size))
        }
      }
      #expect(result == 0)
    }

    deinit {
      close(socket)
    }

    func next() -> String? {
      var buffer = [UInt8](repeating: 0, count: 1000)
      let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  @Test("is notified at a path, and at a name without a file")
  func addresses() throws {
    let folder = try TemporaryFolder()
    for name in [folder.path("notify"), "@larder-\(UUID().uuidString)"] {
      let receiver = Receiver(name)
      let manager = ServiceManager(address: name)
      manager.notify("READY=1")
      manager.notify("RELOADING=1", "MONOTONIC_USEC=5")
      #expect(receiver.next() == "READY=1")
      #expect(receiver.next() == "RELOADING=1\nMONOTONIC_USEC=5")
      #expect(receiver.next() == nil)
    }
  }

  @Test(
    "is not needed",
    arguments: [
      nil, "", "relative", "/nowhere/socket", "/" + String(repeating: "x", count: 200),
    ])
  func missing(address: String?) {
    ServiceManager(address: address).notify("READY=1")
  }
}
