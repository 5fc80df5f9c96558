#if Etcd
  internal import CCurl
  internal import FoundationEssentials

  /// A request that libcurl runs. It is used on the thread of its session only.
  final class CurlTransfer {
    private let easy: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    private let request: HTTPRequest
    private let exchange: HTTPExchange
    /// When the transfer fails if it has not ended by then or, for a stream, has not begun; nil for
    /// never.
    private(set) var deadline: ContinuousClock.Instant?
    /// Whether bytes of the answer have arrived.
    private var hasBegun = false

    /// Prepares a request; nil if libcurl refuses it.
    init?(_ request: HTTPRequest, _ exchange: HTTPExchange) {
      guard let easy = curl_easy_init() else { return nil }
      self.easy = easy
      self.request = request
      self.exchange = exchange
      errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
      errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      deadline = .now + request.timeout
      guard setOptions() else { return nil }
    }

    deinit {
      curl_easy_cleanup(easy)
      curl_slist_free_all(headers)
      errorText.deallocate()
    }

    func uses(_ handle: UnsafeMutableRawPointer) -> Bool { easy == handle }

    func isOverdue(at now: ContinuousClock.Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    // MARK: Options

    private func setOptions() -> Bool {
      _ = larder_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      headers = curl_slist_append(nil, "Content-Type: application/json")
      // Without this header, libcurl waits before it sends a large body.
      headers = curl_slist_append(headers, "Expect:")
      if let token = request.token {
        headers = curl_slist_append(headers, "Authorization: \(token)")
      }
      if request.isStream {
        // A member that loses the others ends the stream, after a few seconds.
        headers = curl_slist_append(headers, "Grpc-Metadata-hasleader: true")
        // With TLS; without it, or where libcurl lacks HTTP/2, HTTP/1.1.
        _ = larder_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      }
      let milliseconds = Int(request.connectTimeout / .milliseconds(1))
      let longs: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0),
        (CURLOPT_CONNECTTIMEOUT_MS, max(milliseconds, 1)),
        (CURLOPT_HTTP09_ALLOWED, 0),
        // Over HTTP/2, a connection that forwards nothing would be used again.
        (CURLOPT_FRESH_CONNECT, request.isStream ? 1 : 0),
        (CURLOPT_FORBID_REUSE, request.isStream ? 1 : 0),
        (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
        // A name server that does not respond would block the thread, and so all other requests.
        (CURLOPT_QUICK_EXIT, 1),
        // A host that disappears.
        (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_TCP_KEEPIDLE, 10), (CURLOPT_TCP_KEEPINTVL, 3),
      ]
      let texts: [(CURLoption, String)] = [
        (CURLOPT_URL, request.endpoint.description + request.path),
        (CURLOPT_PROTOCOLS_STR, "http,https"),
        // No proxy from the environment.
        (CURLOPT_PROXY, ""),
      ]
      let isSet =
        longs.allSatisfy { larder_curl_set_long(easy, $0, $1) == CURLE_OK }
        && texts.allSatisfy { larder_curl_set_text(easy, $0, $1) == CURLE_OK }
        && larder_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK
        && larder_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
        && larder_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(request.body.count))
          == CURLE_OK
        && request.body.withUnsafeBytes({ bytes in
          larder_curl_set_pointer(
            easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            == CURLE_OK
        })
        && larder_curl_set_writer(easy, Self.writer, Unmanaged.passUnretained(self).toOpaque())
          == CURLE_OK
      return isSet && (!request.endpoint.isEncrypted || setCertificates())
    }

    private func setCertificates() -> Bool {
      let certificates = request.certificates
      if certificates.authority != nil,
        // Otherwise the authorities that the system trusts would also be accepted.
        larder_curl_set_text(easy, CURLOPT_CAPATH, nil) != CURLE_OK
      {
        return false
      }
      return [
        (CURLOPT_CAINFO_BLOB, certificates.authority),
        (CURLOPT_SSLCERT_BLOB, certificates.certificate),
        (CURLOPT_SSLKEY_BLOB, certificates.privateKey),
      ].allSatisfy { option, data in
        data.map { data in
          data.withUnsafeBytes {
            larder_curl_set_bytes(easy, option, $0.baseAddress, $0.count) == CURLE_OK
          }
        } ?? true
      }
    }

    // MARK: Running

    func begin(_ multi: UnsafeMutableRawPointer) {
      curl_multi_add_handle(multi, easy)
    }

    /// Goes on after a pause.
    func resume() { curl_easy_pause(easy, CURLPAUSE_CONT) }

    private static let writer: larder_curl_writer = { bytes, size, count, context in
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue()
      let received = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return transfer.receive(received) ? size * count : larder_curl_pause
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      if !hasBegun {
        hasBegun = true
        var version = 0
        _ = larder_curl_get_long(easy, CURLINFO_HTTP_VERSION, &version)
        exchange.begin(at: date, isMultiplexed: version > Int(CURL_HTTP_VERSION_1_1))
        deadline = request.isStream ? nil : .now + request.timeout * 10
      }
      return exchange.receive(bytes, status: status)
    }

    private var status: Int {
      var status = 0
      return larder_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0
    }

    /// The time in the header of the answer, in whole seconds.
    private var date: Date? {
      var header: UnsafeMutablePointer<curl_header>?
      let origin = UInt32(CURLH_HEADER)
      guard curl_easy_header(easy, "Date", 0, origin, -1, &header) == CURLHE_OK,
        let text = header?.pointee.value
      else { return nil }
      let seconds = curl_getdate(text, nil)
      return seconds < 0 ? nil : Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    /// Ends the exchange as libcurl reports it.
    func finish(_ code: CURLcode, _ multi: UnsafeMutableRawPointer) {
      end(failure(code).map { .failure($0) } ?? .success(()), multi)
    }

    func end(_ end: Result<Void, HTTPFailure>, _ multi: UnsafeMutableRawPointer) {
      let status = status
      curl_multi_remove_handle(multi, easy)
      exchange.end(end, status: status)
    }

    /// The failure for an error code of libcurl; nil for success.
    private func failure(_ code: CURLcode) -> HTTPFailure? {
      let text = String(cString: errorText)
      let reason = PrintableText.make(
        text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
      switch code {
      case CURLE_OK: return nil
      // The only timeout that libcurl enforces is the connection's.
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT:
        return .noConnection(reason: reason)
      // The server does not speak TLS, or ends the connection before it does.
      case CURLE_SSL_CONNECT_ERROR where reason.contains("wrong version number"): return .notHTTP
      case CURLE_SSL_CONNECT_ERROR
      where ["SYSCALL", "eof", "Recv failure", "Send failure"].contains { reason.contains($0) }:
        let isNamed = reason.contains("SSL_connect")
        return .noConnection(reason: isNamed ? reason : "SSL_connect: \(reason)")
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
        CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CIPHER:
        return .certificate(reason: reason)
      case CURLE_PARTIAL_FILE: return .truncated
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .notHTTP
      // A server that wants another certificate says so when the first request is read.
      case CURLE_RECV_ERROR where reason.contains("alert"): return .certificate(reason: reason)
      case CURLE_RECV_ERROR where status != 0: return .truncated
      default: return .connectionLost(reason: reason)
      }
    }
  }
#endif
