internal import Threading

extension PreferencesEngine {
  private struct Reference {
    weak var engine: PreferencesEngine?
  }

  private static let engines: Lock<[Reference]> = {
    let engines = Lock<[Reference]>([])
    Fork.register(.running) {
      // The child uses the same types, which the runtime has then already initialized.
      _ = living(engines)
    } after: { isChild in
      if isChild { for engine in living(engines) { engine.startAnew() } }
    }
    return engines
  }()

  private static func living(_ engines: Lock<[Reference]>) -> [PreferencesEngine] {
    engines.withLock { $0.compactMap(\.engine) }
  }

  /// Makes an engine known to forked children.
  static func follow(_ engine: PreferencesEngine) {
    // References to other engines, possibly the last ones, are released without the lock.
    let others = engines.withLock { engines in
      let others = engines.compactMap(\.engine)
      engines = (others + [engine]).map(Reference.init)
      return others
    }
    withExtendedLifetime(others) {}
  }

  /// In a forked child, leaves unsaved changes to the parent.
  func startAnew() {
    let files = registry.files
    var delivery = Delivery()
    StateLock.change { change in
      change[runtime.state].timer = .none
      for file in files { file.startAnew(in: change, &delivery) }
      // Domains in memory still have alarms, for tasks that wait in the parent.
      for alarm in Array(change[runtime.state].alarms.all) {
        if let file = alarm as? DomainFile {
          file.startAnew(in: change, &delivery)
        } else {
          _ = change[runtime.state].alarms.remove(alarm)
        }
      }
      runtime.startTimerIfNeeded(in: change)
    }
    delivery.deliver()
  }
}
