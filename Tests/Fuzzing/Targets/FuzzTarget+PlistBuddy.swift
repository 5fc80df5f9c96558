import CommandLineInterface
import Foundation
import PropertyList
import PropertyListCommands

extension FuzzTarget {
  /// The command line of `PlistBuddy`, whose words NULs separate, and the commands in it.
  ///
  /// The result of the commands can be saved and read again.
  static let plistBuddy = FuzzTarget(name: "plistbuddy") { data in
    guard case .invocation(let invocation)? = try? PlistBuddyTool.table.parse(data.words)
    else { return }
    var editor = PlistEditor(
      sampleValue,
      printing: .init(asXML: invocation.has(PlistBuddyTool.Option.xml), toTerminal: true),
      transcript: Transcript(forwardingTo: nil))
    for command in invocation.arguments(of: PlistBuddyTool.Option.command).prefix(30) {
      guard !command.namesFileElsewhere else { continue }
      switch editor.perform(command) {
      case .revert?: editor.reset(to: sampleValue)
      case .exit?: return
      case .save?, nil: break
      }
      // Copies of copies grow exponentially.
      guard editor.root.hasAtMost(2000) else { return }
    }
    do {
      let saved = try Plist.read(try Plist.write(editor.root, as: .binary)).value
      try expect(saved == editor.root, "what is saved is read as another value")
    } catch let error as PlistError {
      guard case .tooDeep = error.kind else { throw error }
    }
  }
}

extension String {
  /// Whether a command may read a file outside the current folder, such as a device.
  fileprivate var namesFileElsewhere: Bool {
    let letters = lowercased().filter { !"\"'\\".contains($0) }
    return letters.contains("/") && (letters.contains("import") || letters.contains("merge"))
  }
}

extension PlistValue {
  /// Whether there are at most this many values, with shared ones counted each time they occur.
  fileprivate func hasAtMost(_ count: Int) -> Bool {
    var walk = PlistTreeWalk(self, keyOrder: .document)
    var remaining = count
    while walk.next() != nil {
      remaining -= 1
      if remaining < 0 { return false }
    }
    return true
  }
}
