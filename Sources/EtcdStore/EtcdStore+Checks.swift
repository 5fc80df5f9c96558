extension EtcdStore.Options {
  /// Checks everything but the contents of files.
  ///
  /// - Throws: ``EtcdError`` if the options do not describe a cluster.
  package func check() throws(EtcdError) { _ = try checkedEndpoints() }

  /// The endpoints on other hosts whose connections are not encrypted.
  package var plainEndpoints: [String] {
    endpoints.compactMap(Endpoint.init).filter { !$0.isEncrypted && !$0.isLoopback }
      .map(\.description)
  }

  /// The files with certificates and the password.
  package var files: [(path: String, protection: ProtectedFile.Protection)] {
    let files: [(path: String?, protection: ProtectedFile.Protection)] = [
      (certificateAuthorityFile, .published), (clientCertificate?.file, .published),
      (clientCertificate?.privateKeyFile, .secret), (user?.passwordFile, .secret),
    ]
    return files.compactMap { path, protection in path.map { ($0, protection) } }
  }

  /// Reads the files with certificates and the password, and returns their errors.
  package var fileProblems: [EtcdError] {
    files.compactMap { path, protection in
      do throws(EtcdError) {
        _ = try ProtectedFile.read(path, protection)
        return nil
      } catch {
        return error
      }
    }
  }

  /// The endpoints, once all options have been checked.
  func checkedEndpoints() throws(EtcdError) -> [Endpoint] {
    if endpoints.isEmpty { throw invalid("there are no endpoints") }
    var result: [Endpoint] = []
    for (number, text) in endpoints.enumerated() {
      guard let endpoint = Endpoint(text) else {
        // The text may contain a password.
        throw invalid(
          """
          endpoint \(number + 1) is not an address; expected one such as \
          https://etcd.example.org:2379, without a path and without a user
          """)
      }
      if !endpoint.isEncrypted {
        if certificateAuthorityFile != nil || clientCertificate != nil {
          throw invalid("\(endpoint): certificates need https")
        }
        if user != nil, !endpoint.isLoopback {
          throw invalid("\(endpoint): a password needs https, except for this machine itself")
        }
      }
      if !result.contains(endpoint) { result.append(endpoint) }
    }
    let times = [connectTimeout, requestTimeout, keepAliveInterval]
    guard times.allSatisfy({ $0 > .zero && $0 <= .seconds(3600) }),
      resumeTimeout >= .zero, resumeTimeout <= .seconds(3600)
    else { throw invalid("a time is out of range; expected more than 0 and at most one hour") }
    guard largestAnswer > 0, largestStore > 0 else {
      throw invalid("a limit is out of range; expected more than 0 bytes")
    }
    return result
  }

  private func invalid(_ reason: String) -> EtcdError { EtcdError(.invalidOptions(reason: reason)) }
}
