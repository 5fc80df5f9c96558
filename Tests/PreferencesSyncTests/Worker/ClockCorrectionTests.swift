import Testing

@testable import PreferencesSync

@Suite("The decision whose clock dates changes")
struct ClockCorrectionTests {
  @Test(
    "A clock counts where others agree",
    arguments: [
      // There are no other servers.
      ([], 0, false),
      // One server, which agrees or disagrees.
      ([0], 0, true), ([300], 0, true), ([-300], 0, true),
      ([301], 300, false), ([-1e9], -300, false),
      // Two that agree with each other, with this machine, or with neither.
      ([1000, 1100], 1100, true), ([-2000, -2200], -2000, true), ([100, -100], 0, true),
      ([1000, 0], 0, true), ([1000, 2000], 300, false), ([-1000, 2000], -300, false),
      // One of three is wrong, or all are.
      ([1e9, 0, 5], 0, true), ([1000, 1010, -1e9], 1000, true), ([1000, -2000, 3000], 300, false),
      // Half of four is not a majority.
      ([0, 0, 1000, 1000], 0, true), ([-1000, 1000, 1000, -2000], -300, false),
    ] as [([Double], Double, Bool)])
  func servers(servers: [Double], seconds: Double, isCertain: Bool) {
    let correction = ClockCorrection(isSynchronized: false, servers: servers, tolerance: 300)
    #expect((correction.seconds, correction.isCertain) == (seconds, isCertain))
    let own = ClockCorrection(isSynchronized: true, servers: servers, tolerance: 300)
    #expect((own.seconds, own.isCertain) == (0, true))
  }
}
