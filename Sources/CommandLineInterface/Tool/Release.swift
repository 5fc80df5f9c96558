/// This release of Larder.
package enum Release {
  /// Its version, of which all tools are.
  package static let version = "0.1.0"
}
