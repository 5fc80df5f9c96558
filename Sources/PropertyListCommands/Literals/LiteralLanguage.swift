/// A programming language for literals of property lists.
enum LiteralLanguage {
  case swift, objectiveC

  /// The language's name in error texts.
  var title: String { self == .swift ? "Swift" : "Objective-C" }

  /// The article before that name.
  var article: String { self == .swift ? "a" : "an" }

  /// The extension of its source files.
  var fileExtension: String { self == .swift ? "swift" : "m" }
}
