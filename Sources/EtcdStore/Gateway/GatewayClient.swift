internal import FoundationEssentials
internal import PreferencesSync
internal import Threading

/// Calls of etcd's gateway: at the member in use or, where it fails, at the next, with the user's
/// token, and with answers of limited size.
final class GatewayClient: Sendable {
  let options: EtcdStore.Options
  let endpoints: EndpointList
  private let transport: any HTTPTransport
  private let tokens: TokenSource
  private let contact = Lock<RemoteContact?>(nil)

  /// A call of the gateway.
  enum Path: String {
    case range = "/v3/kv/range"
    case transaction = "/v3/kv/txn"
    case watch = "/v3/watch"
    case authenticate = "/v3/auth/authenticate"
    case status = "/v3/maintenance/status"
  }

  init(_ options: EtcdStore.Options, _ endpoints: [Endpoint], _ transport: any HTTPTransport) {
    self.options = options
    self.endpoints = EndpointList(endpoints)
    self.transport = transport
    tokens = TokenSource(options.user)
  }

  /// Calls the closure, and throws what etcd refuses as an error for callers.
  func throwingKnownErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as GatewayError {
      throw error.error(at: endpoints.current)
    }
  }

  // MARK: Calls

  /// Calls the member in use, and other members if it fails.
  ///
  /// - Parameter isRepeatable: Whether the request may be sent again where it may have been
  ///   executed.
  /// - Throws: ``GatewayError`` if etcd refuses the request, otherwise ``EtcdError`` or
  ///   `CancellationError`.
  func call<Answer: Decodable>(
    _ path: Path, _ request: some Encodable, isRepeatable: Bool, as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    let body = try GatewayCoding.data(of: request)
    var failure: any Error = EtcdError(.unreachable(reason: "there are no endpoints"))
    for _ in endpoints.all {
      let endpoint = endpoints.current
      do {
        return try await call(path, body, at: endpoint)
      } catch let error as HTTPFailure {
        failure = EtcdError(error, at: endpoint)
        endpoints.advance(from: endpoint)
        if !isRepeatable && !error.isBeforeRequest { throw failure }
      } catch let error as EtcdError where error.isOfMember {
        failure = error
        endpoints.advance(from: endpoint)
        if !isRepeatable { throw failure }
      } catch let error as GatewayError {
        let known = error.error(at: endpoint)
        guard known.isOfMember else { throw error }
        failure = known
        endpoints.advance(from: endpoint)
        if !isRepeatable { throw failure }
      }
    }
    throw failure
  }

  /// Calls one member.
  func call<Answer: Decodable>(
    _ path: Path, _ body: Data, at endpoint: Endpoint, as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    try await withToken(at: endpoint) { [self] token in
      let exchange = transport.start(try request(path, body, at: endpoint, token: token))
      return try await answer(of: exchange, at: endpoint)
    }
  }

  /// Requests an entry, which a member answers only with a majority behind it, and returns the
  /// revision of the cluster.
  ///
  /// - Parameter revisions: The revisions of which an entry is requested; nil for any entry.
  /// - Returns: The revision of the cluster, and whether there is such an entry.
  func probe(
    _ keys: KeySpace, for revisions: ClosedRange<Int64>? = nil, at endpoint: Endpoint
  ) async throws -> (revision: Int64, hasEntry: Bool) {
    var request = RangeRequest(key: keys.start, limit: 1, keysOnly: true)
    if let revisions {
      request.rangeEnd = keys.end
      request.oldest = GatewayNumber(revisions.lowerBound)
      request.latest = GatewayNumber(revisions.upperBound)
    }
    let answer: RangeAnswer = try await call(
      .range, try GatewayCoding.data(of: request), at: endpoint)
    guard let revision = answer.header?.revision?.value else {
      throw EtcdError(.notEtcd(status: 200), at: endpoint)
    }
    return (revision, answer.entries?.isEmpty == false)
  }

  /// Requests the entry that a key has, or had at a revision.
  ///
  /// - Throws: `RemoteStoreError.revisionCompacted` if the cluster does not have the revision anymore,
  ///   or has not come to it.
  func entry(_ name: Data, at revision: Int64?) async throws -> KeyValue? {
    let request = RangeRequest(key: name, revision: revision.map { GatewayNumber($0) })
    do {
      let answer: RangeAnswer = try await call(.range, request, isRepeatable: true)
      return answer.entries?.first
    } catch let error as GatewayError where error.isWithoutRevision {
      throw RemoteStoreError.revisionCompacted
    }
  }

  /// Requests what marks a revision, which a member answers only with a majority behind it.
  ///
  /// - Throws: `RemoteStoreError.revisionCompacted` if the cluster does not have the revision anymore,
  ///   or has not come to it, as one that was restored from a backup.
  private func mark(
    _ keys: KeySpace, of revision: Int64, at endpoint: Endpoint
  ) async throws -> RevisionMark {
    let request = RangeRequest(
      key: keys.start, rangeEnd: keys.end, limit: 1,
      // 0 would stand for the present, and nothing happens before 2.
      revision: GatewayNumber(max(revision, 1)), order: "DESCEND", comparedPart: "MOD")
    do {
      let answer: RangeAnswer = try await call(
        .range, try GatewayCoding.data(of: request), at: endpoint)
      guard let current = answer.header?.revision?.value else {
        throw EtcdError(.notEtcd(status: 200), at: endpoint)
      }
      if current < revision { throw RemoteStoreError.revisionCompacted }
      return RevisionMark(count: answer.count?.value ?? 0, newest: answer.entries?.first)
    } catch let error as GatewayError where error.isWithoutRevision {
      throw RemoteStoreError.revisionCompacted
    }
  }

  /// Begins a stream of the changes after a revision at one member that has a majority behind it.
  ///
  /// - Parameter known: What marks the revision, as far as it is known.
  /// - Returns: The stream, and what marks the revision.
  /// - Throws: `RemoteStoreError.revisionCompacted` if the cluster does not have the revision, or has
  ///   another one in its place, as one that was restored from a backup.
  func watch(
    _ keys: KeySpace, after revision: Int64, known: RevisionMark?, at endpoint: Endpoint
  ) async throws -> (LineStream, RevisionMark) {
    let request = WatchRequest(
      create: WatchRequest.Creation(
        key: keys.start, rangeEnd: keys.end,
        start: GatewayNumber(revision == .max ? revision : revision + 1)))
    let body = try GatewayCoding.data(of: request)
    let lines = try await withToken(at: endpoint, renewsIfDenied: true) { [self] token in
      try await stream(body, at: endpoint, token: token)
    }
    do {
      // Now that there is a stream, a restoration would end it.
      let mark = try await mark(keys, of: revision, at: endpoint)
      if let known, !known.agrees(with: mark) { throw RemoteStoreError.revisionCompacted }
      return (lines, mark)
    } catch {
      lines.exchange.cancel()
      throw error
    }
  }

  /// Begins a stream of changes, which the first line of the answer has to confirm in time.
  private func stream(
    _ body: Data, at endpoint: Endpoint, token: String?
  ) async throws -> LineStream {
    var request = try request(.watch, body, at: endpoint, token: token)
    request.isStream = true
    let exchange = transport.start(request)
    let timer = Task { [timeout = request.timeout] in
      try await Task.sleep(for: timeout)
      exchange.fail(.timedOut)
    }
    defer { timer.cancel() }
    do {
      var lines = LineStream(exchange, limit: options.largestAnswer, at: endpoint)
      guard let first = try await lines.next(), exchange.status == 200,
        let answer = GatewayCoding.answer(first, as: WatchAnswer.self)
      else {
        throw GatewayCoding.failure(
          try await lines.rest(), status: exchange.status ?? 0, at: endpoint)
      }
      try answer.check(at: endpoint)
      guard answer.result?.created == true else {
        throw EtcdError(.notEtcd(status: 200), at: endpoint)
      }
      return lines
    } catch {
      // etcd keeps a stream open that it has refused.
      exchange.cancel()
      throw error
    }
  }

  private func request(
    _ path: Path, _ body: Data, at endpoint: Endpoint, token: String?
  ) throws(EtcdError) -> HTTPRequest {
    HTTPRequest(
      endpoint: endpoint, path: path.rawValue, body: body, token: token,
      certificates: try Certificates(options), connectTimeout: options.connectTimeout,
      timeout: options.requestTimeout)
  }

  // MARK: Answers

  /// The latest answer of etcd.
  var latestContact: RemoteContact? { contact.withLock { $0 } }

  private func noteContact(_ exchange: HTTPExchange, at endpoint: Endpoint) {
    let new = RemoteContact(endpoint: endpoint.description, date: exchange.date)
    contact.withLock { $0 = new }
  }

  private func answer<Answer: Decodable>(
    of exchange: HTTPExchange, at endpoint: Endpoint
  ) async throws -> Answer {
    let data = try await contents(of: exchange, at: endpoint)
    let status = exchange.status ?? 0
    guard status == 200 else { throw GatewayCoding.failure(data, status: status, at: endpoint) }
    guard let answer = GatewayCoding.answer(data, as: Answer.self) else {
      throw EtcdError(.notEtcd(status: status), at: endpoint)
    }
    noteContact(exchange, at: endpoint)
    return answer
  }

  private func contents(
    of exchange: HTTPExchange, at endpoint: Endpoint
  ) async throws -> Data {
    var data = Data()
    while let next = try await exchange.next() {
      data += next
      if data.count > options.largestAnswer {
        exchange.cancel()
        throw EtcdError(.tooLarge(limit: options.largestAnswer), at: endpoint)
      }
    }
    return data
  }

  // MARK: The user

  /// Calls the closure with the user's token, and once more with a new one if etcd refuses it.
  ///
  /// - Parameter renewsIfDenied: Whether etcd also says of an invalid token that it permits nothing.
  private func withToken<Result>(
    at endpoint: Endpoint, renewsIfDenied: Bool = false,
    _ body: (_ token: String?) async throws -> Result
  ) async throws -> Result {
    let logIn: @Sendable (AuthenticationRequest) async throws -> String? = { [self] request in
      try await self.logIn(request, at: endpoint)
    }
    let token = try await tokens.token(logIn: logIn)
    do {
      return try await body(token)
    } catch let error as GatewayError
      where options.user != nil && (error.needsToken || renewsIfDenied && error.code == 7)
    {
      return try await body(try await tokens.token(insteadOf: token, logIn: logIn))
    }
  }

  /// Logs in; nil if the cluster knows no users.
  private func logIn(_ request: AuthenticationRequest, at endpoint: Endpoint) async throws
    -> String?
  {
    let body = try GatewayCoding.data(of: request)
    do {
      let exchange = transport.start(
        try self.request(.authenticate, body, at: endpoint, token: nil))
      let answer: AuthenticationAnswer = try await self.answer(of: exchange, at: endpoint)
      // It becomes part of a header.
      guard let token = answer.token, (1...8192).contains(token.utf8.count),
        token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { throw EtcdError(.notEtcd(status: 200), at: endpoint) }
      return token
    } catch let error as GatewayError {
      if error.isWithoutUsers { return nil }
      if error.message.contains("authentication failed") {
        throw EtcdError(.wrongPassword(user: request.name), at: endpoint)
      }
      throw error
    }
  }
}
