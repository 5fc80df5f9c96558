internal import FoundationEssentials

/// The contents of the certificate files of a connection, in PEM form.
struct Certificates: Sendable {
  /// The certificates of those who sign that of the server; nil for those that the system trusts.
  var authority: Data?
  /// The certificate of the client.
  var certificate: Data?
  /// Its private key.
  var privateKey: Data?

  /// Reads the files that options name.
  init(_ options: EtcdStore.Options) throws(EtcdError) {
    if let path = options.certificateAuthorityFile {
      authority = try CheckedFile.read(path, .published)
    }
    if let client = options.clientCertificate {
      certificate = try CheckedFile.read(client.file, .published)
      privateKey = try CheckedFile.read(client.privateKeyFile, .secret)
    }
  }
}
