import Foundation

/// A codec in a process of this program, which measures itself.
struct CodecProcess: CodecPeer {
  let name: CodecPeerName
  private let conversation: Conversation

  /// Starts the process.
  init(_ name: CodecPeerName) throws {
    self.name = name
    conversation = try Conversation(
      name.rawValue, with: URL(fileURLWithPath: ChildProcess.thisProgram),
      ["codec-process", name.rawValue])
  }

  func timer(
    _ operation: CodecOperation, _ document: SampleDocument
  ) throws -> ((Int) throws -> Double)? {
    guard let codec = Self.codecs[name], codec.has(operation) else { return nil }
    return conversation.timer(operation, document)
  }

  private static let codecs: [CodecPeerName: any Codec.Type] = [
    .larder: LarderCodec.self, .larderStructs: LarderStructs.self,
    .foundation: FoundationCodec.self, .foundationStructs: FoundationStructs.self,
    .libplist: LibplistCodec.self, .emptySAX: EmptySAX.self, .objectHeaders: ObjectHeaders.self,
  ]

  // MARK: The process

  /// Answers the questions of a ``Conversation`` for the codec whose name is the argument. The document of
  /// the last question is kept.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard let name = arguments.first.flatMap(CodecPeerName.init(rawValue:)),
      let type = codecs[name]
    else { throw UsageError("codec-process needs the name of a codec") }
    let codec = try type.init()
    var kept: (question: [Substring], work: () throws -> Void)?
    while let line = readLine() {
      var question = line.split(separator: " ", maxSplits: 3)
      do {
        guard question.count == 4, let count = Int(question.remove(at: 2)),
          let operation = CodecOperation.allCases.first(where: {
            ($0.isReading ? "read" : "write") == question[0] && $0.format.rawValue == question[1]
          })
        else { throw BenchmarkError("that is no question") }
        if kept?.question != question {
          kept = nil
          let data = try Data(contentsOf: URL(fileURLWithPath: String(question[2])))
          kept = (question, try codec.work(operation, data))
        }
        let work = kept!.work
        print(Int(try Clock.processor.time { for _ in 0..<count { try work() } }))
      } catch {
        print("\(error)")
      }
      fflush(nil)
    }
    return 0
  }
}
