internal import Manifests
internal import PropertyList

/// A property of a key that a program declares: what it is for, which values it may have, and where
/// else they come from.
///
/// ```swift
/// extension Defaults.Keys {
///   static let tabWidth = Key<Int>(
///     "tabWidth", default: 4, .title("Tab width"), .range(1...16), .unit("columns"),
///     .environment("NOTES_TAB_WIDTH"), .option("tab-width"))
/// }
/// ```
///
/// A limit applies to every value that is stored through the key, and to every value that is read.
/// A value outside it is refused, or reported and read as the default. The other traits describe
/// the key. Variables and options are read by stores that are opened for a manifest with the key;
/// see ``Preferences/PreferencesStore/setApplication(_:options:arguments:)``.
public struct PreferenceTrait<Value>: Sendable {
  /// Adds the trait.
  let apply: @Sendable (inout KeyTraits, _ encode: (Value) -> PlistValue?) -> Void

  private init(_ change: @escaping @Sendable (inout PreferencesManifest.Key) -> Void) {
    apply = { traits, _ in change(&traits.key) }
  }
}

/// The traits of a key without its type.
struct KeyTraits: Sendable {
  /// The description of the key, as far as the traits contain it.
  var key: PreferencesManifest.Key
  var environmentVariable: String?
  var option: String?

  init<Value>(
    _ name: String, _ traits: [PreferenceTrait<Value>], encode: (Value) -> PlistValue?
  ) {
    key = PreferencesManifest.Key(name)
    for trait in traits { trait.apply(&self, encode) }
  }

  /// Whether values of the right type may be refused.
  var hasLimits: Bool {
    key.minimum != nil || key.maximum != nil || key.allowedValues != nil || key.format != nil
      || key.minimumCount != nil || key.maximumCount != nil
  }
}

/// Descriptions.
extension PreferenceTrait {
  /// The key's name for people: `Tab width`.
  public static func title(_ text: String) -> Self { Self { $0.title = text } }

  /// What the key is for, in a sentence.
  public static func description(_ text: String) -> Self { Self { $0.description = text } }

  /// The unit of a number: `columns`.
  public static func unit(_ name: String) -> Self { Self { $0.unit = name } }

  /// The word for the value in the help of an option: `folder` for `--folder <folder>`.
  public static func placeholder(_ word: String) -> Self {
    Self { $0.placeholder = .string(word) }
  }

  /// The value is secret: texts and messages never contain it.
  public static var sensitive: Self { Self { $0.isSensitive = true } }

  /// The environment variable that supplies a value, by its full name: `NOTES_TAB_WIDTH`.
  public static func environment(_ variable: String) -> Self {
    Self(apply: { traits, _ in traits.environmentVariable = variable })
  }

  /// The command-line option that supplies a value, without its dashes: `tab-width` for
  /// `--tab-width 8` and `--tab-width=8`. For a Boolean there are `--tab-width` and
  /// `--no-tab-width`.
  public static func option(_ name: String) -> Self {
    Self(apply: { traits, _ in traits.option = name })
  }

  private init(apply: @escaping @Sendable (inout KeyTraits, (Value) -> PlistValue?) -> Void) {
    self.apply = apply
  }
}

/// Limits.
extension PreferenceTrait {
  /// The smallest and the largest number or date.
  public static func range(_ range: ClosedRange<Value>) -> Self where Value: Strideable {
    limits(range.lowerBound, range.upperBound)
  }

  /// The smallest number or date.
  public static func range(_ range: PartialRangeFrom<Value>) -> Self where Value: Strideable {
    limits(range.lowerBound, nil)
  }

  /// The largest number or date.
  public static func range(_ range: PartialRangeThrough<Value>) -> Self where Value: Strideable {
    limits(nil, range.upperBound)
  }

  /// The smallest and the largest number or date, for an optional key.
  public static func range<Bound: Strideable>(_ range: ClosedRange<Bound>) -> Self
  where Value == Bound? {
    limits(range.lowerBound, range.upperBound)
  }

  /// The smallest number or date, for an optional key.
  public static func range<Bound: Strideable>(_ range: PartialRangeFrom<Bound>) -> Self
  where Value == Bound? {
    limits(range.lowerBound, nil)
  }

  /// The largest number or date, for an optional key.
  public static func range<Bound: Strideable>(_ range: PartialRangeThrough<Bound>) -> Self
  where Value == Bound? {
    limits(nil, range.upperBound)
  }

  private static func limits(_ minimum: Value?, _ maximum: Value?) -> Self {
    // Bounds are numbers and dates, whose copies are independent.
    nonisolated(unsafe) let bounds = (minimum, maximum)
    return Self(apply: { traits, encode in
      traits.key.minimum = bounds.0.flatMap(encode)
      traits.key.maximum = bounds.1.flatMap(encode)
    })
  }

  /// The only values that are allowed. A `CaseIterable` enumeration does not need this trait.
  public static func values(_ values: [Value]) -> Self where Value: Sendable {
    Self(apply: { traits, encode in traits.key.allowedValues = values.compactMap(encode) })
  }

  /// A regular expression in ICU syntax that must match the whole text.
  public static func format(_ pattern: String) -> Self { Self { $0.format = pattern } }

  /// The smallest and the largest number of elements of an array or a set.
  public static func count(_ range: ClosedRange<Int>) -> Self {
    Self { ($0.minimumCount, $0.maximumCount) = (range.lowerBound, range.upperBound) }
  }
}
