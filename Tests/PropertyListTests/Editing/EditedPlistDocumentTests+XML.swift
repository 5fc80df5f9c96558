import Foundation
import PropertyList

extension EditedPlistDocumentTests {
  static let xmlCases: [Case] = [
    // MARK: Replacement
    .xml(
      "a value is replaced where it is",
      "<dict>\n  <!-- a -->\n  <key>a</key> <string  x='1'>one</string> <!-- one -->\n  <key>b</key><true/>\n</dict>",
      .replace("a", with: "a<b&c"),
      "<dict>\n  <!-- a -->\n  <key>a</key> <string>a&lt;b&amp;c</string> <!-- one -->\n  <key>b</key><true/>\n</dict>"
    ),
    .xml(
      "CDATA, entities and references go with the value that has them",
      "<array><string><![CDATA[<x>]]>&amp;&#65;</string><string>&amp;</string></array>",
      .replace("0", with: "y"), "<array><string>y</string><string>&amp;</string></array>"),
    .xml(
      "a number keeps its text while it keeps its value",
      "<dict><key>n</key><integer> 0x1F </integer></dict>", .replace("n", with: 31),
      "<dict><key>n</key><integer> 0x1F </integer></dict>"),
    .xml(
      "of a key that appears twice the last value is replaced",
      "<dict>\n\t<key>a</key>\n\t<string>1</string>\n\t<key>a</key>\n\t<string>2</string>\n</dict>",
      .replace("a", with: "3"),
      "<dict>\n\t<key>a</key>\n\t<string>1</string>\n\t<key>a</key>\n\t<string>3</string>\n</dict>"
    ),
    .xml(
      "only the values that differ are replaced in a container",
      "<dict>\n\t<key>l</key>\n\t<array>\n\t\t<!-- one -->\n\t\t<string>1</string>\n\t\t<string>2</string>\n\t</array>\n</dict>",
      .replace("l", with: ["1", "3", "4"]),
      "<dict>\n\t<key>l</key>\n\t<array>\n\t\t<!-- one -->\n\t\t<string>1</string>\n\t\t<string>3</string>\n\t\t<string>4</string>\n\t</array>\n</dict>"
    ),
    .xml(
      "a container takes the indentation of its place",
      "<dict>\n    <key>a</key>\n    <true/>\n</dict>",
      .replace("a", with: ["x": ["y", .data(Data([1, 2, 3]))], "e": []]),
      """
      <dict>
          <key>a</key>
          <dict>
              <key>e</key>
              <array/>
              <key>x</key>
              <array>
                  <string>y</string>
                  <data>
                  AQID
                  </data>
              </array>
          </dict>
      </dict>
      """),
    .xml(
      "data on one line stays on one line",
      "<dict>\n\t<key>d</key>\n\t<data>AQID</data>\n</dict>",
      .replace("d", with: .data(Data(repeating: 0, count: 60))),
      "<dict>\n\t<key>d</key>\n\t<data>\(String(repeating: "A", count: 80))</data>\n</dict>"),
    .xml(
      "the root is replaced between what is around it", "<!-- a -->\n<true/>\n<!-- b -->",
      .replace("", with: ["x"]), "<!-- a -->\n<array>\n\t<string>x</string>\n</array>\n<!-- b -->"),

    // MARK: Insertion
    .xml(
      "a key takes its place among sorted keys",
      "<dict>\n  <key>a</key>\n  <true/> <!-- yes -->\n  <!-- c -->\n  <key>c</key>\n  <false/>\n</dict>",
      .insert(["x"], at: "b"),
      "<dict>\n  <key>a</key>\n  <true/> <!-- yes -->\n  <key>b</key>\n  <array>\n    <string>x</string>\n  </array>\n  <!-- c -->\n  <key>c</key>\n  <false/>\n</dict>"
    ),
    .xml(
      "a first key goes before the comment of the next",
      "<dict>\n  <!-- b -->\n  <key>b</key>\n  <true/>\n</dict>", .insert(1, at: "a"),
      "<dict>\n  <key>a</key>\n  <integer>1</integer>\n  <!-- b -->\n  <key>b</key>\n  <true/>\n</dict>"
    ),
    .xml(
      "a key is the last among keys that are not sorted",
      "<dict>\r\n\t<key>z</key>\r\n\t<true/>\r\n\t<key>b</key>\r\n\t<true/>\r\n\t<!-- end -->\r\n</dict>",
      .insert("x", at: "c"),
      "<dict>\r\n\t<key>z</key>\r\n\t<true/>\r\n\t<key>b</key>\r\n\t<true/>\r\n\t<key>c</key>\r\n\t<string>x</string>\r\n\t<!-- end -->\r\n</dict>"
    ),
    .xml(
      "a value stands on the line of its key where others do",
      "<dict>\n\t<key>b</key>  <true/>\n\t<key>c</key>  <true/>\n</dict>", .insert("x", at: "d"),
      "<dict>\n\t<key>b</key>  <true/>\n\t<key>c</key>  <true/>\n\t<key>d</key>  <string>x</string>\n</dict>"
    ),
    .xml(
      "a value is indented more than its key where others are",
      "<dict>\n\t<key>b</key>\n\t\t<true/>\n</dict>", .insert(["y": 1], at: "c"),
      "<dict>\n\t<key>b</key>\n\t\t<true/>\n\t<key>c</key>\n\t\t<dict>\n\t\t\t<key>y</key>\n\t\t\t\t<integer>1</integer>\n\t\t</dict>\n</dict>"
    ),
    .xml(
      "everything on one line stays so", "<dict><key>a</key><true/></dict>", .insert([1], at: "b"),
      "<dict><key>a</key><true/><key>b</key><array><integer>1</integer></array></dict>"),
    .xml(
      "an empty element gets an end tag", "<dict>\n\t<key>a</key>\n\t<dict x='1' />\n</dict>",
      .insert("x", at: "a.b"),
      "<dict>\n\t<key>a</key>\n\t<dict x='1'>\n\t\t<key>b</key>\n\t\t<string>x</string>\n\t</dict>\n</dict>"
    ),
    .xml(
      "an empty array gets lines", "<array></array>", .append("x", to: ""),
      "<array>\n\t<string>x</string>\n</array>"),
    .xml(
      "a first key goes behind comments", "<dict>\n\t<!-- none yet -->\n</dict>",
      .insert(true, at: "a"), "<dict>\n\t<!-- none yet -->\n\t<key>a</key>\n\t<true/>\n</dict>"),
    .xml(
      "an element goes before the one at its index, and its comment",
      "<array>\n\t<!-- one -->\n\t<string>1</string>\n\t<string>2</string> <!-- two -->\n</array>",
      .insert("0", at: "0"),
      "<array>\n\t<string>0</string>\n\t<!-- one -->\n\t<string>1</string>\n\t<string>2</string> <!-- two -->\n</array>"
    ),
    .xml(
      "an element goes behind the comment of the one before it",
      "<array>\n\t<string>1</string>\n\t<string>2</string> <!-- two -->\n</array>",
      .append("3", to: ""),
      "<array>\n\t<string>1</string>\n\t<string>2</string> <!-- two -->\n\t<string>3</string>\n</array>"
    ),
    .xml(
      "values that empty lines separate stay separated",
      "<dict>\n\n\t<key>a</key>\n\t<true/>\n\n\t<key>b</key>\n\t<true/>\n\n</dict>",
      .insert(false, at: "c"),
      "<dict>\n\n\t<key>a</key>\n\t<true/>\n\n\t<key>b</key>\n\t<true/>\n\n\t<key>c</key>\n\t<false/>\n\n</dict>"
    ),

    // MARK: Removal
    .xml(
      "a value goes with its key and its comments",
      "<dict>\n\t<key>a</key>\n\t<true/>\n\t<!-- b -->\n\t<!-- more -->\n\t<key>b</key> <!-- k -->\n\t<true/> <!-- v -->\n\t<key>c</key>\n\t<true/>\n</dict>",
      .remove("b"),
      "<dict>\n\t<key>a</key>\n\t<true/>\n\t<key>c</key>\n\t<true/>\n</dict>"),
    .xml(
      "comments of others stay",
      "<dict>\n\t<!-- all -->\n\n<!-- section -->\n\t<key>a</key>\n\t<true/>\n\n\t<!-- other -->\n\n\t<key>b</key>\n\t<true/>\n</dict>",
      .remove("a"),
      "<dict>\n\t<!-- all -->\n\n<!-- section -->\n\n\t<!-- other -->\n\n\t<key>b</key>\n\t<true/>\n</dict>"
    ),
    .xml(
      "all values of a key go",
      "<dict>\n\t<key>a</key>\n\t<true/>\n\t<key>b</key>\n\t<true/>\n\t<key>a</key>\n\t<true/>\n</dict>",
      .remove("a"), "<dict>\n\t<key>b</key>\n\t<true/>\n</dict>"),
    .xml(
      "the last value leaves an empty container",
      "<dict>\n\t<key>a</key>\n\t<true/>\n</dict>", .remove("a"), "<dict>\n</dict>"),
    .xml(
      "no empty line is left over",
      "<dict>\n\t<key>a</key>\n\t<true/>\n\n\t<key>b</key>\n\t<true/>\n\n\t<key>c</key>\n\t<true/>\n</dict>",
      .remove("b"),
      "<dict>\n\t<key>a</key>\n\t<true/>\n\n\t<key>c</key>\n\t<true/>\n</dict>"),
    .xml(
      "values on one line are removed from it",
      "<array><string>1</string> <string>2</string> <string>3</string></array>", .remove("1"),
      "<array><string>1</string> <string>3</string></array>"),
    .xml(
      "nothing else is removed from a line",
      "<dict>\n\t<key>a</key><true/> <key>b</key><true/>\n</dict>", .remove("a"),
      "<dict>\n\t<key>b</key><true/>\n</dict>"),

    // MARK: Several edits
    .xml(
      "several edits are made at once",
      "<dict>\n\t<!-- a -->\n\t<key>a</key>\n\t<true/>\n\t<!-- b -->\n\t<key>b</key>\n\t<array>\n\t\t<string>1</string>\n\t\t<string>2</string>\n\t</array>\n</dict>",
      .update(["b": ["2", "3"], "c": 1, "0": true]),
      "<dict>\n\t<key>0</key>\n\t<true/>\n\t<!-- b -->\n\t<key>b</key>\n\t<array>\n\t\t<string>2</string>\n\t\t<string>3</string>\n\t</array>\n\t<key>c</key>\n\t<integer>1</integer>\n</dict>"
    ),
    .xml(
      "all values are replaced by others",
      "<dict>\n\t<!-- a -->\n\t<key>a</key>\n\t<true/>\n\n\t<!-- nobody's -->\n\n\t<key>b</key>\n\t<true/>\n</dict>",
      .update(["x": 1, "y": 2]),
      "<dict>\n\t<key>x</key>\n\t<integer>1</integer>\n\t<key>y</key>\n\t<integer>2</integer>\n\n\t<!-- nobody's -->\n</dict>"
    ),
    .xml(
      "equal values in another order are no change",
      "<dict><key>b</key><true/><key>a</key><true/></dict>", .update(["a": true, "b": true]),
      "<dict><key>b</key><true/><key>a</key><true/></dict>"),
  ]
}
