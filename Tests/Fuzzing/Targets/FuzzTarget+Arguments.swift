import Foundation
import Preferences
import PropertyList

extension FuzzTarget {
  /// The argument domain, of the words of a command line, which NULs separate.
  static let arguments = FuzzTarget(name: "arguments") { data in
    let words = data.words
    for negativeNumbers in [false, true] {
      for doubleDashes in [false, true] {
        var options = ArgumentOptions()
        options.allowNegativeNumbers = negativeNumbers
        options.ignoreDoubleDashes = doubleDashes
        let domain = ArgumentDomain.parse(["program"] + words, options: options)
        // `--` ends the pairs.
        let ended = ArgumentDomain.parse(
          ["program"] + words + ["--", "-key", "value"], options: options)
        try expect(domain == ended, "words after -- count")
        for (key, value) in domain {
          try expect(words.contains { $0.utf8.elementsEqual(("-" + key).utf8) }, "an unknown key")
          if case .string(let text) = value, words.contains(text) { continue }
          // A value other than a string stands in a word as a property list.
          let isRead = words.contains { word in
            (try? Plist.read(Data(word.utf8)).value) == value
              || (try? Plist.read(Data(word.utf8), as: .openStep).value) == value
          }
          try expect(isRead, "no word means the value of a key")
        }
      }
    }
  }
}

extension Data {
  /// The words that NULs separate, with what is not UTF-8 replaced.
  var words: [String] {
    split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
