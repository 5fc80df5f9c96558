internal import FoundationEssentials

/// The token of the user, which is renewed when the cluster refuses it.
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
    // Another task may have logged in meanwhile.
    if let token = answer?.token, token != refused { return token }
    return try await newToken(of: user, logIn)
  }

  private func newToken(
    of user: EtcdStore.User, _ logIn: @Sendable (AuthenticationRequest) async throws -> String?
  ) async throws -> String? {
    let data = try CheckedFile.read(user.passwordFile, .secret)
    let line = data.last == UInt8(ascii: "\n") ? data.dropLast() : data
    guard let password = String(validating: line, as: UTF8.self), !password.isEmpty else {
      throw EtcdError(.file(path: user.passwordFile, reason: "is not a password in UTF-8"))
    }
    let token = try await logIn(AuthenticationRequest(name: user.name, password: password))
    answer = token.map { .token($0) } ?? .noUsers
    return token
  }
}
