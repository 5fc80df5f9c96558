/// The parts of events that logs and metrics are labeled with.
extension PreferencesEvent {
  /// The name of the kind of event, for the label of a counter: `saveFailure`.
  public var name: String {
    switch self {
    case .readFailure: "readFailure"
    case .readRecovery: "readRecovery"
    case .lastGoodContents: "lastGoodContents"
    case .copyFailure: "copyFailure"
    case .refusedChange: "refusedChange"
    case .saveFailure: "saveFailure"
    case .saveRecovery: "saveRecovery"
    case .valueFailure: "valueFailure"
    case .formatChange: "formatChange"
    case .ownerChange: "ownerChange"
    case .polling: "polling"
    case .lockWait: "lockWait"
    case .threadFailure: "threadFailure"
    }
  }

  /// Whether something is not as a user expects it; otherwise the event reports a change, or that
  /// all is well again.
  public var isWarning: Bool {
    switch self {
    case .readRecovery, .saveRecovery, .formatChange: false
    default: true
    }
  }

  /// The path of the file that the event is about; nil if it is about none.
  public var path: String? {
    switch self {
    case .readFailure(let error), .saveFailure(let error), .copyFailure(let error): error.path
    case .readRecovery(let path), .saveRecovery(let path), .formatChange(let path, _, _, _),
      .ownerChange(let path, _, _), .polling(let path, _), .lockWait(let path, _),
      .lastGoodContents(let path, _):
      path
    case .valueFailure(let domain, _, _), .refusedChange(let domain, _):
      // The domain of a store of one file is its path.
      domain.hasPrefix("/") ? domain : nil
    case .threadFailure: nil
    }
  }

  /// The name of the domain that the event is about: that of its file without the extension, or that
  /// of the store of a value; nil if it is about none.
  public var domain: String? {
    switch self {
    case .valueFailure(let domain, _, _) where path == nil: return domain
    case .refusedChange(let domain, _) where path == nil: return domain
    default: break
    }
    guard let name = path?.split(separator: "/").last else { return nil }
    return String(name.hasSuffix(".plist") ? name.dropLast(6) : name)
  }

  /// The key that the event is about; nil if it is about a whole domain or none.
  public var key: String? {
    switch self {
    case .valueFailure(_, let key, _): key
    case .refusedChange(_, let key): key
    default: nil
    }
  }

  /// The error that the event reports; nil if it reports none.
  public var error: PreferencesError? {
    switch self {
    case .readFailure(let error), .saveFailure(let error), .copyFailure(let error),
      .lastGoodContents(_, let error):
      error
    default: nil
    }
  }
}
