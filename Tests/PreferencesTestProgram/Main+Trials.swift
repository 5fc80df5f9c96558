import Foundation
import Preferences
import PropertyList

extension Main {
  /// `use-everything <rounds>` opens, observes, changes, saves and releases stores in that many
  /// rounds. After each quarter it prints how many bytes of memory and descriptors are in use.
  func useEverything() throws {
    for _ in 0..<4 {
      for round in 0..<number(0) / 4 { try useEverything(round) }
      // Background threads release what they have used.
      usleep(200_000)
      try PreferencesStore.flushAll()
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      say("\(Self.allocatedBytes) \(descriptors)")
    }
  }

  /// The bytes that the program has allocated, without the allocator's free memory.
  private static var allocatedBytes: Int {
    // The structure of mallinfo2(3) has ten numbers; the eighth one counts what is in use.
    typealias Function = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer
    let function = unsafeBitCast(dlsym(nil, "mallinfo2"), to: Function.self)
    return withUnsafeTemporaryAllocation(byteCount: 80, alignment: 8) { bytes in
      _ = function(bytes.baseAddress!)
      return bytes.load(fromByteOffset: 7 * 8, as: Int.self)
    }
  }

  private func useEverything(_ round: Int) throws {
    var options = PreferencesStore.Options()
    options.arguments = ["program", "-argument", "1"]
    options.environment = EnvironmentOptions(prefix: "TRIAL_")
    options.usesPrivateRegistrationDomain = true
    options.check = { _ in }
    options.valueCheck = { _, value in if value == "bad" { throw PreferencesError.noUserFolder } }
    options.lastGoodFolder = path + "-copies"
    let store = PreferencesStore(fileAt: "\(path)-\(round % 8)", options: options)
    let other = PreferencesStore(fileAt: "\(path)-\((round + 1) % 8)")
    let events = PreferencesStore.onEvent { _ in }
    let observations = [
      store.observe("k") { _ in }, store.observeGroup(["k", "l"]) { _ in },
      other.observe("k") { _ in },
    ]
    store.register(defaults: ["k": 0, "default": .integer(Int64(round))])
    store.set(round, forKey: "k")
    store.set("bad", forKey: "l")
    try? store.setAny(["k": round, "l": "text \(round)"])
    try store.update { values in values["updated"] = .integer(Int64(round)) }
    _ = store.snapshot().plistRepresentation
    _ = store.origins(forKey: "k").map { "\($0)" }
    _ = try? store.value(UInt8.self, forKey: "l")
    // Throws because of the value that was refused, after it has saved the others.
    try? store.flush()
    other.set([PlistValue.integer(Int64(round))], forKey: "k")
    other.synchronize()
    other.removeAll()
    try other.flush()
    for observation in observations { observation.cancel() }
    events.cancel()
  }

  /// `round-trip-in-locale <locale>` makes a locale the process's, writes and reads values in all
  /// formats and layers, and prints what it has written and read.
  func roundTripInLocale() throws {
    guard setlocale(LC_ALL, arguments[0]) != nil else { Main.fail("no locale \(arguments[0])") }
    let values: PlistDictionary = [
      "I": 0.5, "i": .real(-1_234_567.891), "ı": .float(1.5e-7), "İ": .real(1e300), "n": 1_234_567,
      "d": .date(Date(timeIntervalSinceReferenceDate: 12_345)), "t": "1,5 und 1.5",
    ]
    for format in [PlistFormat.xml, .json] {
      var written = values
      if format != .xml { written["d"] = nil }
      let data = try Plist.write(.dictionary(written), as: format)
      print(String(decoding: data, as: UTF8.self))
      print(try Plist.read(data).value)
    }
    store.set(values)
    try store.flush()
    print(try Plist.read(Data(contentsOf: URL(filePath: path))).value == .dictionary(values))
    print(store.string(forKey: "I") ?? "none", store.double(forKey: "t"))
    var options = PreferencesStore.Options()
    options.argumentsAfterName = ["-size", "2.5", "-list", "(1.5, \"2,5\")"]
    options.environment = EnvironmentOptions(prefix: "APP_")
    options.environment?.variables = ["APP_INIT_SIZE": "3.5"]
    let other = PreferencesStore.inMemory(options: options)
    other.register(defaults: ["initSize": 0.5])
    print(other.double(forKey: "size"), other.array(forKey: "list") ?? [])
    print(other.double(forKey: "initSize"))
    print(try other.value(Double.self, forKey: "size"))
    do { _ = try Plist.read(Data("{ a = \"1; }".utf8)) } catch { print(error) }
  }
}
