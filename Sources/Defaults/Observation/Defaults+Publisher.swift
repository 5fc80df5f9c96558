internal import Threading
public import TypedPreferences

/// Publishers that replace Combine's.
extension Defaults {
  /// A publisher of values, with Combine's API.
  public typealias AnyPublisher = TypedPreferences.AnyPublisher
  /// A subscription, which lasts until it is canceled or released.
  public typealias AnyCancellable = TypedPreferences.AnyCancellable

  /// Returns a publisher of the changes of a key, as ``observe(_:options:handler:)`` reports them.
  ///
  /// Observation begins with each subscription, in the store that the key has now.
  public static func publisher<Value: Serializable>(
    _ key: Key<Value>, options: ObservationOptions = [.initial]
  ) -> AnyPublisher<KeyChange<Value>, Never> {
    let (observed, preference) = (key.observed, key.preference.resolved)
    return AnyPublisher { subscriber in
      let observation = observe(observed, preference, options) { subscriber.receive($0) }
      return AnyCancellable { observation.invalidate() }
    }
  }

  /// Returns a publisher for keys that are listed one by one, as the method that takes an array does.
  public static func publisher(
    keys: _AnyKey..., options: ObservationOptions = [.initial]
  ) -> AnyPublisher<Void, Never> {
    publisher(keys: keys, options: options)
  }

  /// Returns a publisher of an element for each change of any of several keys, as
  /// `observe(keys:options:handler:)` reports them.
  ///
  /// Observation begins with each subscription.
  public static func publisher(
    keys: [_AnyKey], options: ObservationOptions = [.initial]
  ) -> AnyPublisher<Void, Never> {
    let observed = keys.map(\.observed)
    return AnyPublisher { subscriber in
      let observation = KeyObservation(of: observed, options, on: .none) { _, _ in
        subscriber.receive(())
      }
      return AnyCancellable { observation.invalidate() }
    }
  }
}
