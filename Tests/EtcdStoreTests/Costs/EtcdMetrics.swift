#if Etcd
  import Foundation
  import Testing

  /// The metrics of a member of a cluster.
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
    /// The number of files and connections that are open.
    var descriptorCount: Double { get throws { try self["process_open_fds"] } }
    /// The number of streams of changes.
    var streamCount: Double { get throws { try self["etcd_debugging_mvcc_watch_stream_total"] } }
    /// The number of streams of changes that there have been.
    var startedStreamCount: Double {
      values[
        #"grpc_server_started_total{grpc_method="Watch",grpc_service="etcdserverpb.Watch","#
          + #"grpc_type="bidi_stream"}"#] ?? 0
    }
    /// The number of parts that are watched in them.
    var watcherCount: Double { get throws { try self["etcd_debugging_mvcc_watcher_total"] } }
    /// The number of transactions, as checks are.
    var transactionCount: Double {
      values[
        #"grpc_server_handled_total{grpc_code="OK",grpc_method="Txn",grpc_service="etcdserverpb.KV","#
          + #"grpc_type="unary"}"#] ?? 0
    }
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
