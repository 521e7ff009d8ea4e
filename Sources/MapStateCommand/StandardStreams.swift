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

  /// Writes the error as JSON where JSON was asked for, else as a line and the text with a caret under the fault.
  ///
  /// - Parameter place: the step of a script at which it came up.
  static func report(_ error: MapError, at place: String? = nil) {
    guard !answersInJSON else { return write(error.json.text()) }
    write("error: \(place.map { "\($0): " } ?? "")\(oneLine(error.description))")
    if let detail = error.detail { write(detail) }
  }

  /// True when the command line asks for `--format json`; read from it as written, since it may not parse.
  private static var answersInJSON: Bool {
    let arguments = CommandLine.arguments
    return arguments.contains("--format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == ("--format", "json") }
  }

  /// A note that is no warning, such as that a result is cut.
  static func note(_ message: String) {
    if !Warnings.isQuiet { write("note: \(oneLine(message))") }
  }

  /// Text from files and users on one line, without control characters.
  static func oneLine(_ text: String) -> String {
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
