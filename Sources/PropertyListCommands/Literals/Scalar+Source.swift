extension Unicode.Scalar {
  /// Whether the character can stand in source code as it is: it is seen there, by itself, and as what it
  /// is.
  ///
  /// That leaves out control and format characters, all space but the common one, and marks, which
  /// editors may merge with the letter before them.
  var isSafeInSource: Bool {
    if isASCII { return value >= 0x20 && value != 0x7F }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
      return true
    default:
      return false
    }
  }
}
