#if Etcd
  import Foundation

  /// One machine of a fleet: `FleetTestProgram <name>=<value> ...` keeps keys of a store in sync
  /// through a cluster of etcd, and executes the lines of its standard input until it ends.
  ///
  /// It prints each value that the store has, in the order of an observer, as `observed <time> <key>
  /// <value>`. The time is the machine's monotonic clock, in nanoseconds.
  @main
  struct Main {
    static func main() throws {
      let machine = try Machine(Settings(CommandLine.arguments.dropFirst()))
      while let line = readLine() { try machine.execute(line) }
      machine.end()
    }
  }
#else
  @main
  struct Main {
    static func main() {
      print("This program needs the trait Etcd.")
    }
  }
#endif
