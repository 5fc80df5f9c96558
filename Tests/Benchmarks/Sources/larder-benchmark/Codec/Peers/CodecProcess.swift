import Foundation

/// A codec in a child process of this program, which measures itself.
struct CodecProcess: CodecPeer {
  let name: CodecPeerName
  private let client: LineClient

  /// Starts the process.
  init(_ name: CodecPeerName) throws {
    self.name = name
    client = try LineClient(
      name.rawValue, with: URL(fileURLWithPath: ChildProcess.thisProgram),
      ["codec-process", name.rawValue])
  }

  func timer(
    _ operation: CodecOperation, _ document: SampleDocument
  ) throws -> ((Int) throws -> Double)? {
    guard let codec = Self.codecs[name], codec.supports(operation) else { return nil }
    return client.timer(operation, document)
  }

  private static let codecs: [CodecPeerName: any Codec.Type] = [
    .larder: LarderCodec.self, .larderOrdered: LarderOrderedCodec.self,
    .larderStructs: LarderStructs.self, .larderStructsByHand: LarderStructsByHand.self,
    .foundation: FoundationCodec.self, .foundationStructs: FoundationStructs.self,
    .libplist: LibplistCodec.self, .emptySAX: EmptySAX.self, .swiftSAX: SwiftSAX.self,
  ]

  // MARK: Child process

  /// Serves the requests of a ``LineClient`` with the codec named by the argument. The document of
  /// the last request is retained.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard let name = arguments.first.flatMap(CodecPeerName.init(rawValue:)),
      let type = codecs[name]
    else { throw UsageError("codec-process requires the name of a codec") }
    let codec = try type.init()
    var prepared: (request: [Substring], work: () throws -> Void)?
    while let line = readLine() {
      var request = line.split(separator: " ", maxSplits: 3)
      do {
        guard request.count == 4, let count = Int(request.remove(at: 2)),
          let operation = CodecOperation.allCases.first(where: {
            ($0.isReading ? "read" : "write") == request[0] && $0.format.rawValue == request[1]
          })
        else { throw BenchmarkError("malformed request") }
        if prepared?.request != request {
          prepared = nil
          let data = try Data(contentsOf: URL(fileURLWithPath: String(request[2])))
          prepared = (request, try codec.work(operation, data))
        }
        let work = prepared!.work
        print(Int(try Clock.processor.time { for _ in 0..<count { try work() } }))
      } catch {
        print("\(error)")
      }
      fflush(nil)
    }
    return 0
  }
}
