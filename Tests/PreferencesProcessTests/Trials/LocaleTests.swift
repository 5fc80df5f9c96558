import Foundation
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A process in another locale") struct LocaleTests {
    /// Locales with a decimal comma, with a different capital i, and with different digits.
    private static let locales = ["de_DE", "tr_TR", "fa_IR"]

    /// A folder with the locales; nil if they cannot be compiled.
    private static let folder: TemporaryFolder? = {
      guard let folder = try? TemporaryFolder() else { return nil }
      let localedef = BuiltProgram("localedef")
      for name in locales {
        let run = try? localedef.run(
          "/usr/bin/localedef", ["-i", name, "-f", "UTF-8", "./\(name).UTF-8"], in: folder)
        guard run?.status == 0 else { return nil }
      }
      return folder
    }()

    @Test(
      "It writes and reads the same as in the locale C",
      .enabled(if: folder != nil, "the sources of locales are not installed"), arguments: locales)
    func roundTrip(locale: String) throws {
      func output(_ locale: String) throws -> [String] {
        let files = try TemporaryFolder()
        let process = try TestProcess(
          files.file, "round-trip-in-locale", locale,
          wrapper: ["LOCPATH=\(try #require(Self.folder).path)"])
        let lines = process.readLines()
        TestProcess.finish([process])
        return lines
      }
      let expected = try output("C")
      #expect(expected.contains("\t<real>0.5</real>"))
      #expect(expected.contains("2.5"))
      #expect(try output("\(locale).UTF-8") == expected)
    }
  }
}
