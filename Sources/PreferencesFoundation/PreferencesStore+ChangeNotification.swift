public import Foundation
public import Preferences

extension PreferencesStore {
  /// The notification that a store's own domain has been changed through that store, its object.
  ///
  /// It is posted on the thread that made the change, before the call returns: when a value of the
  /// domain is now another, and on every call that replaces or removes a persistent domain. Nothing
  /// is posted before somebody has asked for this name.
  ///
  /// ```swift
  /// NotificationCenter.default.addObserver(
  ///   forName: PreferencesStore.didChangeNotification, object: nil, queue: nil
  /// ) { notification in print("changed:", notification.object as? PreferencesStore) }
  /// ```
  public static let didChangeNotification: Notification.Name = {
    let name = Notification.Name("PreferencesStoreDidChangeNotification")
    ChangeHook.shared.set { store in NotificationCenter.default.post(name: name, object: store) }
    return name
  }()
}
