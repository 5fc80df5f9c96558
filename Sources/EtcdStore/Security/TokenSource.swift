internal import FoundationEssentials
internal import Threading

/// The token of the user, which is renewed when the cluster refuses it.
///
/// Of all that need one at the same time, one logs in: the cluster takes long to check a password.
actor TokenSource {
  /// The cluster's answer to the log-in.
  private enum Answer {
    case token(String)
    /// The cluster knows no users.
    case noUsers

    var token: String? {
      if case .token(let token) = self { token } else { nil }
    }
  }

  private let user: EtcdStore.User?
  private var answer: Answer?
  /// Those that wait for the result of a log-in; nil if none runs.
  private var waiters: [AsyncStream<Result<String?, any Error>>.Continuation]?
  /// The time over which the log-ins of many machines are spread whose tokens are refused together.
  private static let spread = Duration.seconds(1)

  init(_ user: EtcdStore.User?) { self.user = user }

  /// Returns the token, after a log-in if there has been none; nil without a user.
  ///
  /// - Parameter logIn: Sends a request, and returns the token; nil if the cluster knows no users.
  func token(
    logIn: @Sendable (AuthenticationRequest) async throws -> String?
  ) async throws -> String? {
    guard let user else { return nil }
    if let answer { return answer.token }
    return try await newToken(of: user, logIn)
  }

  /// Returns another token than one that the cluster has refused; nil without a user.
  func token(
    insteadOf refused: String?, logIn: @Sendable (AuthenticationRequest) async throws -> String?
  ) async throws -> String? {
    guard let user else { return nil }
    // Another task may have logged in since.
    if let token = answer?.token, token != refused { return token }
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
      // The one that was to log in was canceled.
      return try await newToken(of: user, logIn)
    }
    waiters = []
    let result: Result<String?, any Error>
    do {
      let request = AuthenticationRequest(
        name: user.name, password: try Self.password(in: user.passwordFile))
      let token = try await logIn(request)
      answer = token.map { .token($0) } ?? .noUsers
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

  private static func password(in file: String) throws(EtcdError) -> String {
    let data = try CheckedFile.read(file, .secret)
    let line = data.last == UInt8(ascii: "\n") ? data.dropLast() : data
    guard let password = String(validating: line, as: UTF8.self), !password.isEmpty else {
      throw EtcdError(.file(path: file, reason: "is not a password in UTF-8"))
    }
    return password
  }
}
