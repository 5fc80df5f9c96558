import Foundation
import FuzzTargets
import PropertyList
import TestSupport
import Testing

/// Random documents, written by one program and read by another.
@Suite("Random documents")
struct RandomDocumentTests {
  @Test("There are documents of all kinds, and large and small")
  func documents() {
    let texts = RandomDocuments.all.map { TypedText($0.value) }
    guard texts.count >= 200 else { return }
    let sizes = texts.map(\.lines.count)
    #expect(sizes.min() == 1)
    #expect((sizes.max() ?? 0) > 300)
    let kinds = Set(texts.flatMap(\.lines).map { $0.prefix { $0 != " " } })
    #expect(
      kinds.sorted() == [
        "array", "boolean", "data", "date", "dictionary", "integer", "key", "real", "string",
      ])
  }

  @Test("Python reads what we write", arguments: [PlistFormat.xml, .binary, .json])
  func plistlibReads(format: PlistFormat) throws {
    let documents = RandomDocuments.held(by: format)
    let folder = try TemporaryFolder()
    try write(documents, as: format, to: folder)
    try Plistlib.read(folder)
    check(documents) { document in
      try TypedText(contentsOf: folder.url("\(document.name).\(format).typed"))
        .difference(from: TypedText(document.value))
    }
  }

  @Test("We read what Python writes", arguments: [PlistFormat.xml, .binary, .json])
  func plistlibWrites(format: PlistFormat) throws {
    let documents =
      switch format {
      case .xml: RandomDocuments.without([.carriageReturns])
      case .binary: RandomDocuments.without([.negativeZeros])
      default: RandomDocuments.held(by: format)
      }
    let folder = try TemporaryFolder()
    for document in documents {
      try TypedText(document.value).data.write(to: folder.url("\(document.name).typed"))
    }
    try Plistlib.write(folder)
    check(documents) { document in
      try difference(of: folder.url("\(document.name).\(format)"), as: format, from: document)
    }
  }

  @Test(
    "The toolchain's plutil finds no fault with what we write",
    arguments: [PlistFormat.xml, .binary])
  func plutilLints(format: PlistFormat) throws {
    let documents = RandomDocuments.all
    let folder = try TemporaryFolder()
    try write(documents, as: format, to: folder)
    let files = documents.map { folder.url("\($0.name).\(format)").path }
    var said: Set<Substring> = []
    for files in files.chunks(of: 500) {
      let run = try Peer.plutil.get().run(["-lint"] + files)
      #expect(run.status == 0)
      #expect(run.error == "", "the files are named after the seeds")
      said.formUnion(String(decoding: run.output, as: UTF8.self).split(separator: "\n"))
    }
    let faulty = files.filter { !said.contains("\($0): OK") }
    #expect(faulty.prefix(5) == [], "the files are named after the seeds")
  }

  @Test(
    "The toolchain's plutil converts what we write, and we read the same value again",
    arguments: [PlistFormat.xml, .binary], [PlistFormat.xml, .binary])
  func plutilConverts(from source: PlistFormat, to target: PlistFormat) throws {
    var lost: Set<Feature> = [.equivalentKeys, .negativeZeros]
    if source == .xml { lost.insert(.leadingMarks) }
    let documents = RandomDocuments.without(lost)
    let folder = try TemporaryFolder()
    try write(documents, as: source, to: folder)
    try convert(documents, in: folder, from: source, to: target)
    check(documents) { document in
      try difference(of: folder.url("\(document.name).\(source)"), as: target, from: document)
    }
  }

  @Test("The XML of the toolchain's plutil is ours, byte for byte, but for the digits of reals")
  func sameXML() throws {
    let documents = RandomDocuments.without([.carriageReturns, .equivalentKeys, .negativeZeros])
    let folder = try TemporaryFolder()
    try write(documents, as: .binary, to: folder)
    try convert(documents, in: folder, from: .binary, to: .xml)
    check(documents) { document in
      let ours = try Plist.write(document.value, as: .xml).withAllDigitsOfReals
      let theirs = try Data(contentsOf: folder.url("\(document.name).binary"))
      return ours.difference(from: theirs)
    }
  }

  // MARK: Files

  private func write(
    _ documents: [RandomDocument], as format: PlistFormat, to folder: TemporaryFolder
  ) throws {
    for document in documents {
      do {
        var options = PlistWriteOptions()
        options.isPrettyPrinted = document.seed.isMultiple(of: 2)
        let data = try Plist.write(document.value, as: format, options: options)
        try data.write(to: folder.url("\(document.name).\(format)"))
      } catch {
        throw Failure(description: "\(document.repetition): \(error)")
      }
    }
  }

  private func convert(
    _ documents: [RandomDocument], in folder: TemporaryFolder, from source: PlistFormat,
    to target: PlistFormat
  ) throws {
    let files = documents.map { folder.url("\($0.name).\(source)").path }
    for files in files.chunks(of: 500) {
      let run = try Peer.plutil.get().run(["-convert", "\(target)1", "-s"] + files)
      #expect(run.status == 0)
      #expect(run.error == "", "the files are named after the seeds")
    }
  }

  /// What is wrong in a file that a peer wrote; nil if nothing is.
  private func difference(
    of file: URL, as format: PlistFormat, from document: RandomDocument
  ) throws -> String? {
    // A JSON document may be a string or number alone, which does not reveal its format.
    let data = try Data(contentsOf: file)
    let read = try Plist.read(data, as: format == .json ? .json : nil)
    if read.format != format { return "the format is \(read.format)" }
    if let warning = read.warnings.first { return "\(warning)" }
    return TypedText(read.value).difference(from: TypedText(document.value))
  }

  /// Records the documents with a difference, and the seeds that make them again.
  private func check(
    _ documents: [RandomDocument], difference: (RandomDocument) throws -> String?
  ) {
    var failures: [String] = []
    for document in documents {
      do {
        guard let difference = try difference(document) else { continue }
        failures.append("\(document.repetition): \(difference)")
      } catch {
        failures.append("\(document.repetition): \(error)")
      }
    }
    if !failures.isEmpty {
      let first = failures.prefix(5).joined(separator: "\n")
      Issue.record("\(failures.count) of \(documents.count) documents differ:\n\(first)")
    }
  }
}

extension Array {
  /// The elements in arrays of this size; the last may be shorter.
  fileprivate func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
