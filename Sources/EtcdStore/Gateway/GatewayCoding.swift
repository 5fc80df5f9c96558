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

  /// Decodes an answer; nil if it is none of etcd's.
  static func answer<Answer: Decodable>(_ data: Data, as type: Answer.Type = Answer.self) -> Answer?
  {
    // Something else than an object, as HTML is.
    guard data.first(where: { !($0 == 0x20 || 0x09...0x0D ~= $0) }) == UInt8(ascii: "{") else {
      return nil
    }
    return try? JSONDecoder().decode(type, from: data)
  }

  /// The failure that an answer with another status than 200 reports.
  static func failure(_ data: Data, status: Int, at endpoint: Endpoint) -> any Error {
    guard let answer = Self.answer(data, as: ErrorAnswer.self) else {
      return EtcdError(.notEtcd(status: status), at: endpoint)
    }
    return answer.reported
  }
}
