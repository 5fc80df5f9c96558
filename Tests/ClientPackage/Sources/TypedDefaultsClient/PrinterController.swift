import TypedDefaults

/// A class whose preferences a test can replace.
final class PrinterController {
  lazy var config: AnyStore<PrinterConfig> = {
    let store = PersistentStore<PrinterConfig>()
    return AnyStore(store)
  }()

  var summary: String {
    guard let config = config.get() else { return "unknown" }
    return "\(config.paper), \(config.isDuplex ? "two sides" : "one side")"
  }
}
