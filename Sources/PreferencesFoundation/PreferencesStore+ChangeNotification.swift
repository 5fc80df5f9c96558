public import Foundation
public import Preferences

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
  /// when it posts on it, and so never returns, once the main function of an asynchronous program
  /// has been suspended.
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
