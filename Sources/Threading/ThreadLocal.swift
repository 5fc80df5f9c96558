internal import Glibc

/// An object that each thread has while it runs a closure.
///
/// Unlike a task-local value, it is not inherited by the tasks that the closure creates.
package struct ThreadLocal<Object: AnyObject>: Sendable {
  private let word = ThreadLocalWord()

  package init() {}

  /// The object of the calling thread; nil outside ``withValue(_:_:)``.
  package var value: Object? {
    UnsafeRawPointer(bitPattern: word.value).map {
      Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Calls a closure while the calling thread has an object, or none, and restores the previous one.
  package func withValue<Result, Failure: Error>(
    _ object: Object?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = word.value
    word.value = object.map { Int(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    defer {
      word.value = outer
      withExtendedLifetime(object) {}
    }
    return try body()
  }
}

/// A number per thread, initially zero.
package struct ThreadLocalWord: Sendable {
  private let key: pthread_key_t

  package init() {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    self.key = key
  }

  /// The number of the calling thread.
  package var value: Int {
    @inline(__always) get { Int(bitPattern: pthread_getspecific(key)) }
    @inline(__always) nonmutating set {
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue))
    }
  }
}
