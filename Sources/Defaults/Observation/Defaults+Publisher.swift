public import TypedPreferences

/// Publishing, for where there is no Combine.
extension Defaults {
  /// Values that come one after another to whoever subscribes.
  public typealias AnyPublisher = TypedPreferences.AnyPublisher
  /// Something that goes on until this is canceled or let go of.
  public typealias AnyCancellable = TypedPreferences.AnyCancellable

  /// The changes of a key's value, as ``observe(_:options:handler:)`` tells them, to each subscriber from
  /// its subscription on.
  public static func publisher<Value: Serializable>(
    _ key: Key<Value>, options: ObservationOptions = [.initial]
  ) -> AnyPublisher<KeyChange<Value>, Never> {
    AnyPublisher { subscriber in
      let observation = observe(key, options: options, handler: subscriber.receiveValue)
      return AnyCancellable { observation.invalidate() }
    }
  }

  /// A signal for each change of the value of any of these keys, as `observe(keys:options:handler:)` tells
  /// them, to each subscriber from its subscription on.
  public static func publisher(
    keys: _AnyKey..., options: ObservationOptions = [.initial]
  ) -> AnyPublisher<Void, Never> {
    publisher(keys: keys, options: options)
  }

  /// The same for a list of keys.
  public static func publisher(
    keys: [_AnyKey], options: ObservationOptions = [.initial]
  ) -> AnyPublisher<Void, Never> {
    AnyPublisher { subscriber in
      let observation = observe(keys: keys, options: options) { subscriber.receiveValue(()) }
      return AnyCancellable { observation.invalidate() }
    }
  }
}
