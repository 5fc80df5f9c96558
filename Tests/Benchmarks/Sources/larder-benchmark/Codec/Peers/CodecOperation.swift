/// An operation that is measured for all peers.
enum CodecOperation: CaseIterable {
  case readXML, writeXML, readBinary, writeBinary

  var name: String {
    switch self {
    case .readXML: "read-xml"
    case .writeXML: "write-xml"
    case .readBinary: "read-binary"
    case .writeBinary: "write-binary"
    }
  }

  var title: String {
    switch self {
    case .readXML: "Reading XML"
    case .writeXML: "Writing XML"
    case .readBinary: "Reading binary"
    case .writeBinary: "Writing binary"
    }
  }

  var format: DocumentFormat {
    switch self {
    case .readXML, .writeXML: .xml
    case .readBinary, .writeBinary: .binary
    }
  }

  var isReading: Bool { self == .readXML || self == .readBinary }
}
