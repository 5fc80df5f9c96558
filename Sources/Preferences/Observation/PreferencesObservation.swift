/// An observer that hears of changes as long as this is kept, or until it is canceled.
public final class PreferencesObservation: Sendable {
  private let list: SearchList
  private let observer: Observer
  private let keys: [String]?

  init(_ list: SearchList, _ observer: Observer, keys: [String]?) {
    self.list = list
    self.observer = observer
    self.keys = keys
  }

  deinit {
    cancel()
  }

  /// Sees to it that no further call of the observer begins; one that another thread has begun may still
  /// be under way. Canceling again does nothing.
  public func cancel() {
    list.remove(observer, keys: keys)
  }
}
