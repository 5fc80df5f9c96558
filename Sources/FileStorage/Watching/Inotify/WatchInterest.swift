/// What a path needs to be told of: a name in a watched folder, or, without one, the folder itself.
struct WatchInterest: Hashable {
  var watch: Int32
  var name: PathBytes
}
