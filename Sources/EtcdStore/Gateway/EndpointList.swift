internal import Threading

/// The endpoints of a cluster. The one that answered last is used.
final class EndpointList: Sendable {
  let all: [Endpoint]
  private let index = Lock(0)

  init(_ all: [Endpoint]) { self.all = all }

  /// The endpoint in use.
  var current: Endpoint { all[index.withLock { $0 }] }

  /// Turns to the next endpoint, unless another task has done so since the failure.
  func advance(from endpoint: Endpoint) {
    index.withLock { index in
      if all[index] == endpoint { index = (index + 1) % all.count }
    }
  }
}
