internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Threading

/// Moving damaged files aside.
extension PreferencesStore {
  /// Moves an unreadable file of the store's own domain aside, so that the domain can be saved
  /// again.
  ///
  /// - Returns: The new path of the old file, its own with `.corrupt-` and the time in seconds
  ///   since 1970; nil if the file can be read or does not exist.
  /// - Throws: The reason if the file cannot be moved, or cannot be read for a reason outside the
  ///   file.
  @discardableResult
  public func recover() throws(PreferencesError) -> String? {
    try recover(within: TimeLimit(from: engine.runtime.disk.now))
  }

  /// What is appended to the name of a file that is moved aside, before the time.
  package static let corruptMark = ".corrupt-"

  func recover(within limit: TimeLimit) throws(PreferencesError) -> String? {
    try checkWritable()
    let seconds = Int(Date().timeIntervalSince1970)
    var delivery = Delivery()
    defer { delivery.deliver() }
    return try user.recover(suffix: Self.corruptMark + "\(seconds)", within: limit, &delivery)
  }
}

extension DomainFile {
  /// Whether the file itself is the reason, so that the next read would also fail.
  private static func isOfFile(_ problem: PreferencesError) -> Bool {
    switch problem.cause {
    case .file, .disk, .contents: true
    default: false
    }
  }

  /// Moves an unreadable file aside, so that a new one can replace it.
  ///
  /// - Returns: The new path of the old file; nil if the file is readable or missing.
  /// - Throws: The reason if the file cannot be moved, or cannot be read for a reason outside the
  ///   file.
  func recover(
    suffix: String, within limit: TimeLimit, _ delivery: inout Delivery
  ) throws(PreferencesError) -> String? {
    guard let path else { return nil }
    return try inTurn(within: limit) { turn throws(PreferencesError) -> String? in
      read(turn, &delivery)
      guard let problem = StateLock.change({ $0[state].problem }) else { return nil }
      guard Self.isOfFile(problem) else { throw problem }
      let file = try runtime.disk.lockToMoveAside(path, within: limit)
      defer { file.unlock() }
      // Another process may have recovered the file since.
      read(turn, &delivery)
      guard StateLock.change({ $0[state].problem }).map(Self.isOfFile) == true else { return nil }
      if let identity = try? runtime.disk.identity(of: path) {
        try PreferencesError.wrapping(path) { () throws(FileSystemError) in
          try identity.checkOwnerMayWrite()
        }
      }
      let newPath = try file.moveAside(suffix: suffix)
      if newPath != nil { install(DomainContents(), turn, &delivery) }
      read(turn, &delivery)
      return newPath
    }
  }
}
