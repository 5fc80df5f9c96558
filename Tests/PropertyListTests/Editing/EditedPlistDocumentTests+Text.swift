import Foundation
import PropertyList

extension EditedPlistDocumentTests {
  static let textCases: [Case] = jsonCases + openStepCases + stringsCases

  private static let jsonCases: [Case] = [
    Case(
      "an element gets a comma", .json, "{\n  \"a\" : [\n    1,\n    2\n  ]\n}\n",
      .append("x/y", to: "a"), "{\n  \"a\" : [\n    1,\n    2,\n    \"x\\/y\"\n  ]\n}\n"),
    Case(
      "slashes are escaped where others are", .json, #"{"a": "x/y"}"#, .insert("/", at: "b"),
      #"{"a": "x/y", "b": "/"}"#),
    Case(
      "a first element needs the comma", .json, "[1,2]", .insert(["a": [], "b": [:]], at: "0"),
      #"[{"a":[],"b":{}},1,2]"#),
    Case("the last element takes its comma", .json, "[ 1, 2 ]", .remove("1"), "[ 1 ]"),
    Case("the first element takes its comma", .json, "[1, 2]", .remove("0"), "[2]"),
    Case(
      "the last key takes the comma before it", .json, "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
      .remove("b"), "{\n  \"a\": 1\n}\n"),
    Case("the only element leaves brackets", .json, "[1]", .remove("0"), "[]"),
    Case(
      "a container is written on lines where others are", .json,
      "{\n    \"a\": 1,\n    \"c\": [\n    ]\n}", .insert(["x": [1, [:]]], at: "b"),
      """
      {
          "a": 1,
          "b": {
              "x": [
                  1,
                  {}
              ]
          },
          "c": [
          ]
      }
      """),
    Case(
      "keys in the order for reading stay in it", .json,
      "{\n  \"item2\" : 1,\n  \"Item10\" : 1\n}\n", .insert(2, at: "item3"),
      "{\n  \"item2\" : 1,\n  \"item3\" : 2,\n  \"Item10\" : 1\n}\n"),
    Case("an empty object gets a key", .json, "{ }", .insert(true, at: "a"), "{ \"a\":true }"),
    Case(
      "an empty object on lines gets a line", .json, "{\n}\n", .insert(.null, at: "a"),
      "{\n  \"a\" : null\n}\n"),
    Case("a number is replaced", .json, "{\"a\":1.50e1}", .replace("a", with: 1.5), "{\"a\":1.5}"),
    Case(
      "two elements go, and one comes", .json, "[1, 2, 3, 4]", .update([1, 9]), "[1, 9]"),
    Case(
      "all elements are replaced", .json, "[\"a\", \"b\"]", .update(["c", "d", "e"]),
      "[\"c\", \"d\", \"e\"]"),
  ]

  private static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tobjects = {

    /* Begin PBXBuildFile section */
    \t\tAA01 /* a.m in Sources */ = {isa = PBXBuildFile; fileRef = BB01 /* a.m */; };
    \t\tAA02 /* b.m in Sources */ = {isa = PBXBuildFile; fileRef = BB02 /* b.m */; };
    /* End PBXBuildFile section */

    /* Begin PBXGroup section */
    \t\tCC01 /* Sources */ = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t\tBB01 /* a.m */,
    \t\t\t\tBB02 /* b.m */,
    \t\t\t);
    \t\t\tpath = "My Sources";
    \t\t};
    /* End PBXGroup section */
    \t};
    \trootObject = DD01 /* Project object */;
    }

    """

  private static func project(_ old: String, _ new: String) -> String {
    project.replacingOccurrences(of: old, with: new)
  }

  private static let openStepCases: [Case] = [
    Case(
      "a value of a project is replaced", .openStep, project,
      .replace("objects.CC01.path", with: "Sources"), project("\"My Sources\"", "Sources")),
    Case(
      "the comment behind a value stays", .openStep, project,
      .replace("objects.AA01.fileRef", with: "BB09"),
      project("fileRef = BB01", "fileRef = BB09")),
    Case(
      "an entry on one line is like the others", .openStep, project,
      .insert(["isa": "PBXBuildFile", "fileRef": "x y"], at: "objects.AA03"),
      project(
        "b.m */; };\n",
        "b.m */; };\n\t\tAA03 = {fileRef = \"x y\"; isa = PBXBuildFile; };\n")),
    Case(
      "a comment of a section belongs to no entry", .openStep, project, .remove("objects.AA01"),
      project(
        "\t\tAA01 /* a.m in Sources */ = {isa = PBXBuildFile; fileRef = BB01 /* a.m */; };\n", "")
    ),
    Case(
      "an element gets the comma that the last one has", .openStep, project,
      .append("BB03", to: "objects.CC01.children"),
      project("BB02 /* b.m */,\n", "BB02 /* b.m */,\n\t\t\t\tBB03,\n")),
    Case(
      "an element takes its comma and its comment", .openStep, project,
      .remove("objects.CC01.children.1"), project("\t\t\t\tBB02 /* b.m */,\n", "")),
    Case(
      "a new array ends with a comma where others do", .openStep, project,
      .insert(["x", "y"], at: "objects.CC01.files"),
      project("\t\t\tisa = PBXGroup;\n\t\t\tchildren", "\t\t\tisa = PBXGroup;\n\t\t\tchildren")
        .replacingOccurrences(
          of: "\t\t\tpath = \"My Sources\";\n",
          with: "\t\t\tpath = \"My Sources\";\n\t\t\tfiles = (\n\t\t\t\tx,\n\t\t\t\ty,\n\t\t\t);\n")
    ),
    Case(
      "entries on one line", .openStep, "{ a = 1; /* b */ b = 2; }", .insert("3", at: "c"),
      "{ a = 1; /* b */ b = 2; c = 3; }"),
    Case(
      "the comment before an entry on its line goes with it", .openStep,
      "{ a = 1; /* b */ b = 2; c = 3; }", .remove("b"), "{ a = 1; c = 3; }"),
    Case(
      "the only entry leaves braces", .openStep, "{ a = 1; } // end", .remove("a"), "{ } // end"),
    Case(
      "keys and strings are quoted where others are that need not be", .openStep,
      "{ \"a\" = \"1\"; }", .insert(["b", "c d"], at: "b"),
      "{ \"a\" = \"1\"; \"b\" = (\"b\", \"c d\"); }"),
    Case("single quotes stay", .openStep, "( 'a' )", .append("it's", to: ""), "( 'a', \"it's\" )"),
    Case(
      "single quotes are taken over", .openStep, "( 'a' )", .append("b", to: ""), "( 'a', 'b' )"),
    Case(
      "a value behind a line comment begins a line", .openStep, "{ a = 1; // one\n}",
      .insert("2", at: "b"), "{ a = 1; // one\nb = 2;\n}"),
    Case(
      "the comma goes before a comment", .openStep, "(\n  a // one\n)", .append("b", to: ""),
      "(\n  a, // one\n  b\n)"),
    Case(
      "a key that is its own value gets one", .openStep, "{ a; b = c; }", .replace("a", with: "x"),
      "{ a = x; b = c; }"),
    Case(
      "characters beyond ASCII are escaped in ASCII", .openStep, "{ a = b; }",
      .replace("a", with: "é"), "{ a = \"\\U00e9\"; }"),
    Case(
      "and not where others are not", .openStep, "{ a = \"ü\"; }", .replace("a", with: "é"),
      "{ a = \"é\"; }"),
    Case(
      "typed values are replaced by such", .openStep, "{ a = <*I5>; d = <01>; }",
      .replace("a", with: 1.5), "{ a = <*R1.5>; d = <01>; }"),
    Case(
      "typed values are inserted beside such", .openStep, "{ a = <*I5>; }",
      .insert([true, .time(0)], at: "b"),
      "{ a = <*I5>; b = (<*BY>, <*D2001-01-01 00:00:00 +0000>); }"),
    Case(
      "data is replaced", .openStep, "{ a = <0102 03>; }",
      .replace("a", with: .data(Data([4, 5]))),
      "{ a = <0405>; }"),
    Case(
      "all occurrences of a key go", .openStep, "{\n  a = 1;\n  a = 2; // two\n  b = 3;\n}",
      .remove("a"), "{\n  b = 3;\n}"),
    Case(
      "carriage returns end lines where others do", .openStep, "{\r  a = 1;\r}",
      .insert("2", at: "b"), "{\r  a = 1;\r  b = 2;\r}"),
  ]

  private static let table = """
    /* The title. */
    "title" = "Titel";

    /* A greeting;
       shown at the start. */
    "hello" = "Hallo";  // not "Servus"

    /* The end. */
    "bye" = "Tschüss";

    """

  private static func table(_ old: String, _ new: String) -> String {
    table.replacingOccurrences(of: old, with: new)
  }

  private static let stringsCases: [Case] = [
    Case(
      "a translation is replaced", .openStep, table, .replace("hello", with: "Grüß Gott"),
      table("Hallo", "Grüß Gott")),
    Case(
      "an entry goes with its comments", .openStep, table, .remove("hello"),
      """
      /* The title. */
      "title" = "Titel";

      /* The end. */
      "bye" = "Tschüss";

      """),
    Case(
      "the last entry leaves no empty line", .openStep, table, .remove("bye"),
      """
      /* The title. */
      "title" = "Titel";

      /* A greeting;
         shown at the start. */
      "hello" = "Hallo";  // not "Servus"

      """),
    Case(
      "an entry follows an empty line where others do", .openStep, table, .insert("Ja", at: "yes"),
      table("\"Tschüss\";\n", "\"Tschüss\";\n\n\"yes\" = \"Ja\";\n")),
    Case(
      "sorted entries stay sorted", .openStep, "\"a\"=\"1\";\n\"c\"=\"3\";\n",
      .insert("2", at: "b"), "\"a\"=\"1\";\n\"b\"=\"2\";\n\"c\"=\"3\";\n"),
    Case(
      "no entry is left", .openStep, "\"a\" = \"b\";\n", .remove("a"), "/* no entries */\n"),
    Case(
      "the first entry replaces the note that there are none", .openStep, "/* no entries */\n",
      .insert("b", at: "a"), "\"a\" = \"b\";\n"),
    Case(
      "the first entry follows comments", .openStep, "/* Strings */", .insert("b", at: "a"),
      "/* Strings */\n\"a\" = \"b\";\n"),
    Case(
      "the first entry of a file with nothing but a byte order mark", .openStep, "\u{FEFF}",
      .insert("b", at: "a"), "\u{FEFF}\"a\" = \"b\";\n"),
    Case(
      "an entry at the end without a line break", .openStep, "\"a\" = \"b\";",
      .insert("d", at: "c"), "\"a\" = \"b\";\n\"c\" = \"d\";"),
    Case(
      "unquoted keys", .openStep, "a = \"b\";\nCFBundleName = \"x y\";\n", .insert("z", at: "k"),
      "a = \"b\";\nCFBundleName = \"x y\";\nk = \"z\";\n"),
  ]
}
