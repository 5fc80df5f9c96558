internal import PropertyList

/// What is remembered of a key: a dictionary in the file of what is to be uploaded.
struct QueueEntry: Sendable {
  /// What this machine has for the key.
  var record: SyncRecord
  /// Whether it is to be uploaded.
  var isPending: Bool
  /// Whether nobody knows how old its value is.
  var isUndated: Bool
  /// What has to be replaced by its value; its date means nothing.
  var replaced: SyncRecord?
}

extension QueueEntry {
  private enum Name {
    static let record = "record"
    static let isPending = "pending"
    static let isUndated = "undated"
    static let replaced = "replaces"
  }

  /// The entry that a value stands for.
  ///
  /// - Throws: Why it stands for none.
  init(_ value: PlistValue) throws(SyncRecordError) {
    guard case .dictionary(let values) = value, case .data(let record)? = values[Name.record]
    else { throw .notARecord }
    self.record = try SyncRecord(record)
    isPending = values[Name.isPending] == true
    isUndated = values[Name.isUndated] == true
    guard let old = values[Name.replaced] else { return }
    guard case .data(let data) = old else { throw .notARecord }
    replaced = try SyncRecord(data)
  }

  /// The value that stands for it. Records are in it as their bytes, which any value fits into.
  var value: PlistValue {
    var values: PlistDictionary = [Name.record: .data(record.data)]
    if isPending { values[Name.isPending] = true }
    if isUndated { values[Name.isUndated] = true }
    if let replaced { values[Name.replaced] = .data(replaced.data) }
    return .dictionary(values)
  }
}
