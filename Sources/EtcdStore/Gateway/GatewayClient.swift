internal import FoundationEssentials
internal import PreferencesSync
internal import Threading

/// Calls of etcd's gateway: at the member in use or, where it fails, at the next, with the user's
/// token, and with answers of limited size.
final class GatewayClient: Sendable {
  let options: EtcdStore.Options
  let endpoints: EndpointList
  private let send: HTTPTransport
  private let tokens: TokenSource
  private let contact = Lock<RemoteContact?>(nil)
  /// Whether a stream has lost requests after the first.
  private let losesRequests = Lock(false)

  /// A call of the gateway.
  enum Path: String {
    case range = "/v3/kv/range"
    case transaction = "/v3/kv/txn"
    case watch = "/v3/watch"
    case authenticate = "/v3/auth/authenticate"
    case status = "/v3/maintenance/status"
  }

  init(_ options: EtcdStore.Options, _ endpoints: [Endpoint], _ send: @escaping HTTPTransport) {
    self.options = options
    self.endpoints = EndpointList(endpoints)
    self.send = send
    tokens = TokenSource(options.user)
  }

  /// Calls the closure, and throws etcd's refusals as errors for callers.
  func throwingKnownErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch {
      throw EtcdError.known(error, at: endpoints.current)
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
      } catch {
        failure = EtcdError.known(error, at: endpoint)
        guard failure.isOfMember else { throw error }
        endpoints.advance(from: endpoint)
        switch error {
        // The request was not sent.
        case HTTPFailure.noConnection, HTTPFailure.certificate: break
        default: if !isRepeatable { throw failure }
        }
      }
    }
    throw failure
  }

  /// Calls one member.
  func call<Answer: Decodable>(
    _ path: Path, _ body: Data, at endpoint: Endpoint, as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    let (answer, new): (Answer, RemoteContact) = try await answer(path, body, at: endpoint)
    contact.withLock { $0 = new }
    return answer
  }

  private func answer<Answer: Decodable>(
    _ path: Path, _ body: Data, at endpoint: Endpoint
  ) async throws -> (Answer, RemoteContact) {
    try await withToken(at: endpoint) { [self] token in
      let exchange = send(try request(path, body, at: endpoint, token: token))
      let answer: Answer = try await answer(of: exchange, at: endpoint)
      return (answer, RemoteContact(endpoint: endpoint.description, date: exchange.date))
    }
  }

  /// Asks each member for the time by its clock. Addresses of the same member count once.
  func contacts(_ keys: KeySpace) async -> [RemoteContact] {
    let request = RangeRequest(key: keys.start, limit: 1, keysOnly: true)
    guard let body = try? GatewayCoding.data(of: request) else { return [] }
    return await withTaskGroup(of: (RangeAnswer, RemoteContact)?.self) { group in
      for endpoint in endpoints.all {
        group.addTask { try? await self.answer(.range, body, at: endpoint) }
      }
      var members: [String: RemoteContact] = [:]
      for await case let (answer, contact)? in group {
        if let member = answer.header?.memberId { members[member] = contact }
      }
      return Array(members.values)
    }
  }

  /// Requests the revision of a member, which need not have a majority behind it: a member without
  /// a majority ends its streams.
  ///
  /// - Parameter missing: Parts of the store, each with revisions at which entries may have been put.
  /// - Returns: The revision, and whether there is such an entry.
  func probe(
    for missing: [(keys: KeySpace, revisions: ClosedRange<Int64>)], at endpoint: Endpoint
  ) async throws -> (revision: Int64, hasEntry: Bool) {
    let request = TransactionRequest(
      success: missing.map { keys, revisions in
        .range(
          RangeRequest(
            key: keys.start, rangeEnd: keys.end, limit: 1, keysOnly: true,
            minModRevision: GatewayNumber(revisions.lowerBound),
            maxModRevision: GatewayNumber(revisions.upperBound), serializable: true))
      })
    let answer: TransactionAnswer = try await call(
      .transaction, try GatewayCoding.data(of: request), at: endpoint)
    guard let revision = answer.header?.revision?.value else {
      throw EtcdError(.notEtcd(status: 200), at: endpoint)
    }
    return (revision, answer.responses?.contains { $0.responseRange?.kvs != nil } ?? false)
  }

  /// Requests the entry that a key has, or had at a revision.
  ///
  /// - Throws: `RemoteStoreError.revisionCompacted` if the cluster does not have the revision anymore,
  ///   or has not reached it.
  func entry(_ name: Data, at revision: Int64?) async throws -> KeyValue? {
    let request = RangeRequest(key: name, revision: revision.map { GatewayNumber($0) })
    do {
      let answer: RangeAnswer = try await call(.range, request, isRepeatable: true)
      return answer.kvs?.first
    } catch let error as GatewayError where error.isWithoutRevision {
      throw RemoteStoreError.revisionCompacted
    }
  }

  /// Requests the mark of a revision. A member answers only with a majority behind it.
  ///
  /// - Returns: The mark; nil if the cluster does not have the revision anymore, or has not come to it, as
  ///   one that was restored from a backup.
  private func mark(
    _ keys: KeySpace, of revision: Int64, at endpoint: Endpoint
  ) async throws -> RevisionMark? {
    let request = RangeRequest(
      key: keys.start, rangeEnd: keys.end, limit: 1,
      // 0 would stand for the present, and nothing happens before 2.
      revision: GatewayNumber(max(revision, 1)), sortOrder: "DESCEND", sortTarget: "MOD")
    do {
      let answer: RangeAnswer = try await call(
        .range, try GatewayCoding.data(of: request), at: endpoint)
      guard let current = answer.header?.revision?.value else {
        throw EtcdError(.notEtcd(status: 200), at: endpoint)
      }
      if current < revision { return nil }
      return RevisionMark(count: answer.count?.value ?? 0, newest: answer.kvs?.first)
    } catch let error as GatewayError where error.isWithoutRevision {
      return nil
    }
  }

  /// Whether one stream can serve several parts.
  ///
  /// etcd's gateway answers the first request of a stream before it has read the others. Over HTTP/1.1 it
  /// then loses them, so this takes HTTP/2, which it speaks with TLS only.
  var sharesStreams: Bool {
    endpoints.all.allSatisfy(\.isEncrypted) && !losesRequests.withLock { $0 }
  }

  /// Begins a stream of changes at one member that has a majority behind it.
  ///
  /// - Throws: ``GatewayError`` with the index of the part that was refused, if one was.
  func watch(_ parts: [UpdateAssembler], at endpoint: Endpoint) async throws -> WatchStream {
    let requests = try parts.map { part in
      try GatewayCoding.data(of: [
        "create_request": WatchRequest(
          key: part.keys.start, rangeEnd: part.keys.end,
          startRevision: GatewayNumber(min(part.revision, .max - 1) + 1))
      ])
    }
    let body = Data(requests.joined(separator: [UInt8(ascii: "\n")]))
    var stream = try await withToken(at: endpoint, renewsIfDenied: true) { [self] token in
      try await openStream(body, count: parts.count, at: endpoint, token: token)
    }
    do {
      // Now that there is a stream, a restoration would end it.
      for part in parts {
        stream.marks.append(try await mark(part.keys, of: part.revision, at: endpoint))
      }
      return stream
    } catch {
      stream.lines.exchange.cancel()
      guard var refusal = error as? GatewayError else { throw error }
      refusal.part = stream.marks.count
      throw refusal
    }
  }

  /// Begins a stream of changes. The member must confirm all requests in time.
  private func openStream(
    _ body: Data, count: Int, at endpoint: Endpoint, token: String?
  ) async throws -> WatchStream {
    var request = try request(.watch, body, at: endpoint, token: token)
    request.isStream = true
    let exchange = send(request)
    let timer = Task { [timeout = request.timeout] in
      // What a busy receiver waits for has arrived.
      repeat { try await Task.sleep(for: timeout) } while exchange.awaitedCount == nil
      exchange.fail(.timedOut)
    }
    defer { timer.cancel() }
    var stream = WatchStream(
      lines: LineStream(exchange, limit: options.largestAnswer, at: endpoint))
    do {
      var early = Data()
      while stream.indices.count < count {
        guard let line = try await stream.lines.next(), exchange.status == 200,
          let answer = GatewayCoding.answer(line, as: WatchAnswer.self)
        else {
          throw GatewayCoding.failure(
            try await stream.lines.rest(), status: exchange.status ?? 0, at: endpoint)
        }
        if let result = answer.result, result.created != true,
          stream.indices[result.number] != nil, early.count < options.largestAnswer
        {
          early += line + [UInt8(ascii: "\n")]
          continue
        }
        // Confirmations have the order of the requests. Newer versions refuse one without its number.
        let result = try answer.checked(at: endpoint, part: stream.indices.count)
        guard result.created == true else { throw EtcdError(.notEtcd(status: 200), at: endpoint) }
        stream.indices[result.number] = stream.indices.count
      }
      stream.lines.putBack(early)
      return stream
    } catch {
      // etcd keeps a stream open that it has refused.
      exchange.cancel()
      guard case HTTPFailure.timedOut = error, !stream.indices.isEmpty, !exchange.isMultiplexed
      else { throw error }
      losesRequests.withLock { $0 = true }
      throw EtcdError(.refused(reason: "a stream serves only some of its requests"), at: endpoint)
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

  private func answer<Answer: Decodable>(
    of exchange: HTTPExchange, at endpoint: Endpoint
  ) async throws -> Answer {
    var data = Data()
    while let next = try await exchange.next() {
      data += next
      if data.count > options.largestAnswer {
        exchange.cancel()
        throw EtcdError(.tooLarge(limit: options.largestAnswer), at: endpoint)
      }
    }
    let status = exchange.status ?? 0
    guard status == 200 else { throw GatewayCoding.failure(data, status: status, at: endpoint) }
    guard let answer = GatewayCoding.answer(data, as: Answer.self) else {
      throw EtcdError(.notEtcd(status: status), at: endpoint)
    }
    return answer
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
      let exchange = send(
        try self.request(.authenticate, body, at: endpoint, token: nil))
      let answer: AuthenticationAnswer = try await self.answer(of: exchange, at: endpoint)
      // It becomes part of a header.
      guard let token = answer.token, (1...8192).contains(token.utf8.count),
        token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { throw EtcdError(.notEtcd(status: 200), at: endpoint) }
      return token
    } catch let error as GatewayError {
      if error.message.contains("authentication is not enabled") { return nil }
      if error.message.contains("authentication failed") {
        throw EtcdError(.wrongPassword(user: request.name), at: endpoint)
      }
      throw error
    }
  }
}
