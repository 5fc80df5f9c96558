internal import Preferences

extension TypedPreference {
  /// A publisher of the value, in the store that it has here: of the current one, and then of each
  /// new one, also within a closure that suppresses notifications.
  package func publisher() -> AnyPublisher<Value, Never> {
    AnyPublisher { [resolved] subscriber in
      let observation = resolved.observe { subscriber.receive($0) }
      return AnyCancellable { observation.cancel() }
    }
  }
}
