import Foundation
import Testing

@Suite("Tests keep off the home of whoever runs them")
struct HomeTests {
  @Test("Preferences go to a folder that the Makefile makes")
  func folder() {
    let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]
    #expect(folder != nil, "run them with `make client`")
  }
}
