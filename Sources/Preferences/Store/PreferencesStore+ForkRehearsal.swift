internal import PropertyList
internal import Threading

extension PreferencesStore {
  /// Registers the rehearsal when it is first read.
  static let rehearsesBeforeForks: Void = Fork.register(
    .running, before: { rehearsal }, after: { _ in })

  /// Uses a store once before the first fork, as a child does after it.
  ///
  /// The first use of a global or of a generic type takes a lock of the Swift runtime. A child that
  /// was forked while another thread held it would wait forever. With the rehearsal, the parent
  /// waits for that thread before it forks. Reading and writing files need no rehearsal: they are
  /// done inside the ``ForkGate``.
  private static let rehearsal: Void = {
    let engine = PreferencesEngine.manual()
    let missing = PreferencesStore(fileAt: "/nonexistent/larder.plist", engine: engine)
    let observations = [
      missing.observe("key") { _ in }, missing.observeAll { _ in }, engine.onEvent { _ in },
    ]
    missing.register(defaults: ["key": 0])
    // The second time, the file is read again, as in a child.
    for _ in 1...2 {
      missing.set(1, forKey: "key")
      missing.set("text", forKey: "key")
      missing.set(["key": 1, "other": [true]])
      _ = (missing.string(forKey: "key"), missing.integer(forKey: "key"))
      _ = (missing.bool(forKey: "key"), missing.plistValue(forKey: "key"), missing.snapshot())
      missing.removeObject(forKey: "other")
      engine.startAnew()
    }
    let memory = DomainFile(.memory, runtime: engine.runtime)
    memory.replaceAll(with: ["key": "value"])
    var delivery = Delivery()
    try? memory.commit(within: TimeLimit(.zero), &delivery)
    try? memory.commit(within: TimeLimit(.zero), &delivery) { values in
      values["key"] = true
      return true
    }
    delivery.deliver()
    for observation in observations { observation.cancel() }
  }()
}
