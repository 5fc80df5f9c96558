internal import Preferences

extension TypedPreference {
  /// A publisher of the current value, and then of each new value.
  ///
  /// - Parameter includesSuppressed: Whether changes made while notifications are suppressed are
  ///   published, too.
  package func publisher(includesSuppressed: Bool = true) -> AnyPublisher<Value, Never> {
    AnyPublisher { [resolved] subscriber in
      let observation = resolved.observe(initial: true, includesSuppressed: includesSuppressed) {
        change in
        subscriber.receive(change.newValue)
      }
      return AnyCancellable { observation.cancel() }
    }
  }
}
