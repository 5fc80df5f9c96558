internal import FoundationEssentials

/// The JSON of etcd's gateway.
enum GatewayCoding {
  static func data(of request: some Encodable) throws(EtcdError) -> Data {
    do {
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      return try encoder.encode(request)
    } catch {
      throw EtcdError(.refused(reason: "the request cannot be written"))
    }
  }

  /// More values than etcd puts into a response, estimated from the bytes. Reading many small ones
  /// takes up to fifty times as much memory as the response.
  private static let largestCount = 1_000_000

  /// Decodes an answer; nil if it is not an etcd response.
  static func answer<Answer: Decodable>(_ data: Data, as type: Answer.Type = Answer.self) -> Answer?
  {
    // Anything but an object, such as HTML.
    guard data.first(where: { !($0 == 0x20 || 0x09...0x0D ~= $0) }) == UInt8(ascii: "{") else {
      return nil
    }
    // Each value has one of these before it, and a string of base64 has none.
    let count = data.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ":") }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return count <= largestCount ? try? decoder.decode(type, from: data) : nil
  }

  /// The failure that an answer with another status than 200 reports.
  static func failure(_ data: Data, status: Int, at endpoint: Endpoint) -> any Error {
    // A stream that fails before its first line answers with a line of its failure.
    let line = Self.answer(data, as: WatchAnswer.self)?.error
    guard let answer = line ?? Self.answer(data, as: FailureAnswer.self) else {
      if status == 400, String(decoding: data, as: UTF8.self).hasPrefix("CommonName of client") {
        return EtcdError(.namedCertificate, at: endpoint)
      }
      return EtcdError(.notEtcd(status: status), at: endpoint)
    }
    return answer.reported
  }
}
