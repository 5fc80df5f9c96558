import Foundation
import PropertyList
import TestSupport
import Threading

/// Commands to a browser and its events, in JSON, by the Chrome DevTools Protocol.
final class BrowserConnection: Sendable {
  /// An event of a session.
  struct Event: Sendable {
    let method: String
    let parameters: PlistValue
  }

  private typealias Answer = CheckedContinuation<PlistValue, any Error>

  private struct State {
    var lastCommand: Int64 = 0
    var waiting: [Int64: (method: String, deadline: ContinuousClock.Instant, answer: Answer)] = [:]
    var handlers: [String: @Sendable (Event) -> Void] = [:]
    /// Why the connection ended.
    var end: BrowserProcess.Failure?
  }

  private let process: BrowserProcess
  private let state = Lock(State())
  /// Writes in order, on a thread that no task uses.
  private let writing = DispatchQueue(label: "browser")

  init() throws {
    process = try BrowserProcess()
    Thread.detachNewThread { [weak self, socket = process.socket] in
      var received = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let ready = Foundation.poll(&poll, 1, 1000)
        // Not retained while waiting, so that the last reference can be released.
        guard let self else { return }
        self.refuseLate()
        if ready == 0 || ready < 0 && errno == EINTR { continue }
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return self.end() }
        received += buffer[..<count]
        guard buffer[..<count].contains(0) else { continue }
        var messages = received.split(separator: 0, omittingEmptySubsequences: false)
        received = Data(messages.removeLast())
        for message in messages { self.receive(message) }
      }
    }
  }

  deinit {
    process.end()
  }

  /// The number of the process, and of the group of all that it has started.
  var processIdentifier: pid_t { process.identifier }

  // MARK: Commands

  /// Sends a command, and waits for its result.
  ///
  /// - Parameter session: The session of a page; nil for the browser itself.
  @discardableResult
  func call(
    _ method: String, _ parameters: PlistDictionary = [:], in session: String? = nil,
    within limit: Duration = patience
  ) async throws -> PlistValue {
    try await withCheckedThrowingContinuation { (answer: Answer) in
      let refusal = state.withLock { state -> (any Error)? in
        if let end = state.end { return end }
        state.lastCommand += 1
        let number = state.lastCommand
        var message: PlistDictionary = [
          "id": .integer(number), "method": .string(method), "params": .dictionary(parameters),
        ]
        if let session { message["sessionId"] = .string(session) }
        do {
          let bytes = try Plist.write(.dictionary(message), as: .json) + [0]
          state.waiting[number] = (method, .now + limit, answer)
          writing.async { [process] in Self.write(bytes, to: process.socket) }
          return nil
        } catch {
          return error
        }
      }
      if let refusal { answer.resume(throwing: refusal) }
    }
  }

  private static func write(_ bytes: Data, to socket: Int32) {
    var rest = [UInt8](bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // The reading thread detects the end.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Calls a closure with each event of a session, on the thread that reads.
  func setHandler(of session: String, _ handler: (@Sendable (Event) -> Void)?) {
    state.withLock { $0.handlers[session] = handler }
  }

  // MARK: Messages

  private func receive(_ bytes: Data) {
    guard case .dictionary(let message)? = try? Plist.read(Data(bytes), as: .json).value else {
      return fail("\(String(decoding: bytes.prefix(200), as: UTF8.self)) is no message")
    }
    if case .integer(let number)? = message["id"] {
      guard let command = state.withLock({ $0.waiting.removeValue(forKey: number) }) else { return }
      if let error = message["error"] {
        let text = "\(command.method): \(error[PlistKeyPath("message")]?.text ?? "failed")"
        command.answer.resume(throwing: BrowserProcess.Failure(description: text))
      } else {
        command.answer.resume(returning: message["result"] ?? [:])
      }
    } else if let method = message["method"]?.text, let session = message["sessionId"]?.text {
      let handler = state.withLock { $0.handlers[session] }
      handler?(Event(method: method, parameters: message["params"] ?? [:]))
    }
  }

  private func refuseLate() {
    let late = state.withLock { state in
      let late = state.waiting.filter { $0.value.deadline < .now }
      for number in late.keys { state.waiting[number] = nil }
      return late.values
    }
    for command in late {
      command.answer.resume(
        throwing: BrowserProcess.Failure(description: "\(command.method): no answer in time"))
    }
  }

  private func end() {
    fail("the browser has ended: \(process.log.suffix(2000))")
  }

  private func fail(_ text: String) {
    let failure = BrowserProcess.Failure(description: text)
    let waiting = state.withLock { state in
      state.end = failure
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for command in waiting { command.answer.resume(throwing: failure) }
  }
}

extension PlistValue {
  /// The text of a string; nil for all other values.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
