import Testing

@testable import SyncCommands

@Suite("The log of the agent")
struct AgentLogTests {
  static let values: [(String, String)] = [
    ("plain", "plain"), ("http://127.0.0.1:2379/a?b", "http://127.0.0.1:2379/a?b"), ("", "\"\""),
    ("two words", "\"two words\""), ("a=b", "\"a=b\""), ("a\"b", "\"a\\\"b\""),
    ("a\\b", "\"a\\\\b\""), ("line\nline\ttab", "\"line\\nline\\ttab\""),
    ("\u{1B}[31m", "\"\\u001b[31m\""), ("\u{202E}x", "\"\\u202ex\""), ("größer", "\"größer\""),
    ("\r\n", "\"\\u000d\\n\""), ("\u{E0001}", "\"\\udb40\\udc01\""),
  ]

  @Test("has one line for an event, whatever its values are", arguments: values)
  func quoting(value: String, quoted: String) {
    #expect(AgentLog.quoted(value) == quoted)
  }
}
