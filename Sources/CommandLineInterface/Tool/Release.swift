/// The release of Larder that the tools belong to.
package enum Release {
  /// The version of all tools.
  package static let version = "0.1.0"
}
