import Defaults
import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

/// What has come, in the order in which it came.
final class Gathered<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  func add(_ element: Element) { elements.withLock { $0.append(element) } }

  /// All that has come and was not taken.
  var all: [Element] { elements.withLock { $0 } }

  /// What has come since the last call.
  func take() -> [Element] {
    elements.withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}

extension Defaults.Updates where Element: Sendable {
  /// The first values of the sequence.
  func first(_ count: Int) async -> [Element] {
    var result: [Element] = []
    var iterator = makeAsyncIterator()
    while result.count < count, let element = await iterator.next() { result.append(element) }
    return result
  }
}

/// Something that happens on a thread of its own.
final class OtherThread: Sendable {
  private let end = Lock(false)

  init(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [end] in
      body()
      end.withLock { $0 = true }
    }
    thread.stackSize = 4 << 20
    thread.start()
  }

  var hasEnded: Bool { end.withLock { $0 } }

  /// Waits for its end; false when that does not come.
  func join() -> Bool { eventually { hasEnded } }
}

/// A store on a file that others can write, too.
final class SharedFile: Sendable {
  private let folder: TemporaryFolder
  let store: PreferencesStore

  init() throws {
    folder = try TemporaryFolder()
    store = PreferencesStore(fileAt: folder.path("shared.plist"))
  }

  deinit {
    // The background shall find nothing to save when the folder has gone.
    _ = try? store.flush()
  }

  /// Puts another file in the place of the store's, as another process does.
  func replace(with values: PlistDictionary) throws {
    try Plist.write(.dictionary(values), as: .xml)
      .write(to: URL(fileURLWithPath: folder.path("shared.plist")), options: .atomic)
  }
}

extension PreferencesStore {
  /// Whether anybody observes it.
  var isObserved: Bool {
    let observers = Mirror(reflecting: searchList).descendant("observers")
    return (observers as? ObserverList)?.isEmpty == false
  }
}
