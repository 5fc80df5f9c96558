import Foundation
import Preferences
import PropertyList

/// Measures committing one changed key to disk, compared with the system calls alone and
/// Foundation.
enum CommitMeasurements {
  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    for count in [40, 1_000, 100_000] {
      for format in [PlistFormat.xml, .binary] {
        try measure(count, format, workspace, &findings)
      }
    }
  }

  private static func measure(
    _ count: Int, _ format: PlistFormat, _ workspace: StoreWorkspace, _ findings: inout Findings
  ) throws {
    Terminal.show("commit, \(count) keys, \(format)")
    let isLarge = count == 100_000
    let rounds = isLarge ? (workspace.isQuick ? 1 : 9) : (workspace.isQuick ? 5 : 101)
    let sample = SampleDomain(count: count)
    let bytes = try Plist.write(.dictionary(sample.values), as: format)
    // In the order of the file, as in the store.
    let values = try Plist.read(bytes).value
    let name = "org.example.commit-\(count)-\(format)"
    for domain in ["\(name).larder", "\(name).foundation"] {
      try workspace.write(sample.values, to: domain, as: format)
    }
    let larder = try workspace.larder("\(name).larder")
    let foundation = try StoreWorkspace.foundation("\(name).foundation")
    try larder.check(sample)
    try foundation.check(sample)
    let file = try RawFile(
      "\(name).floor.plist", in: StoreWorkspace.locations(in: workspace.folder).user)

    let key = SampleDomain.Kind.integer.fixedKey
    var larderNumber = 2_000_000
    var foundationNumber = 2_000_000
    var contenders = [
      Contender.once("Larder") {
        larderNumber += 1
        larder.set(larderNumber, forKey: key)
        try larder.flush()
      },
      .once("system calls") { try file.replace(with: bytes) },
    ]
    if isLarge {
      contenders.append(
        .once("writing bytes, system calls") {
          try file.replace(with: Plist.write(values, as: format))
        })
    }
    // Foundation always writes XML, and is slow for large files.
    if !isLarge || format == .xml {
      contenders.append(
        .once("Foundation") {
          foundationNumber += 1
          foundation.set(foundationNumber, forKey: key)
          guard foundation.synchronize() else { throw BenchmarkError("Foundation cannot save") }
        })
    }
    // Foundation lets the kernel decide when its file reaches the disk.
    let isSmall = count == 40 && format == .xml
    let foundationPath = workspace.path(of: "\(name).foundation")
    if isSmall {
      contenders.append(
        .once("Foundation, fsync") {
          foundationNumber += 1
          foundation.set(foundationNumber, forKey: key)
          guard foundation.synchronize() else { throw BenchmarkError("Foundation cannot save") }
          try RawFile.sync(foundationPath)
        })
    }
    let timings = try takeTimes(of: contenders, rounds: rounds)

    let saved = try workspace.savedValues(of: larder.domain)
    try ensure(
      saved[key] == .integer(Int64(larderNumber)) && saved.count == count,
      "Larder has not committed the value")
    findings.addComparison("\(count) keys, \(format)", timings) {
      switch $0.name {
      case "system calls": isLarge ? nil : .atMost(count == 40 ? 1.2 : 1.3)
      case "writing bytes, system calls": .atMost(format == .xml ? 1.2 : 1.1)
      case "Foundation, fsync": .atMost(0.95)
      default: nil
      }
    } isLimit: {
      $0.name != "Foundation"
    }
  }
}
