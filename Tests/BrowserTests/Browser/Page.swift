import Foundation
import PropertyList
import TestSupport
import Testing
import Threading

/// A page in a browser that all tests share, with its own cookies, storage and permissions.
final class Page: Sendable {
  private static let browser = Task { try BrowserConnection() }

  private let browser: BrowserConnection
  let context: String
  private let session: String
  private let events: Recorder<BrowserConnection.Event>

  /// Opens an empty page.
  init(width: Int = 1280, height: Int = 900) async throws {
    let browser = try await Self.browser.value
    let context = try await browser.call("Target.createBrowserContext")["browserContextId"]
    let page = try await browser.call(
      "Target.createTarget",
      [
        "url": "about:blank", "browserContextId": .string(context), "width": .integer(Int64(width)),
        "height": .integer(Int64(height)),
      ])["targetId"]
    let session = try await browser.call(
      "Target.attachToTarget", ["targetId": .string(page), "flatten": true])["sessionId"]
    (self.browser, self.context, self.session) = (browser, context, session)
    let events = Recorder<BrowserConnection.Event>()
    self.events = events
    browser.setHandler(of: session) { events.record($0) }
    for domain in ["Page", "Runtime", "Log", "Network", "Audits", "DOM"] {
      try await call("\(domain).enable")
    }
    try await call("Page.setLifecycleEventsEnabled", ["enabled": true])
    try await call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    try await call("Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.observer)])
  }

  deinit {
    browser.setHandler(of: session, nil)
    Task { [browser, context] in
      try? await browser.call(
        "Target.disposeBrowserContext", ["browserContextId": .string(context)])
    }
  }

  /// Records what the policy of a page has refused, and how long its script was busy.
  private static let observer = """
    addEventListener('securitypolicyviolation', event =>
      console.error('refused by the policy:', event.effectiveDirective, event.blockedURI));
    globalThis.busyTimes = [];
    new PerformanceObserver(list =>
      busyTimes.push(...list.getEntries().map(entry => entry.duration)))
      .observe({ type: 'longtask', buffered: true });
    """

  /// Sends a command to the page.
  @discardableResult
  func call(
    _ method: String, _ parameters: PlistDictionary = [:], within limit: Duration = patience
  ) async throws -> PlistValue {
    try await browser.call(method, parameters, in: session, within: limit)
  }

  /// Opens a file, and waits until it is loaded.
  func open(_ path: String) async throws {
    try await open(URL(fileURLWithPath: path))
  }

  /// Opens an address, and waits until it is loaded.
  func open(_ address: URL) async throws {
    let answer = try await call("Page.navigate", ["url": .string(address.absoluteString)])
    if let error = answer[PlistKeyPath("errorText")]?.text {
      throw BrowserProcess.Failure(description: "\(address): \(error)")
    }
    let loader = answer["loaderId"]
    _ = await eventually {
      events.all.contains {
        $0.method == "Page.lifecycleEvent" && $0.parameters["name"] == "load"
          && $0.parameters["loaderId"] == loader
      }
    }
  }

  // MARK: Script

  /// Runs the body of an asynchronous function in the page, and decodes what it returns.
  func run<Result: Decodable>(
    _ body: String, returning type: Result.Type = Result.self
  ) async throws -> Result {
    try PlistDecoder().decode(type, from: try await value(of: body))
  }

  /// Runs the body of an asynchronous function in the page.
  func run(_ body: String) async throws {
    _ = try await value(of: body)
  }

  private func value(of body: String) async throws -> PlistValue {
    let answer = try await call(
      "Runtime.evaluate",
      [
        "expression": .string("(async () => {\(body)\n})()"), "awaitPromise": true,
        "returnByValue": true, "userGesture": true,
      ])
    if let exception = answer[PlistKeyPath("exceptionDetails")] {
      let text = exception[PlistKeyPath("exception.description")]?.text ?? "\(exception)"
      throw BrowserProcess.Failure(description: "\(body): \(text)")
    }
    return answer[PlistKeyPath("result.value")] ?? .null
  }

  /// Waits until an expression of the page is true.
  func wait(until expression: String) async throws {
    try await run(
      """
      const end = performance.now() + 60_000;
      while (!(\(expression))) {
        if (performance.now() > end) throw new Error('not within a minute');
        await new Promise(done => setTimeout(done, 5));
      }
      """)
  }

  // MARK: What happened

  /// What no page of a report may do: print, fail, ask, run into its own policy, or ask a network.
  var problems: [String] { events.all.compactMap(Self.problem) }

  private static func problem(_ event: BrowserConnection.Event) -> String? {
    let details = event.parameters
    switch event.method {
    case "Runtime.consoleAPICalled":
      return "console: \(details)"
    case "Runtime.exceptionThrown":
      return "exception: \(details)"
    case "Log.entryAdded", "Audits.issueAdded", "Page.javascriptDialogOpening",
      "Inspector.targetCrashed", "Network.webSocketCreated":
      return "\(event.method): \(details)"
    case "Network.requestWillBeSent":
      let address = details[PlistKeyPath("request.url")]?.text ?? ""
      return ["file:", "data:", "blob:", "about:"].contains(where: address.hasPrefix)
        ? nil : "request: \(address)"
    default:
      return nil
    }
  }
}

extension PlistValue {
  /// The text of a member of a message; empty if it has none.
  subscript(name: String) -> String { self[PlistKeyPath(components: [name])]?.text ?? "" }
}
