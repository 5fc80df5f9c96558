public import Defaults

/// A property wrapper, and not a macro, for the value of a key in an `@Observable` class.
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
/// It is the same as `Default`, so `swift-syntax` need not be built. Observers of the property are
/// notified of every change of the key, including changes through another instance, through the
/// store, or by another process.
///
/// A `Sendable` class that is not isolated to an actor cannot have variables with property
/// wrappers. In such a class, a computed property that reads and sets `Defaults[.volume]` does the
/// same.
public typealias ObservableDefault = Default
