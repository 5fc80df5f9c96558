import Foundation
import Testing

@testable import FileStorage

@Suite("An error of the file system")
struct FileSystemErrorTests {
  @Test("names the operation and the reason")
  func failure() {
    #expect("\(FileSystemError(.open, code: EACCES))" == "cannot open: Permission denied")
    #expect(
      "\(FileSystemError(.copyExtendedAttribute("user.note"), code: ENOSPC))"
        == "cannot copy the extended attribute user.note: No space left on device")
  }

  @Test("keeps its reason as one of a larger operation")
  func during() {
    let error = FileSystemError(.open, code: EACCES)
    #expect(error.during(.lock) == FileSystemError(.lock, code: EACCES))
    let timeout = FileSystemError.lockTimeout(waited: .seconds(1))
    #expect(timeout.during(.lock) == timeout)
    #expect(timeout.code == nil)
  }

  @Test(
    "of a lock timeout tells how long it was waited for",
    arguments: [
      (.zero, "0 milliseconds"), (.milliseconds(1), "1 millisecond"),
      (.microseconds(49_600), "50 milliseconds"), (.microseconds(999_600), "1 second"),
      (.milliseconds(1549), "1.5 seconds"), (.milliseconds(9999), "10 seconds"),
      (.seconds(60), "60 seconds"), (.seconds(Int64.max), "1099511627776 seconds"),
    ] as [(Duration, String)])
  func timeout(waited: Duration, text: String) {
    #expect(
      "\(FileSystemError.lockTimeout(waited: waited))" == "the file was still locked after \(text)")
  }
}
