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
        == "cannot preserve the extended attribute user.note: No space left on device")
  }

  @Test(
    "says what is wrong where that is no refusal of the system",
    arguments: [
      (.openPathWithNUL, EINVAL, "the path contains a NUL character"),
      (.openUndecodablePath, EILSEQ, "the path is not UTF-8"),
      (.readSpecialFile, EINVAL, "not a regular file"),
      (.replaceSpecialFile, EINVAL, "not a regular file"),
      (.readSpecialFile, EISDIR, "is a directory"),
      (.replaceSpecialFile, EISDIR, "is a directory"),
      (.open, EISDIR, "is a directory"), (.read, EISDIR, "is a directory"),
      (.replaceReadOnlyFile, EACCES, "the file is read-only"),
      (.replacePinnedFile, EACCES, "its owner may not write the file; chmod u+w allows it"),
      (.replaceDescriptor, EINVAL, "an open file descriptor cannot be replaced"),
      (.readLargeFile(limit: 5), EFBIG, "the file is larger than 5 bytes"),
      (.readChangingFile, EAGAIN, "another program keeps changing the file"),
      (.replaceChangingFile, EAGAIN, "another program keeps changing the file"),
      (.keepLockInChild, EPERM, "a forked child does not hold the locks of its parent"),
    ] as [(FileSystemError.Operation, Int32, String)])
  func reason(operation: FileSystemError.Operation, code: Int32, text: String) {
    #expect("\(FileSystemError(operation, code: code))" == text)
  }

  @Test("keeps its reason as one of a larger operation")
  func during() {
    let error = FileSystemError(.open, code: EACCES)
    #expect(error.during(.lock) == FileSystemError(.lock, code: EACCES))
    let timeout = FileSystemError.lockTimeout(waited: .seconds(1), lockFile: ".f.lock")
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
      "\(FileSystemError.lockTimeout(waited: waited, lockFile: ".f.lock"))"
        == "the file was still locked after \(text) (lock file .f.lock)")
  }
}
