import Glibc
import MapState

/// Lines on standard error: everything that is not the answer.
enum StandardError {
  /// One line.
  static func write(_ line: String, terminator: String = "\n") {
    // Standard error takes bytes of a string as they are; nothing can be done when it is closed.
    try? FileAccess.write(Array((line + terminator).utf8), descriptor: STDERR_FILENO, path: "standard error")
  }

  /// The error's line, what shows its place, and the end of the process with its code.
  static func fail(_ error: MapError) -> Never {
    write("error: \(error)")
    if let detail = error.detail { write(detail) }
    Glibc.exit(error.kind.exitCode)
  }

  /// A warning line.
  static func warn(_ message: some CustomStringConvertible) { write("warning: \(message)") }
}

/// The answer on standard output.
enum StandardOutput {
  /// Writes text as it is, at once.
  ///
  /// - Throws: `MapError` when the reader has gone or the disc is full.
  static func write(_ text: String) throws(MapError) {
    do {
      try FileAccess.write(Array(text.utf8), descriptor: STDOUT_FILENO, path: "standard output")
    } catch {
      throw MapError(error)
    }
  }
}
