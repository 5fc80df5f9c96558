internal import FileStorage
internal import Preferences
internal import Threading

extension EventQueue {
  /// Acquires the exclusive claim to a state file and keeps it until cancellation, unless it is held
  /// already.
  ///
  /// - Parameter read: Reads what the previous holder of the claim has written. If it throws, the
  ///   claim is not kept.
  /// - Returns: What was read; nil if the claim was held already.
  func claim<Contents: Sendable>(
    _ stateFile: PreferencesStore,
    reading read: @escaping @Sendable () throws(Status.Failure) -> Contents
  ) async throws(Status.Failure) -> Contents? {
    if stateFileClaim != nil { return nil }
    return try await BackgroundThread.run { () throws(Status.Failure) in
      let claim: OwnershipLock?
      do throws(PreferencesError) {
        claim = try stateFile.claimOwnFile()
      } catch {
        throw .stateFile(error)
      }
      guard let claim else { throw .stateFileLocked(path: stateFile.domain) }
      stateFile.synchronize()
      let contents = try read()
      self.keep(claim)
      return contents
    }
  }
}
