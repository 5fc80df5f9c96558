#if Etcd
  import Foundation

  /// The measured figures with their targets. They are printed, and added to the file that the
  /// environment names.
  enum Figures {
    static func report(_ subject: String, target: String, _ figure: String) {
      print("\(subject): \(figure) (target \(target))")
      guard let path = ProcessInfo.processInfo.environment["LARDER_SYNC_FIGURES"],
        let file = fopen(path, "a")
      else { return }
      fputs("\(subject)\t\(target)\t\(figure)\n", file)
      fclose(file)
    }

    /// A time in the unit that suits it.
    static func text(_ duration: Duration) -> String {
      let seconds = duration / .seconds(1)
      return seconds < 1
        ? String(format: "%.0f ms", seconds * 1000) : String(format: "%.2f s", seconds)
    }
  }
#endif
