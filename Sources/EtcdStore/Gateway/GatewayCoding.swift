internal import FoundationEssentials

/// The JSON of etcd's gateway.
enum GatewayCoding {
  static func data(of request: some Encodable) throws(EtcdError) -> Data {
    do {
      return try JSONEncoder().encode(request)
    } catch {
      throw EtcdError(.refused(reason: "the request cannot be written"))
    }
  }

  /// More values than etcd puts into an answer, as far as the bytes tell. Reading many small ones takes up
  /// to fifty times as much memory as the answer.
  private static let largestCount = 1_000_000

  /// Decodes an answer; nil if it is not an etcd response.
  static func answer<Answer: Decodable>(_ data: Data, as type: Answer.Type = Answer.self) -> Answer?
  {
    // Something else than an object, as HTML is.
    guard data.first(where: { !($0 == 0x20 || 0x09...0x0D ~= $0) }) == UInt8(ascii: "{") else {
      return nil
    }
    // Each value has one of these before it, and a string of base64 has none.
    let count = data.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ":") }
    return count <= largestCount ? try? JSONDecoder().decode(type, from: data) : nil
  }

  /// The failure that an answer with another status than 200 reports.
  static func failure(_ data: Data, status: Int, at endpoint: Endpoint) -> any Error {
    guard let answer = Self.answer(data, as: ErrorAnswer.self) else {
      if status == 400, String(decoding: data, as: UTF8.self).hasPrefix("CommonName of client") {
        return EtcdError(.namedCertificate, at: endpoint)
      }
      return EtcdError(.notEtcd(status: status), at: endpoint)
    }
    return answer.reported
  }
}
