#if Etcd
  import Foundation
  import Testing

  /// What a member of a cluster says of itself at its address for metrics.
  struct EtcdMetrics {
    private let values: [String: Double]

    /// Reads the metrics at a port of this machine.
    init(port: Int) throws {
      let socket = try #require(TestSocket.connected(to: port))
      defer { close(socket) }
      #expect(TestSocket.write(Array("GET /metrics HTTP/1.0\r\n\r\n".utf8), to: socket))
      let text = String(decoding: TestSocket.readAll(from: socket), as: UTF8.self)
      var values: [String: Double] = [:]
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count == 2, let number = Double(words[1]) { values[String(words[0])] = number }
      }
      self.values = values
    }

    subscript(_ name: String) -> Double {
      get throws { try #require(values[name], "there is no metric \(name)") }
    }

    /// The memory of the process in bytes.
    var memory: Double { get throws { try self["process_resident_memory_bytes"] } }
    /// The processor time of the process in seconds.
    var processorTime: Double { get throws { try self["process_cpu_seconds_total"] } }
    /// The number of streams of changes.
    var streamCount: Double { get throws { try self["etcd_debugging_mvcc_watch_stream_total"] } }
    /// The number of reads of entries.
    var readCount: Double { get throws { try self["etcd_debugging_mvcc_range_total"] } }
    /// The size in bytes of the database, and of what is in use of it.
    var size: (file: Double, used: Double) {
      get throws {
        (
          try self["etcd_mvcc_db_total_size_in_bytes"],
          try self["etcd_mvcc_db_total_size_in_use_in_bytes"]
        )
      }
    }
  }
#endif
