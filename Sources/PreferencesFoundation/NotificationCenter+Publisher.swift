public import Foundation
@_exported public import Preferences
@_exported public import Publishing

extension NotificationCenter {
  /// A publisher of the notifications of a center.
  public struct Publisher: Publishing.Publisher, @unchecked Sendable {
    // Sendable because the object is only compared with the objects of notifications.

    /// A notification.
    public typealias Output = Notification
    /// The notifications never end.
    public typealias Failure = Never

    /// The center.
    public let center: NotificationCenter
    /// The name of the notifications.
    public let name: Notification.Name
    /// The object that must post the notifications; nil for any.
    public let object: AnyObject?

    /// Creates a publisher.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      (self.center, self.name, self.object) = (center, name, object)
    }

    /// Starts a subscription, which receives the notifications on the threads that post them.
    public func receive(subscriber: Subscriber<Notification, Never>) -> AnyCancellable {
      // Notification tokens are immutable, but not marked so.
      nonisolated(unsafe) let token = center.addObserver(
        forName: name, object: object, queue: nil
      ) { subscriber.receive($0) }
      return AnyCancellable { [center] in center.removeObserver(token) }
    }
  }

  /// Returns a publisher of the notifications of a name, and of an object if there is one.
  ///
  /// ```swift
  /// NotificationCenter.default.publisher(for: PreferencesStore.didChangeNotification)
  ///   .debounce(for: .milliseconds(100), scheduler: DispatchQueue.main)
  ///   .sink { _ in reload() }
  /// ```
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }
}

extension PreferencesStore {
  /// The name of the notification that is posted when a store's own domain is changed through that
  /// store, which is the notification's object.
  ///
  /// It is posted on the thread that makes the change, before the call returns: when a value of the
  /// domain differs, and by every call that replaces or removes a persistent domain. Nothing is
  /// posted before the first use of this property.
  ///
  /// Observe it with `queue: nil` and not `queue: .main`, or by
  /// `NotificationCenter.publisher(for:object:)`: Foundation on Linux waits for the main queue even
  /// when it posts on that queue. Once the main function of an asynchronous program has been
  /// suspended, it never returns.
  ///
  /// ```swift
  /// NotificationCenter.default.addObserver(
  ///   forName: PreferencesStore.didChangeNotification, object: nil, queue: nil
  /// ) { notification in print("changed:", notification.object as? PreferencesStore) }
  /// ```
  public static let didChangeNotification: Notification.Name = {
    let name = Notification.Name("PreferencesStoreDidChangeNotification")
    PreferencesStore.ChangeHook.shared.set { store in
      NotificationCenter.default.post(name: name, object: store)
    }
    return name
  }()
}
