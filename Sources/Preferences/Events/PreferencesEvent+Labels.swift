/// Labels for logs and metrics.
extension PreferencesEvent {
  /// The name of the kind of event, such as `saveFailure`.
  public var name: String {
    switch self {
    case .readFailure: "readFailure"
    case .readRecovery: "readRecovery"
    case .lastGoodContents: "lastGoodContents"
    case .copyFailure: "copyFailure"
    case .migrationFailure: "migrationFailure"
    case .refusedChange: "refusedChange"
    case .saveFailure: "saveFailure"
    case .saveRecovery: "saveRecovery"
    case .valueFailure: "valueFailure"
    case .formatChange: "formatChange"
    case .commentLoss: "commentLoss"
    case .ownerChange: "ownerChange"
    case .polling: "polling"
    case .lockWait: "lockWait"
    case .threadFailure: "threadFailure"
    }
  }

  /// Whether something is wrong; otherwise the event reports a change or a recovery.
  public var isWarning: Bool {
    switch self {
    case .readRecovery, .saveRecovery, .formatChange, .commentLoss: false
    default: true
    }
  }

  /// The path of the file that the event is about, if any.
  public var path: String? {
    switch self {
    case .readFailure(let error), .saveFailure(let error), .copyFailure(let error),
      .migrationFailure(let error):
      error.path
    case .readRecovery(let path), .saveRecovery(let path), .formatChange(let path, _, _, _),
      .commentLoss(let path), .ownerChange(let path, _, _), .polling(let path, _),
      .lockWait(let path, _),
      .lastGoodContents(let path, _):
      path
    case .valueFailure(let domain, _, _), .refusedChange(let domain, _, _):
      // The domain of a store of one file is its path.
      domain.hasPrefix("/") ? domain : nil
    case .threadFailure: nil
    }
  }

  /// The domain that the event is about, if any: the name of its file without the extension, or the
  /// domain of the store.
  public var domain: String? {
    switch self {
    case .valueFailure(let domain, _, _) where path == nil: return domain
    case .refusedChange(let domain, _, _) where path == nil: return domain
    default: break
    }
    guard let name = path?.split(separator: "/").last else { return nil }
    return String(name.hasSuffix(".plist") ? name.dropLast(6) : name)
  }

  /// The key that the event is about, if it is about a single one.
  public var key: String? {
    switch self {
    case .valueFailure(_, let key, _): key
    case .refusedChange(_, let key, _): key
    default: nil
    }
  }

  /// The error that the event reports, if any.
  public var error: PreferencesError? {
    switch self {
    case .readFailure(let error), .saveFailure(let error), .copyFailure(let error),
      .lastGoodContents(_, let error), .refusedChange(_, _, let error),
      .migrationFailure(let error):
      error
    default: nil
    }
  }
}
