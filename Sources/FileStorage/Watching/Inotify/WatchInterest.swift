/// A source of events that a file needs: a name in a watched folder, or with an empty name the
/// folder itself.
struct WatchInterest: Hashable {
  var watch: Int32
  var name: PathBytes
}
