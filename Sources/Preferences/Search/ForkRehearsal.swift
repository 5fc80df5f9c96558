internal import PropertyList
internal import Threading

/// Uses a domain in memory once before the first fork, and inherits changes as a forked child does.
///
/// The first use of anything makes the Swift runtime initialize globals and types. A child forked
/// while another thread is doing that could not use them: it would wait for a thread that it does
/// not have. Using the same things before the fork waits for that thread in the parent. Reading
/// files needs no rehearsal, because it is done inside the ``ForkGate``.
enum ForkRehearsal {
  /// Registers the rehearsal when it is first read.
  static let isRegistered: Void = Fork.register(.running, before: { _ = isDone }, after: { _ in })

  private static let isDone: Bool = {
    let engine = PreferencesEngine.manual()
    let runtime = engine.runtime
    let file = DomainFile(path: nil, runtime: runtime)
    let layer = PreferencesLayer(kind: .user, domain: "rehearsal", path: nil)
    let list = SearchList([SearchList.Entry(layer: layer, source: .file(file))], runtime: runtime)
    let observer = Observer { _ in }
    let observation = list.register(observer, keys: ["key"], initial: true)
    let group = list.register(GroupObserver { _ in }, group: ["key", "other"], initial: true)
    let isCaptured = list.capture().value(forKey: "key") == nil
    _ = file.set([("key", 0), ("other", nil)])
    file.set(1, forKey: "key")
    file.set("text", forKey: "key")
    let isFound = list.read("key") { $0 } == "text"
    file.replaceAll(with: ["key": ["value"]])
    file.set(nil, forKey: "key")
    var delivery = Delivery()
    try? file.commit(within: TimeLimit(.seconds(10)), &delivery)
    try? file.commit(within: TimeLimit(.seconds(10)), &delivery) { values in
      values["key"] = true
      return true
    }
    delivery.deliver()
    observation.cancel()
    group.cancel()
    let inherited = DomainFile(path: "/nonexistent/larder.plist", runtime: runtime)
    inherited.set(1, forKey: "key")
    StateLock.change { engine.inherit(from: .current, in: $0) }
    runtime.removeAlarm(inherited)
    return isFound && isCaptured && list.capture().value(forKey: "key") == true
      && file.allValues.count == 1
  }()
}
