public import Defaults

/// A property that is the value of a key, in a class that is `@Observable`.
///
/// ```swift
/// @Observable
/// final class Player {
///   @ObservableDefault(.volume)
///   @ObservationIgnored
///   var volume: Double
/// }
/// ```
///
/// It is ``Default``, and no macro that takes its time to build: whoever tracks the property is told of each
/// change of the key, also of one by another instance, through the store, or by another process.
///
/// A class that is `Sendable`, and not isolated to an actor, can have no variable with a wrapper; there a
/// computed property that reads and sets `Defaults[.volume]` does the same.
public typealias ObservableDefault = Default
