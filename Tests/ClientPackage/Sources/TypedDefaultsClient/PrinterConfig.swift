import TypedDefaults

struct PrinterConfig: DefaultConvertible {
  enum Paper: Int {
    case large, medium, small
  }

  static let key = "PrinterConfig"

  var isDuplex: Bool
  var paper: Paper

  init?(_ object: Any) {
    guard let entries = object as? [String: Any] else { return nil }
    isDuplex = entries["isDuplex"] as? Bool ?? true
    paper = (entries["paper"] as? Int).flatMap(Paper.init) ?? .medium
  }

  func serialize() -> Any {
    ["isDuplex": isDuplex, "paper": paper.rawValue]
  }
}
