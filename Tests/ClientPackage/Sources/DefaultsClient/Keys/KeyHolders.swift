import Defaults

extension Defaults.Keys {
  static let retries = Key<Int>("retries", default: 3)
  static let isVerbose = Key<Bool>("isVerbose", default: false)
}

/// A class for use on any thread, with a key from its caller.
final class RetryPolicy: Sendable {
  private let key: Defaults.Key<Int>

  init(key: Defaults.Key<Int>) {
    self.key = key
  }

  var retries: Int {
    get { Defaults[key] }
    set { Defaults[key] = newValue }
  }
}

/// A custom property wrapper.
@propertyWrapper
struct Kept<Value: Defaults.Serializable> {
  let key: Defaults.Key<Value>

  var wrappedValue: Value {
    get { Defaults[key] }
    nonmutating set { Defaults[key] = newValue }
  }
}

struct Diagnostics {
  @Kept(key: .isVerbose) var isVerbose
}

extension Defaults.Key where Value == Bool {
  func toggle() {
    Defaults[self].toggle()
  }
}

/// A type with its own key.
struct Token: Codable, Defaults.Serializable {
  private static let key = Defaults.Key<Self?>("token")

  static var current: Self? {
    get { Defaults[key] }
    set { Defaults[key] = newValue }
  }

  var text: String
}
