import Preferences
import PropertyList

/// Answers requests. Any number of threads may call it at once.
struct Service: Sendable {
  let settings: Settings
  let tenants: Tenants
  let metrics: Metrics

  /// The answer to a line of a client, and whether it is the last one of the connection.
  func answer(_ line: String) -> (text: String, isLast: Bool) {
    do {
      let request = try Request(line)
      metrics.countRequest(request.verb)
      if case .quit = request { return ("bye\n", true) }
      return (try answer(request), false)
    } catch {
      metrics.countFailedRequest()
      return ("error: \(oneLine("\(error)"))\n", false)
    }
  }

  private func answer(_ request: Request) throws -> String {
    switch request {
    case .get(let tenant, let key):
      guard let value = try store(tenant).plistValue(forKey: key) else {
        throw Failure("\(key) has no value")
      }
      return text(value) + "\n"
    case .list(let tenant):
      let values = try store(tenant).snapshot().plistRepresentation
      return lines(values.map { key, value in "\(oneLine(key)) \(text(value))" }.sorted())
    case .set(let tenant, let key, let value):
      try store(tenant).set(value, forKey: key)
    case .remove(let tenant, let key):
      try store(tenant).removeObject(forKey: key)
    case .update(let tenant, let values):
      try store(tenant).update { stored in
        for (key, value) in values { stored[key] = value }
      }
    case .add(let tenant, let key, let number):
      return "\(try store(tenant).update { try add(number, to: key, of: &$0) })\n"
    case .metrics:
      return lines(metrics.lines(tenantCount: tenants.count))
    case .reload:
      reload()
    case .flush:
      try PreferencesStore.flushAll()
    case .quit:
      break
    }
    return "ok\n"
  }

  /// Reads all files again.
  func reload() {
    settings.reload()
    tenants.reload()
  }

  private func store(_ tenant: String) throws -> PreferencesStore {
    try tenants.store(of: tenant, limit: settings.maximumTenants)
  }

  private func add(_ number: Int64, to key: String, of values: inout PlistDictionary) throws
    -> Int64
  {
    guard case .integer(let old) = values[key] ?? 0 else { throw Failure("\(key) is no integer") }
    let (sum, isTooLarge) = old.addingReportingOverflow(number)
    if isTooLarge { throw Failure("\(key) would be too large") }
    values[key] = .integer(sum)
    return sum
  }

  // MARK: Text

  private func lines(_ lines: [String]) -> String {
    lines.map { $0 + "\n" }.joined() + ".\n"
  }

  /// A value as one line. Clients set texts, integers and Booleans; other programs may have stored
  /// anything.
  private func text(_ value: PlistValue) -> String {
    switch value {
    case .string(let text): oneLine(text)
    case .integer(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    default: oneLine("\(value)")
    }
  }

  private func oneLine(_ text: String) -> String {
    text.contains { $0.isNewline }
      ? String(text.map { $0.isNewline ? " " : $0 }) : text
  }
}
