public import Foundation
public import Publishing

extension NotificationCenter {
  /// A publisher of the notifications of a center.
  public struct Publisher: Publishing.Publisher, @unchecked Sendable {
    // Sendable because the object is only compared with that of each notification.

    /// A notification.
    public typealias Output = Notification
    /// The notifications do not end.
    public typealias Failure = Never

    /// The center.
    public let center: NotificationCenter
    /// The name of the notifications.
    public let name: Notification.Name
    /// The object of the notifications; nil for those of any object.
    public let object: AnyObject?

    /// Creates a publisher.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
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
