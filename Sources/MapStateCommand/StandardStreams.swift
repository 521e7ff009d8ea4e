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
    report(error)
    Glibc.exit(error.kind.exitCode)
  }

  /// The error's one line and, where there is one, the picture of its place; `place` tells which step of which script.
  static func report(_ error: MapError, at place: String? = nil) {
    write("error: \(place.map { "\($0): " } ?? "")\(oneLine(error.description))")
    if let detail = error.detail { write(detail) }
  }

  /// A warning line.
  static func warn(_ message: some CustomStringConvertible) { write("warning: \(oneLine("\(message)"))") }

  /// What a file or a user wrote may hold line breaks and controls; a line of ours does not.
  private static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

/// The answer on standard output.
enum StandardOutput {
  /// Writes text as it is, at once.
  ///
  /// - Throws: `MapError` when the reader has gone or the disc is full.
  static func write(_ text: String) throws(MapError) { try write(Array(text.utf8)) }

  /// Writes bytes as they are, at once.
  ///
  /// - Throws: `MapError` when the reader has gone or the disc is full.
  static func write(_ bytes: [UInt8]) throws(MapError) {
    do {
      try FileAccess.write(bytes, descriptor: STDOUT_FILENO, path: "standard output")
    } catch {
      throw MapError(error)
    }
  }
}
