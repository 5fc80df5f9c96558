import Foundation
import Manifests
import PropertyList
import Testing

@testable import CommandLineInterface

@Suite("Comments of a manifest in a text")
struct TextCommentsTests {
  private static var manifest: PreferencesManifest {
    var width = PreferencesManifest.Key("width", type: .integer)
    (width.title, width.defaultValue, width.unit) = ("Width -- of all", 80, "columns")
    var window = PreferencesManifest.Key("window", type: .dictionary)
    window.subkeys = [width]
    var list = PreferencesManifest.Key("list", type: .array)
    list.subkeys = [window]
    list.subkeys[0].name = nil
    var pin = PreferencesManifest.Key("pin", type: .string)
    (pin.isSensitive, pin.defaultValue) = (true, "1234")
    return PreferencesManifest(
      domain: "org.x", title: "Editor", keys: [width, window, list, pin])
  }

  /// A format, a text, and the text in the editor.
  static let texts: [(PlistFormat, String, String)] = [
    (
      .openStep,
      """
      {
        // mine
        width = 1;
          window = { width = 2; };
        list = (
          { width = 3; },
          { width = 4; }
        );
        pin = 5; other = 6;
      }

      """,
      """
      //# Editor.
      {
        // mine
        //# Width - - of all. integer, columns, default 80.
        width = 1;
          //# window: dictionary.
          //# width: Width - - of all. integer, columns, default 80.
          window = { width = 2; };
        //# array.
        list = (
          //# Width - - of all. integer, columns, default 80.
          { width = 3; },
          { width = 4; }
        );
        //# string.
        pin = 5; other = 6;
      }

      """
    ),
    (
      .json, "{\n\t\"width\": 1}",
      "//# Editor.\n{\n\t//# Width - - of all. integer, columns, default 80.\n\t\"width\": 1}"
    ),
    (
      .xml,
      """
      <plist version="1.0">
      <dict>
      \t<key>width</key>
      \t<integer>1</integer>
      </dict>
      </plist>
      """,
      """
      <plist version="1.0">
      <!--# Editor. -->
      <dict>
      \t<!--# Width - - of all. integer, columns, default 80. -->
      \t<key>width</key>
      \t<integer>1</integer>
      </dict>
      </plist>
      """
    ),
    (.openStep, "{ width = ", "{ width = "), (.openStep, "{\r width = 1; }", "{\r width = 1; }"),
    (.openStep, "//# Editor.\n{ a = b; }", "//# Editor.\n{ a = b; }"), (.json, "", ""),
  ]

  @Test("are above the lines of described values, and are removed", arguments: texts)
  func add(format: PlistFormat, text: String, shown: String) {
    var comments = TextComments(Self.manifest.root, in: TextForm(format))
    let added = comments.add(to: Data(text.utf8))
    #expect(String(decoding: added, as: UTF8.self) == shown)
    #expect(String(decoding: comments.remove(from: added).text, as: UTF8.self) == text)
  }

  @Test("are removed wherever they are, with the numbers of the other lines")
  func remove() {
    var comments = TextComments(Self.manifest.root, in: TextForm(.openStep))
    _ = comments.add(to: Data("{\n width = 1;\n}\n".utf8))
    let text = """
      // mine
      {
      //# Width - - of all. integer, columns, default 80.\u{20}
      width = 2;
      \t//# Editor.
      //# Editor!
      }
      """
    let (rest, numbers) = comments.remove(from: Data(text.utf8))
    #expect(
      String(decoding: rest, as: UTF8.self) == "// mine\n{\nwidth = 2;\n//# Editor!\n}")
    #expect(numbers == [1, 2, 4, 6, 7])
  }

  @Test("are removed from JSON also if they were changed")
  func changed() {
    var comments = TextComments(Self.manifest.root, in: TextForm(.json))
    _ = comments.add(to: Data("{\"width\": 1}".utf8))
    let (rest, numbers) = comments.remove(from: Data("//# Other.\n{\n//# x\n}".utf8))
    #expect(rest == Data("{\n}".utf8))
    #expect(numbers == [2, 4])
  }

  @Test("are not added without a manifest")
  func nothing() {
    var comments = TextComments(nil, in: TextForm(.openStep))
    let text = Data("{ width = 1; }".utf8)
    #expect(comments.add(to: text) == text)
    #expect(comments.remove(from: text).text == text)
  }
}
