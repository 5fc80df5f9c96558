internal import FoundationEssentials
package import Manifests
package import Preferences
package import PropertyList

/// A key of a manifest as a program uses it: its value in a store, and the meaning of a typed text.
///
/// For a key that is declared in Swift, its coder decides; for a key from a document, its
/// description does.
package final class SettableKey: Sendable {
  package let key: PreferencesManifest.Key
  /// The environment variable that supplies a value; nil for none.
  package let environmentVariable: String?
  /// The option that supplies a value, without its dashes; nil for none.
  package let option: String?
  private let limits: SingleKeyCheck
  private let canonical: @Sendable (PlistValue) throws(ValueConversionError) -> PlistValue?
  private let load: @Sendable (PreferencesStore) -> Current

  /// The value in a store.
  package struct Current: Sendable {
    /// The stored form; nil if there is neither a value nor a default.
    package var value: PlistValue?
    /// Why the default is used even though there is a value.
    package var problem: String?
  }

  /// The reason a key refuses a value.
  package struct Refusal: Error, CustomStringConvertible {
    package var place = PlistKeyPath()
    /// What was expected, such as `1 to 16 columns`.
    package var expected: String

    package var description: String { "expected \(expected)" }
  }

  init<Value>(
    _ key: PreferencesManifest.Key, environmentVariable: String?, option: String?,
    coder: PlistCoder<Value>, default makeDefault: @escaping @Sendable () -> Value,
    preference: @escaping @Sendable () -> TypedPreference<Value>
  ) {
    (self.key, limits) = (key, SingleKeyCheck(key))
    (self.environmentVariable, self.option) = (environmentVariable, option)
    let canonical: @Sendable (PlistValue) throws(ValueConversionError) -> PlistValue? = {
      plist throws(ValueConversionError) in
      do throws(ValueConversionError) { return try coder.encode(coder.decode(plist)) } catch {
        // As in a read, a part of a Codable value is enough.
        guard let value = coder.merge?(makeDefault(), plist) else { throw error }
        return try coder.encode(value)
      }
    }
    self.canonical = canonical
    load = { store in
      let preference = preference().in(store)
      do throws(TypedPreferenceError) {
        let value = try preference.load()
        return Current(value: (try? coder.encode(value)) ?? nil)
      } catch {
        let stored = store.plistValue(forKey: key.name ?? "")
        if let value = stored.flatMap({ try? canonical($0) }) { return Current(value: value) }
        // As in a read, elements that do not have the type are omitted.
        if let value = stored.flatMap(coder.decodeAvailable) {
          return Current(value: (try? coder.encode(value)) ?? nil, problem: error.summary)
        }
        let value = (try? coder.encode(makeDefault())) ?? nil
        return Current(value: value, problem: error.summary)
      }
    }
  }

  /// Creates a key from a document.
  init(_ key: PreferencesManifest.Key) {
    (self.key, environmentVariable, option) = (key, nil, nil)
    let limits = SingleKeyCheck(key)
    self.limits = limits
    canonical = { plist throws(ValueConversionError) in
      guard let error = limits.firstError(in: plist) else { return plist }
      throw ValueConversionError(
        .notAllowed(expected: error.expected ?? error.message), path: error.keyPath)
    }
    let name = key.name ?? ""
    load = { store in
      guard let value = store.plistValue(forKey: name) else {
        return Current(value: key.defaultValue)
      }
      guard let error = limits.firstError(in: value) else { return Current(value: value) }
      return Current(value: key.defaultValue, problem: "cannot be read: \(error.message)")
    }
  }

  package var name: String { key.name ?? "" }

  package func current(in store: PreferencesStore) -> Current { load(store) }

  // MARK: Checking

  /// Why a value must not be stored; nil if it may be.
  package func refusal(of value: PlistValue) -> Refusal? {
    do throws(ValueConversionError) {
      _ = try canonical(value)
      return nil
    } catch {
      // The description's message is clearer, but the coder may be stricter.
      if choices.isEmpty, let finding = limits.firstError(in: value), let text = finding.expected {
        return Refusal(place: finding.keyPath, expected: text)
      }
      switch error.kind {
      case .notAllowed(let text): return Refusal(place: error.path, expected: text)
      case .malformed(let text) where choices.isEmpty,
        .wrongKind(let text, _) where choices.isEmpty:
        return Refusal(place: error.path, expected: text)
      default: return Refusal(place: error.path, expected: expectation)
      }
    }
  }

  /// What is expected of a value: `"dark" or "light"`, `an integer, 1 to 16 columns`.
  package var expectation: String {
    if !choices.isEmpty {
      return key.isSensitive ? "one of the allowed values" : ManifestText.alternatives(choices)
    }
    return [key.type?.kind?.withArticle ?? "another value", ManifestText.range(of: key)]
      .compactMap(\.self).joined(separator: ", ")
  }

  // MARK: Texts

  /// The allowed values, each in the form that a person types.
  var choices: [PlistValue] {
    guard !key.allowsOtherValues, let values = key.allowedValues else { return [] }
    return values.filter { !Self.isQuotation($0) }
  }

  /// Reads a text that a person has typed.
  ///
  /// - Parameter current: The value that the new one replaces. It supplies the members that a
  ///   dictionary's text lacks; if it is nil, the default does.
  /// - Returns: The stored form of the value.
  package func value(
    of text: String, replacing current: PlistValue? = nil
  ) throws(Refusal) -> PlistValue {
    var limit: Refusal?
    for reading in Self.readings(of: text, as: key) {
      let candidate = try completed(reading, from: current)
      do throws(ValueConversionError) {
        if let value = try canonical(candidate) { return value }
      } catch {
        // The type of the text is right.
        if limit == nil, key.type?.kind ?? .dictionary == candidate.kind {
          limit = refusal(of: candidate)
        }
      }
    }
    throw limit ?? Refusal(expected: expectation)
  }

  /// Adds missing members to a dictionary; other values are unchanged.
  ///
  /// - Throws: An error for a member that is not declared, if any members are declared.
  private func completed(
    _ reading: PlistValue, from current: PlistValue?
  ) throws(Refusal) -> PlistValue {
    let names = key.subkeys.compactMap(\.name)
    guard case .dictionary(let members) = reading, !names.isEmpty,
      !names.contains(where: { $0.hasPrefix("{{") })
    else { return reading }
    for (name, _) in members where !names.contains(name) {
      let known = ManifestText.alternatives(names.map { .string($0) })
      throw Refusal(place: PlistKeyPath(components: [name]), expected: known)
    }
    guard case .dictionary(var result)? = current else { return reading }
    for (name, value) in members { result[name] = value }
    return .dictionary(result)
  }

  /// The values that a text may represent, the likeliest first.
  private static func readings(of text: String, as key: PreferencesManifest.Key) -> [PlistValue] {
    if let index = key.allowedValueTitles.firstIndex(of: text), let values = key.allowedValues,
      values.indices.contains(index)
    {
      return [values[index]]
    }
    let value: PlistValue? =
      switch key.type?.kind {
      case .array: container(text) ?? list(text, of: key.subkeys.first)
      case .dictionary, nil: container(text)
      case let kind?: Coercion.value(text, as: kind)
      }
    return [value, key.type == nil ? .string(text) : nil].compactMap(\.self)
  }

  /// Elements that are separated by commas.
  private static func list(_ text: String, of element: PreferencesManifest.Key?) -> PlistValue? {
    let element = element ?? PreferencesManifest.Key(nil, type: .string)
    var values: [PlistValue] = []
    for part in text.split(separator: ",") {
      let word = part.drop { $0 == " " }
      guard let value = readings(of: String(word), as: element).first else { return nil }
      values.append(value)
    }
    return .array(values)
  }

  /// An array or a dictionary that begins with a bracket: without one, `a = b;` is text. It may hold
  /// null, which stands for nil.
  private static func container(_ text: String) -> PlistValue? {
    guard let first = text.utf8.first(where: { $0 != 0x20 }), "[({<".utf8.contains(first) else {
      return nil
    }
    return Coercion.container(text)
  }

  /// A stored value as it can be typed, or `(secret)`.
  package func text(of value: PlistValue) -> String {
    if key.holdsSecret { return "(secret)" }
    switch value {
    case .string(let text):
      guard Self.isQuotation(value), key.type == .url || key.allowedValues != nil,
        let word = try? CodableJSON.decode(String.self, from: Data(text.utf8))
      else { return text.onOneLine }
      return word.onOneLine
    case .data(let data): return data.base64EncodedString()
    default: return value.debugDescription
    }
  }

  /// Whether a value is the JSON text of a string.
  private static func isQuotation(_ value: PlistValue) -> Bool {
    guard case .string(let text) = value else { return false }
    return text.utf8.first == UInt8(ascii: "\"") && text.utf8.last == UInt8(ascii: "\"")
  }
}
