internal import FoundationEssentials

/// The contents of the certificate files of a connection, in PEM form.
struct Certificates: Sendable {
  /// The certificates of the authorities that sign the server's; nil for the system's authorities.
  var authority: Data?
  /// The certificate of the client.
  var certificate: Data?
  var privateKey: Data?

  /// Reads the files that options name.
  init(_ options: EtcdStore.Options) throws(EtcdError) {
    if let path = options.certificateAuthorityFile {
      authority = try ProtectedFile.read(path, .published)
    }
    if let client = options.clientCertificate {
      certificate = try ProtectedFile.read(client.file, .published)
      privateKey = try ProtectedFile.read(client.privateKeyFile, .secret)
    }
  }
}
