import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("git")
struct GitTests {
  @Test("shows binary property lists as text through plutil")
  func textconv() throws {
    let folder = try TemporaryFolder()
    try folder.write(Plist.write(["name": "old", "size": 12], as: .binary), to: "a.plist")
    try folder.write("*.plist diff=plist\n", to: ".gitattributes")
    let run = { (command: String) in try Plutil.shell(command, in: folder) }
    let setup = try run(
      """
      export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
      git init -q . && git config diff.plist.textconv "$PLUTIL -p" && git add .
      """)

    #expect(setup.status == 0)
    try folder.write(Plist.write(["name": "new", "size": 12], as: .binary), to: "a.plist")
    let difference = try run("HOME=$PWD git diff --no-color | tail -n +5")
    #expect(
      difference.text == """
        @@ -1,4 +1,4 @@
         {
        -  "name" => "old"
        +  "name" => "new"
           "size" => 12
         }

        """)
  }
}
