/// Returns the text of the error that a call throws; nil if it throws none.
package func errorText(_ call: () throws -> Void) -> String? {
  do {
    try call()
    return nil
  } catch {
    return "\(error)"
  }
}
