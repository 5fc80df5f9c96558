import Foundation
import TestSupport

/// A structure with random values of every kind.
struct RandomSample: Codable, Equatable {
  var integer: Int64?
  var unsigned: UInt64
  var small: Int16
  var double: Double?
  var float: Float
  var text: String?
  var flag: Bool?
  var date: Date
  var data: Data?
  var shape: Shape
  var byText: [String: [RandomSample]]
  var byNumber: [Int: Double]
  var byDate: [Date: String]
  var wrapped: Wrapper<Wrapper<Int?>>

  init(depth: Int, using generator: inout SeededGenerator) {
    integer = Self.maybe(&generator) { Int64.random(in: .min ... .max, using: &$0) }
    let shift = UInt64.random(in: 0..<64, using: &generator)
    unsigned = generator.next() >> shift
    small = .random(in: .min ... .max, using: &generator)
    double = Self.maybe(&generator) { Self.finite(Double(bitPattern: $0.next())) }
    float = Self.finite(Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())))
    text = Self.maybe(&generator, Self.text)
    flag = Self.maybe(&generator) { Bool.random(using: &$0) }
    date = Self.date(&generator)
    data = Self.maybe(&generator) { generator in
      Data((0..<Int.random(in: 0...70, using: &generator)).map { UInt8($0) })
    }
    shape = Self.shape(depth, &generator)
    byText = [:]
    for _ in 0..<(depth > 0 ? Int.random(in: 0...2, using: &generator) : 0) {
      byText[Self.text(&generator)] = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        RandomSample(depth: depth - 2, using: &generator)
      }
    }
    byNumber = [Int.random(in: -9...9, using: &generator): 0.1]
    byDate = [Self.date(&generator): Self.text(&generator)]
    wrapped = Wrapper(Wrapper(Self.maybe(&generator) { Int.random(in: -9...9, using: &$0) }))
  }

  private static func maybe<Value>(
    _ generator: inout SeededGenerator, _ make: (inout SeededGenerator) -> Value
  ) -> Value? {
    Bool.random(using: &generator) ? make(&generator) : nil
  }

  /// Returns the number, or another one for NaN, which does not equal itself.
  private static func finite<Number: BinaryFloatingPoint>(_ number: Number) -> Number {
    number.isNaN ? 1 / 3 : number
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    let characters: [Character] = ["a", "Z", "$", "\u{E9}", "e\u{301}", "\u{1F600}", "<", "&", " "]
    return String(
      (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        characters.randomElement(using: &generator)!
      })
  }

  /// Returns a date of whole seconds, which every format preserves.
  private static func date(_ generator: inout SeededGenerator) -> Date {
    Date(
      timeIntervalSinceReferenceDate: Double(Int.random(in: -1 << 40...1 << 40, using: &generator)))
  }

  private static func shape(
    _ depth: Int, _ generator: inout SeededGenerator
  ) -> Shape {
    switch Int.random(in: 0...(depth > 0 ? 2 : 1), using: &generator) {
    case 0: .nothing
    case 1: .circle(radius: .random(in: 0...1, using: &generator), label: text(&generator))
    default: .pair(shape(depth - 1, &generator), shape(depth - 1, &generator))
    }
  }
}
