/// The keys that dictionaries of a document have in common, and where they were found.
///
/// A type asks one dictionary after another for the same keys in the same order, which need not be theirs:
/// what the second one was asked for is what the third one will be.
final class DecodedKeys {
  private let shape: DictionaryShape
  /// For the position of each key the index of its value; empty where that is the same.
  private let indices: [Int]
  /// Whether there is more than one dictionary, so that it pays to remember.
  private var isShared = false
  /// What was asked for and found, in the order of the questions. Nothing is asked while it changes.
  @exclusivity(unchecked) private var answers: [Answer] = []

  private struct Answer {
    let key: String
    /// The index of the value; nil where there is none.
    let index: Int?
  }

  /// How far the questions to one dictionary have come.
  struct Progress {
    /// How many of them have been remembered.
    fileprivate var answered = 0
    /// The position behind the key that was found last.
    fileprivate var position = 0
  }

  /// More answers are not worth their memory.
  private static let mostAnswers = 64
  /// How many keys are looked at before one is sought among all.
  private static let nearby = 4

  /// The keys of dictionaries whose values stand in their order.
  init(_ shape: DictionaryShape) {
    self.shape = shape
    indices = []
  }

  /// Keys that may be repeated, with one value each: of equal keys the last one counts, in the place of
  /// the first.
  init(_ keys: [String]) {
    if let shape = DictionaryShape(distinct: keys) {
      self.shape = shape
      indices = []
    } else {
      var lastIndices: [Int] = []
      var distinct = PlistDictionary()
      for (index, key) in keys.enumerated() {
        if distinct.updateValue(.null, forKey: key) == nil {
          lastIndices.append(index)
        } else if let position = distinct.shape.position(of: key) {
          lastIndices[position] = index
        }
      }
      shape = distinct.shape
      indices = lastIndices
    }
  }

  /// The keys, each once, in order.
  var all: [String] { shape.keys }

  /// Whether they are those of such a shape.
  func are(of shape: DictionaryShape) -> Bool { self.shape === shape }

  /// Notes that another dictionary has these keys as well.
  func share() { isShared = true }

  /// The index of a key's value; nil where there is none.
  @inline(__always)
  func index(of key: String, _ progress: inout Progress) -> Int? {
    if progress.answered < answers.count {
      let answer = answers[progress.answered]
      if Self.areIdentical(answer.key, key) {
        progress.answered += 1
        return answer.index
      }
    }
    return search(for: key, &progress)
  }

  @inline(never)
  private func search(for key: String, _ progress: inout Progress) -> Int? {
    let found = position(of: key, from: progress.position)
    if let found { progress.position = found + 1 }
    let index = found.map { indices.isEmpty ? $0 : indices[$0] }
    if isShared, progress.answered < Self.mostAnswers {
      let answer = Answer(key: key, index: index)
      if progress.answered < answers.count {
        answers[progress.answered] = answer
      } else {
        answers.append(answer)
      }
      progress.answered += 1
    }
    return index
  }

  private func position(of key: String, from first: Int) -> Int? {
    let keys = shape.keys
    for position in first..<min(first + Self.nearby, keys.count)
    where Self.areIdentical(keys[position], key) || keys[position].hasSameBytes(as: key) {
      return position
    }
    return shape.position(of: key)
  }

  /// Whether two keys are the same short text, or share their storage.
  @inline(__always)
  private static func areIdentical(_ one: String, _ other: String) -> Bool {
    unsafeBitCast(one, to: SIMD2<UInt64>.self) == unsafeBitCast(other, to: SIMD2<UInt64>.self)
  }
}
