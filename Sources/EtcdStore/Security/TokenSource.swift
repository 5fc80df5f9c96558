internal import FoundationEssentials
internal import Threading

/// The token of the user, which is renewed when the cluster refuses it.
///
/// If several callers need one at the same time, only one logs in, because the cluster takes long
/// to check a password.
actor TokenSource {
  private let user: EtcdStore.User?
  /// The token, or nil if the cluster knows no users; nil before the first login.
  private var answer: String??
  /// The callers that wait for the result of a login; nil if no login is in progress.
  private var waiters: [AsyncStream<Result<String?, any Error>>.Continuation]?
  /// The time over which machines spread their logins when their tokens are refused together.
  private static let spread = Duration.seconds(1)

  init(_ user: EtcdStore.User?) { self.user = user }

  /// Returns the token, after a login if there has been none; nil without a user.
  ///
  /// - Parameter logIn: Sends a request, and returns the token; nil if the cluster knows no users.
  func token(
    logIn: @Sendable (AuthenticationRequest) async throws -> String?
  ) async throws -> String? {
    guard let user else { return nil }
    if let answer { return answer }
    return try await newToken(of: user, logIn)
  }

  /// Returns a token other than one that the cluster has refused; nil without a user.
  func token(
    insteadOf refused: String?, logIn: @Sendable (AuthenticationRequest) async throws -> String?
  ) async throws -> String? {
    guard let user else { return nil }
    // Another task may have logged in since.
    if let token = answer ?? nil, token != refused { return token }
    return try await newToken(of: user) { request in
      try await Task.sleep(for: Self.spread * Double.random(in: 0..<1))
      return try await logIn(request)
    }
  }

  private func newToken(
    of user: EtcdStore.User, _ logIn: @Sendable (AuthenticationRequest) async throws -> String?
  ) async throws -> String? {
    if waiters != nil {
      let (results, continuation) = AsyncStream.makeStream(of: Result<String?, any Error>.self)
      waiters?.append(continuation)
      for await result in results { return try result.get() }
      try Task.checkCancellation()
      // The caller that was logging in was canceled.
      return try await newToken(of: user, logIn)
    }
    waiters = []
    let result: Result<String?, any Error>
    do {
      let data = try ProtectedFile.read(user.passwordFile, .secret)
      let line = data.last == UInt8(ascii: "\n") ? data.dropLast() : data
      guard let password = String(validating: line, as: UTF8.self), !password.isEmpty else {
        throw EtcdError(.file(path: user.passwordFile, reason: "is not a password in UTF-8"))
      }
      let token = try await logIn(AuthenticationRequest(name: user.name, password: password))
      answer = .some(token)
      result = .success(token)
    } catch {
      result = .failure(error)
    }
    let isCancelled = Task.isCancelled
    for waiter in exchange(&waiters, with: nil) ?? [] {
      if !isCancelled { waiter.yield(result) }
      waiter.finish()
    }
    return try result.get()
  }
}
