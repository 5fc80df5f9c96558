import Testing

/// All tests in a browser, one after the other, since they share it and what they measure is time.
@Suite("in a browser", .serialized)
struct BrowserTests {}
