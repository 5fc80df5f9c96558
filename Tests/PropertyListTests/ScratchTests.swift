import Testing
import Foundation
@testable import PropertyList

@Test func scratch() throws {
  for name in ["a.bin","a.xml","d.bin","d2.bin","b.bin"] {
    do {
    let d = try Data(contentsOf: URL(fileURLWithPath: "/tmp/x/\(name)"))
    let doc = try PropertyList.read(d)
    let x = try PropertyList.write(doc.value, as: .xml)
    try x.write(to: URL(fileURLWithPath: "/tmp/x/\(name).out.xml"))
    let b = try PropertyList.write(doc.value, as: .binary)
    try b.write(to: URL(fileURLWithPath: "/tmp/x/\(name).out.bin"))
    let again = try PropertyList.read(b).value
    print(name, again == doc.value, try PropertyList.read(x).value == doc.value, doc.warnings)
    } catch { print(name, error) }
  }
  for t in ["<plist><dict><key>a</key></dict></plist>", "<html/>", "\n\n <html\n a='1'/>", "<plist>\n<dict>\n <key>a</key>\n  <integer>4x</integer></dict></plist>", "<plist><array>\n  foo</array></plist>","<plist></dict>", "<plist>&foo;</plist>", "<string>a\u{1}b&#2;</string>", "<?xml version='1.0' encoding='Shift_JIS'?><plist/>", "<plist/>\0\0 ", "<string/>\0x", "<string>&lt;</string>junk", "<plist><string>a<!-- x --></string></plist>", "<plist><x:dict/></plist>","<plist xmlns='foo'/>", "<plist a:b='1'/>", "<string xml:space='preserve'>x</string>", "", " ", "<plist><dict><key>a</key><true/><key>a</key><false/></dict></plist>", "<plist><true><!-- --></true></plist>", "<plist><true>x</true></plist>", "<plist>a & b</plist>", "<plist><string>a & b</string></plist>", "<plist>", "<plist", "<plist><dict>&lt;</dict></plist>"] {
    do { let doc = try PropertyList.read(Data(t.utf8), as: .xml); print(t.debugDescription, "=>", doc.value, doc.warnings) } catch { print(t.debugDescription, "=>", error) }
  }
}
