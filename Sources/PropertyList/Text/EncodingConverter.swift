internal import Glibc

/// Converts text from one encoding to another with the system's iconv.
struct EncodingConverter: ~Copyable {
  private let descriptor: iconv_t

  /// - Parameters:
  ///   - encoding: The name of an encoding, as iconv knows it.
  ///   - target: The name of the encoding of the output.
  /// - Returns: Nil for an unknown name.
  init?(from encoding: String, to target: String = "UTF-8") {
    guard let descriptor = iconv_open(target, encoding), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  /// Appends a whole text in the encoding of the output, and returns whether all of it is valid in the encoding. If not,
  /// the text before the first defect is appended.
  mutating func convert(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Bool {
    var input = UnsafeMutablePointer(
      mutating: text.baseAddress?.assumingMemoryBound(to: CChar.self))
    var count = text.count
    while count > 0 {
      guard convertSome(&input, &count, to: &output) else { return false }
    }
    // Some encodings hold a character back until they are told that no more follows.
    return convertSome(nil, nil, to: &output)
  }

  /// Converts as much as fits a buffer, and returns whether it is valid.
  private mutating func convertSome(
    _ input: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ inputCount: UnsafeMutablePointer<Int>?, to output: inout [UInt8]
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      var next = buffer.baseAddress
      var rest = buffer.count
      let isValid = iconv(descriptor, input, inputCount, &next, &rest) != -1 || errno == E2BIG
      output += UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer.dropLast(rest)))
      return isValid
    }
  }
}
