/// The reason why a file was not updated: the file itself, or the closure that makes the change.
package enum UpdateError<Failure: Error>: Error {
  /// The file could not be read, locked or replaced.
  case file(FileSystemError)
  /// The closure threw this error.
  case body(Failure)
}

extension UpdateError {
  /// Returns the result of an operation on the file, or throws its error as ``file(_:)``.
  static func wrappingFileError<Success: ~Copyable>(
    _ operation: @autoclosure () throws(FileSystemError) -> Success
  ) throws(Self) -> Success {
    do throws(FileSystemError) {
      return try operation()
    } catch {
      throw .file(error)
    }
  }

  /// Returns the result of the closure, or throws its error as ``body(_:)``.
  static func wrappingBodyError<Success>(
    _ body: () throws(Failure) -> Success
  ) throws(Self) -> Success {
    do throws(Failure) {
      return try body()
    } catch {
      throw .body(error)
    }
  }
}

extension UpdateError: CustomStringConvertible {
  /// The text of the underlying error.
  package var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .body(let error): "\(error)"
    }
  }
}
