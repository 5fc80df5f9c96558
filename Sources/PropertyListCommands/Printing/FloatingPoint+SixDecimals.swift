internal import Glibc

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
  /// The number with six digits after the point, as `%f` prints it; nil if that would be another
  /// number.
  var sixDecimals: String? {
    // The largest double has 309 digits before the point.
    var buffer = Array(repeating: CChar(0), count: 400)
    let count = withVaList([Double(self)]) { vsnprintf(&buffer, buffer.count, "%f", $0) }
    let text = String(
      decoding: buffer.prefix(Int(count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return Self(text) == self ? text : nil
  }
}
