package import PropertyList

/// The persisted state of a key: a dictionary in the state file.
package struct StateFileEntry: Sendable {
  /// The last known record of the key on this machine.
  var record: SyncRecord
  /// Whether the record is a pending upload.
  package var isPending: Bool
  /// Whether the age of the value is unknown.
  var isUndated: Bool
  /// The local value that the record's value has not replaced yet; the date has no meaning.
  var replaced: SyncRecord?
}

extension StateFileEntry {
  private enum Name {
    static let record = "record"
    static let isPending = "pending"
    static let isUndated = "undated"
    static let replaced = "replaces"
  }

  /// Decodes an entry.
  package init(_ value: PlistValue) throws(SyncRecordError) {
    guard case .dictionary(let values) = value, case .data(let record)? = values[Name.record]
    else { throw .notARecord }
    self.record = try SyncRecord(record)
    isPending = values[Name.isPending] == true
    isUndated = values[Name.isUndated] == true
    guard let old = values[Name.replaced] else { return }
    guard case .data(let data) = old else { throw .notARecord }
    replaced = try SyncRecord(data)
  }

  /// The encoded entry. Records are stored as data, which can hold every value.
  package var value: PlistValue {
    var values: PlistDictionary = [Name.record: .data(record.data)]
    if isPending { values[Name.isPending] = true }
    if isUndated { values[Name.isUndated] = true }
    if let replaced { values[Name.replaced] = .data(replaced.data) }
    return .dictionary(values)
  }
}
