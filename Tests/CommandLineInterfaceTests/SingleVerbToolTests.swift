import CommandLineInterface
import Testing

@Suite("A command-line tool that does one thing")
struct SingleVerbToolTests {
  private static let tool = CommandLineTool(
    name: "lid", summary: "put lids on jars",
    verbs: [
      .init(
        "",
        options: [
          .init("-q", "Print nothing"), .init("-c color", "Color"),
          .init("-tight", "Close tightly"),
        ], operands: .init("jar", count: 1...1),
        "Put lids on jars", action: { _, _ in })
    ],
    defaultVerb: "",
    sections: [
      .init(
        "Colors of lids",
        """
        Colors are words.
        All lids have one.
        red | The color of jam | lid -c red
        blue | Another
        """),
      .init("Other lids", isInHelp: false, "Corks | They are no lids"),
    ])

  static let combinations: [([String], [String: [String]]?)] = [
    (["-qc", "red", "a"], ["-q": [""], "-c": ["red"]]),
    (["-cq", "red", "a"], ["-q": [""], "-c": ["red"]]),
    (["-q", "-c", "-qc", "a"], ["-q": [""], "-c": ["-qc"]]), (["-tight", "a"], ["-tight": [""]]),
    (["-qx", "a"], nil), (["-qq", "a"], nil), (["-qtight", "a"], nil), (["-qc"], nil),
  ]

  @Test("takes options of one letter in one word", arguments: combinations)
  func combined(words: [String], options: [String: [String]]?) {
    let request = try? Self.tool.parse(words)
    if case .invocation(let invocation)? = request {
      #expect(invocation.options == options)
      #expect(invocation.operands == ["a"])
    } else {
      #expect(options == nil)
    }
  }

  @Test("has sections in its help, some of them only in its manual page")
  func sections() {
    let section = """
      Colors of lids:
        Colors are words.

        All lids have one.
        red                     The color of jam
                                Example: lid -c red
        blue                    Another

      """
    #expect(CommandLineTool.help(of: [Self.tool.sections[0]]) == section)
    #expect(Self.tool.help.hasSuffix("\n\n" + section))
    #expect(
      Self.tool.manual.contains(
        #"""
        .SH COLORS OF LIDS
        Colors are words.
        .PP
        All lids have one.
        .TP
        \fBred\fR
        The color of jam.
        .br
        Example: \fBlid \-c red\fR
        .TP
        \fBblue\fR
        Another.
        .SH OTHER LIDS
        .TP
        \fBCorks\fR
        They are no lids.

        """#))
  }
}
