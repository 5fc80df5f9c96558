internal import FileStorage
internal import PropertyList

/// The layer of values from environment variables.
///
/// Each key that has been looked up has an entry, without a value if its variable supplies none. A
/// key is looked up before it is searched for.
final class EnvironmentDomain: Sendable {
  let values = DomainValues()
  private let options: EnvironmentOptions
  /// The store's domain, for events.
  private let domain: String
  private let registration: VolatileDomain
  private let events: EventHandlers
  private let state = Guarded(State())

  private struct State {
    var unsetCount = 0
    /// What was expected of texts that could not be read, by key.
    var failures: [ByteKey: String] = [:]
  }

  private struct Reading {
    var key: String
    var value: PlistValue?
    /// The variable and what was expected, if its text does not match.
    var failure: (variable: String, expected: String)?
  }

  /// The number of remembered keys without variables.
  private static let unsetLimit = 10_000

  init(
    _ options: EnvironmentOptions, domain: String, registration: VolatileDomain,
    events: EventHandlers
  ) {
    self.options = options
    self.events = events
    self.domain = domain
    self.registration = registration
    registration.add(self)
    let apply = prepare(for: registration.all.map { ($0.key, $0.value) })
    var delivery = Delivery()
    StateLock.change { apply($0, &delivery) }
    delivery.deliver()
  }

  private func isKnown(_ key: String, in change: borrowing StateChange) -> Bool {
    key.withKeyBytes { change[values.generations].find($0) != nil }
  }

  /// Looks up a key once.
  func resolve(_ key: String) {
    if StateLock.change({ isKnown(key, in: $0) }) { return }
    var isDone = false
    var delivery = Delivery()
    while !isDone {
      let kind = StateLock.change { registration.values.value(forKey: key, in: $0)?.kind }
      let reading = read(key, as: kind)
      isDone = StateLock.change { change in
        guard registration.values.value(forKey: key, in: change)?.kind == kind else { return false }
        if !isKnown(key, in: change) { install(reading, in: change, &delivery) }
        return true
      }
    }
    delivery.deliver()
  }

  func value(forKey key: String) -> PlistValue? {
    resolve(key)
    return StateLock.change { values.value(forKey: key, in: $0) }
  }

  /// The name of the variable of a key, whether or not it is set.
  func variable(forKey key: String) -> String? { options.variable(forKey: key) }

  /// Throws if a variable is set whose text is not of the type of the key's registered default.
  ///
  /// - Parameter expected: The type that the caller expects; nil for the registered one.
  func check(_ key: String, expected: String? = nil) throws(PreferencesError) {
    resolve(key)
    guard let failure = StateLock.change({ $0[state].failures[ByteKey(key)] }) else { return }
    let layer = PreferencesLayer(kind: .environment, domain: DomainName.environment)
    throw .wrongType(
      key: key, expected: expected ?? failure, found: .string,
      layer: layer.supplying(key, variable: variable(forKey: key)))
  }

  private func read(_ key: String, as kind: PlistValue.Kind?) -> Reading {
    var reading = Reading(key: key)
    guard let name = variable(forKey: key), let text = text(of: name) else { return reading }
    switch options.readDeclared?(key, text) {
    case .value(let value): reading.value = value
    case .expected(let expected): reading.failure = (name, expected)
    case nil:
      let kind = kind ?? .string
      reading.value = Coercion.value(text, as: kind)
      if reading.value == nil { reading.failure = (name, kind.withArticle) }
    }
    return reading
  }

  private func text(of name: String) -> String? {
    if let variables = options.variables { variables[name] } else { Environment.value(of: name) }
  }

  private func install(
    _ reading: Reading, in change: borrowing StateChange, _ delivery: inout Delivery
  ) {
    if isKnown(reading.key, in: change) {
      // Usually, the key is registered again and nothing has changed.
      if values.value(forKey: reading.key, in: change) == reading.value { return }
    } else if reading.value == nil {
      forgetUnsetIfMany(in: change, &delivery)
      change[state].unsetCount += 1
    }
    _ = values.set(reading.value, forKey: reading.key, in: change, &delivery)
    let key = ByteKey(reading.key)
    guard change[state].failures[key] != reading.failure?.expected else { return }
    change[state].failures[key] = reading.failure?.expected
    guard let (name, expected) = reading.failure else { return }
    delivery.add(
      .valueFailure(
        domain: domain, key: reading.key,
        reason: "the environment variable \(name) is ignored: expected \(expected)"),
      on: events)
  }

  /// Removes the entries without values if there are many: a program may look up any number of
  /// keys.
  private func forgetUnsetIfMany(in change: borrowing StateChange, _ delivery: inout Delivery) {
    guard change[state].unsetCount >= Self.unsetLimit else { return }
    change[state].unsetCount = 0
    _ = values.replaceAll(with: values.values(in: change), in: change, &delivery)
  }
}

extension EnvironmentDomain: VolatileDomainFollower {
  func prepare(for registered: [(key: String, value: PlistValue?)]) -> Preparation {
    let readings = registered.map { read($0.key, as: $0.value?.kind) }
    return { [self] change, delivery in
      for reading in readings { install(reading, in: change, &delivery) }
    }
  }
}
