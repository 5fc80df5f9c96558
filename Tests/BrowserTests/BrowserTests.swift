import Testing

/// All tests in a browser. They run one after the other, because they share it and measure time.
@Suite("in a browser", .serialized)
struct BrowserTests {}
