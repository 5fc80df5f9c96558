import Foundation
import Glibc
import PropertyList

@testable import FileStorage
@testable import Preferences

/// A machine with one folder of files, the state that a crash would leave of them, locks, and
/// clocks.
///
/// One thread at a time uses it: the simulation's, or the thread of the process whose turn it is.
final class Machine: @unchecked Sendable {
  static let path = "/simulated.plist"
  static let file = "simulated.plist"
  private static let lockFile = ".simulated.plist.lock"

  /// A file without its name.
  final class Inode {
    let number: UInt64
    var data: Data
    /// What a crash leaves; nil if that may be any beginning of the data.
    var durable: Data?
    /// Whether a flush has failed. Later ones succeed and do nothing.
    var isUnflushable = false
    var modified: Int64
    var changed: Int64
    /// The process that has the lock on it, if it is a lock file.
    var holder: Int?

    init(_ number: UInt64, _ data: Data, at time: Int64) {
      self.number = number
      self.data = data
      (modified, changed) = (time, time)
    }
  }

  /// The values of a file; nil if it does not hold any.
  typealias Content = [String: Int]?

  /// A change of names that is not yet certain to survive a crash.
  private enum Renaming {
    case set(String, Inode)
    case remove(String)
    case rename(String, to: String, Inode)

    var names: [String] {
      switch self {
      case .set(let name, _), .remove(let name): [name]
      case .rename(let name, let newName, _): [name, newName]
      }
    }
  }

  /// Virtual time since the start.
  private(set) var now = Duration.zero
  /// The clock that dates files, in nanoseconds since 1970.
  private(set) var wall: Int64 = 1_800_000_000_123_456_789
  /// The resolution of timestamps, in nanoseconds.
  var resolution: Int64 = 1
  private(set) var names: [String: Inode] = [:]
  private var durableNames: [String: Inode] = [:]
  private var unflushed: [Renaming] = []
  /// How many of these can never be flushed, because a flush has failed.
  private var unflushableCount = 0
  /// The process whose flush has failed, as long as something is unflushed because of it.
  private(set) var failedFlusher: ObjectIdentifier?
  private var numbers: Set<UInt64> = []
  /// The process that has locked the folder.
  var folderHolder: Int?
  /// The successive contents of the file.
  private(set) var history: [Content] = [[:]]
  /// Which of these programs wrote that do not flush.
  private var unsafe: Set<Int> = []
  /// Whether the folder exists.
  var hasFolder = true
  /// When the file went missing; nil if it exists or never did.
  private(set) var missingSince: Duration?
  /// The copies of the last good contents, by process.
  private(set) var copies: [Int: Inode] = [:]
  /// The first of these that a crash may bring back.
  private(set) var firstDurable = 0
  /// Called after each change of the file.
  var onChange: () -> Void = {}

  /// The content of the file now.
  var content: Content { history.last! }
  var position: Int { history.count - 1 }
  var exists: Bool { names[Self.file] != nil }

  /// Instants are counted from here in all machines.
  static let origin = ContinuousClock.now + .seconds(3600)
  var instant: ContinuousClock.Instant { Self.origin + now }

  func pass(_ time: Duration) {
    now += time
    wall += Int64(time / .nanoseconds(1))
  }

  func setClock(forward seconds: Int) { wall += Int64(seconds) * 1_000_000_000 }

  /// Nothing older than the present content may come back after a crash.
  func acknowledge(_ position: Int) { firstDurable = max(firstDurable, position) }

  // MARK: Files

  private var timestamp: Int64 { wall / resolution * resolution }
  /// The clock of the kernel, which ticks every four milliseconds.
  private var coarseClock: Int64 { wall / 4_000_000 * 4_000_000 }

  func identity(of inode: Inode) -> FileIdentity {
    var information = stat()
    information.st_dev = 1
    information.st_ino = UInt(inode.number)
    information.st_size = inode.data.count
    information.st_mode = S_IFREG | 0o600
    information.st_mtim = timespec(
      tv_sec: Int(inode.modified / 1_000_000_000), tv_nsec: Int(inode.modified % 1_000_000_000))
    information.st_ctim = timespec(
      tv_sec: Int(inode.changed / 1_000_000_000), tv_nsec: Int(inode.changed % 1_000_000_000))
    return FileIdentity(information, clock: coarseClock)
  }

  /// The identity of the file; nil if there is none.
  var identity: FileIdentity? { names[Self.file].map(identity(of:)) }

  /// Reads the file unless it still holds a known version, by the rules of ``AtomicFile``.
  ///
  /// - Parameters:
  ///   - clock: What the process knows of the clock.
  ///   - look: The identity that the file had earlier, if that is used.
  func read(
    since known: FileVersion?, comparesBytes: Bool = true, _ clock: FileClock,
    look: FileIdentity? = nil
  ) -> ConditionalRead {
    let isRacy =
      known.map { $0.identity.isRacy || $0.identity.changed <= clock.repeatsUntil } ?? false
    guard let inode = names[Self.file] else {
      if let known, let look, look == known.identity, !isRacy || !comparesBytes {
        return .unchanged(known)
      }
      return .missing
    }
    let contents = FileContents(data: inode.data, identity: identity(of: inode))
    guard let known else { return .contents(contents) }
    var present = look ?? contents.identity
    if present == known.identity, !isRacy || !comparesBytes {
      present.isRacy = isRacy
      return .unchanged(FileVersion(identity: present, fingerprint: known.fingerprint))
    }
    if let fingerprint = known.fingerprint, present.size == known.identity.size,
      contents.version.fingerprint == fingerprint
    {
      return .unchanged(contents.version)
    }
    return .contents(contents)
  }

  /// Whether the file holds a version, nil for none.
  func holds(_ expected: FileVersion?, _ clock: FileClock) -> Bool {
    guard let expected else { return !exists }
    let present = read(since: expected, comparesBytes: expected.fingerprint != nil, clock)
    guard case .unchanged(let version) = present else { return false }
    return version.identity == expected.identity
  }

  /// The lowest number that is free, as file systems choose it.
  private func makeInode(_ data: Data) -> Inode {
    var number: UInt64 = 1
    while numbers.contains(number) { number += 1 }
    numbers.insert(number)
    return Inode(number, data, at: timestamp)
  }

  private func release(_ inode: Inode?) {
    guard let inode, !names.values.contains(where: { $0 === inode }) else { return }
    // Its number is free once no process has it open; locks keep theirs open.
    if inode.holder == nil { numbers.remove(inode.number) }
  }

  func create(_ name: String, _ data: Data) {
    let inode = makeInode(data)
    names[name] = inode
    unflushed.append(.set(name, inode))
  }

  func flush(_ name: String) {
    if let inode = names[name], !inode.isUnflushable { inode.durable = inode.data }
  }

  func flushFolder() {
    let flushed = unflushed.dropFirst(unflushableCount)
    for change in flushed { Self.apply(change, to: &durableNames) }
    let flushedNames = Set(flushed.flatMap(\.names))
    unflushed = unflushed.prefix(unflushableCount)
      .filter { flushedNames.isDisjoint(with: $0.names) }
    unflushableCount = unflushed.count
    if unflushed.isEmpty, names[Self.file]?.isUnflushable != true { failedFlusher = nil }
  }

  /// A flush of the file and the folder has failed, which the system tells one process alone.
  func failFlush(of process: SimulatedProcess) {
    failedFlusher = ObjectIdentifier(process)
    if let inode = names[Self.file], inode.durable != inode.data { inode.isUnflushable = true }
    unflushableCount = unflushed.count
  }

  private static func apply(_ change: Renaming, to names: inout [String: Inode]) {
    switch change {
    case .set(let name, let inode): names[name] = inode
    case .remove(let name): names[name] = nil
    case .rename(let name, let newName, let inode):
      names[name] = nil
      names[newName] = inode
    }
  }

  func remove(_ name: String) {
    let old = names.removeValue(forKey: name)
    unflushed.append(.remove(name))
    release(old)
    if name == Self.file { noteChange() }
  }

  func rename(_ name: String, to newName: String) {
    guard let inode = names.removeValue(forKey: name) else { return }
    let old = names.updateValue(inode, forKey: newName)
    inode.changed = timestamp
    // One operation, which a crash undoes as a whole.
    unflushed.append(.rename(name, to: newName, inode))
    release(old)
    if newName == Self.file || name == Self.file { noteChange() }
  }

  /// Writes into the file, as programs do that do not replace it.
  func overwrite(_ data: Data) {
    guard let inode = names[Self.file] else { return replaceUnsafely(data) }
    inode.data = data
    inode.durable = nil
    (inode.modified, inode.changed) = (timestamp, timestamp)
    noteChange()
    unsafe.insert(position)
  }

  /// Replaces the file as a program does that takes no lock and flushes nothing.
  func replaceUnsafely(_ data: Data) {
    create("foreign", data)
    rename("foreign", to: Self.file)
    unsafe.insert(position)
  }

  private func noteChange() {
    missingSince = exists ? nil : missingSince ?? now
    history.append(names[Self.file].map { Self.content(of: $0.data) } ?? [:])
    onChange()
  }

  func setCopy(of process: Int, _ data: Data) { copies[process] = makeInode(data) }

  static func content(of data: Data) -> Content {
    guard let document = try? Plist.read(data), case .dictionary(let values) = document.value
    else { return nil }
    var result: [String: Int] = [:]
    for case (let key, .integer(let number)) in values { result[key] = Int(number) }
    return result
  }

  static func data(_ content: [String: Int]) -> Data {
    var values = PlistDictionary()
    for key in content.keys.sorted() { values[key] = .integer(Int64(content[key]!)) }
    return (try? Plist.write(.dictionary(values), as: .xml)) ?? Data()
  }

  // MARK: Locks

  private func makeLockFile() -> Inode {
    if let inode = names[Self.lockFile] { return inode }
    let inode = makeInode(Data())
    names[Self.lockFile] = inode
    return inode
  }

  var hasLockFile: Bool { names[Self.lockFile] != nil }

  /// Whether a process may have the lock now.
  var isLockFree: Bool { names[Self.lockFile]?.holder == nil }

  /// Takes the lock, which must be free.
  func lock(_ process: Int) -> Inode {
    let inode = makeLockFile()
    inode.holder = process
    return inode
  }

  func isCurrent(_ lock: Inode) -> Bool { names[Self.lockFile] === lock }

  func unlock(_ lock: Inode) {
    lock.holder = nil
    release(lock)
  }

  /// Removes the lock file, as a user might.
  func removeLockFile() {
    let old = names.removeValue(forKey: Self.lockFile)
    release(old)
  }

  // MARK: Crashes

  /// Loses what was not flushed, as far as the choices say, and all locks.
  func crash(_ choices: inout Choices) throws(Violation) {
    var left = durableNames
    for change in unflushed where choices.next() { Self.apply(change, to: &left) }
    names = left
    for inode in left.values {
      if let durable = inode.durable {
        inode.data = durable
      } else if !choices.next() {
        inode.data = choices.next() ? inode.data.prefix(inode.data.count / 2) : Data()
      }
      inode.durable = inode.data
      inode.isUnflushable = false
      inode.holder = nil
    }
    numbers = Set(left.values.map(\.number))
    folderHolder = nil
    (durableNames, unflushed, unflushableCount, failedFlusher) = (names, [], 0, nil)
    let possible = history.indices.filter { $0 >= firstDurable }
    noteChange()
    let isKnown =
      content == nil
      ? possible.contains(where: unsafe.contains) : possible.contains { history[$0] == content }
    acknowledge(position)
    if content == nil { unsafe.insert(position) }
    guard isKnown else {
      throw Violation(
        "a crash loses nothing that was acknowledged",
        "\(Self.text(of: content)) is left of \(possible.map { Self.text(of: history[$0]) })")
    }
  }

  static func text(of content: Content) -> String {
    guard let content else { return "garbage" }
    return "[" + content.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
      + "]"
  }

  /// Answers to yes-or-no questions; no when they are used up.
  struct Choices {
    var bits: UInt64

    mutating func next() -> Bool {
      defer { bits >>= 1 }
      return bits & 1 == 1
    }
  }
}

/// A broken invariant.
struct Violation: Error {
  let invariant: String
  let details: String

  init(_ invariant: String, _ details: String) {
    self.invariant = invariant
    self.details = details
  }
}
