import Defaults

/// Values of several types under one key.
extension Defaults.Keys {
  static let anything = Key<Defaults.AnySerializable>("anything", default: 1)
  static let extras = Key<[String: Defaults.AnySerializable]>("extras", default: [:])
  static let mixture = Key<[Defaults.AnySerializable]>("mixture", default: [1, "two", true, 4.5])
  static let mediaType = Key<MediaType>("mediaType", default: .json)
}
