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
  ///
  /// A reader of the answer who has gone wants no more: the tool ends without a word and with 0.
  static func fail(_ error: MapError) -> Never {
    if error.isClosedPipe { Glibc.exit(0) }
    report(error)
    Glibc.exit(error.kind.exitCode)
  }

  /// Writes the error as JSON where JSON was asked for, else as a line and the text with a caret under the fault.
  ///
  /// - Parameter place: the step of a script at which it came up.
  static func report(_ error: MapError, at place: String? = nil) {
    guard !answersInJSON else { return write(error.json.text()) }
    write("error: \(place.map { "\(MessageText.line($0)): " } ?? "")\(error.description)")
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
    if !Warnings.isQuiet { write("note: \(MessageText.line(message))") }
  }
}

/// The answer on standard output.
enum StandardOutput {
  /// Fills the places of standard streams that are closed, so that no file that is opened takes them.
  ///
  /// What stands there can be used in the wrong direction alone: using it is still an error.
  static func fillClosedStreams() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is taken, which is this one.
      _ = unsafe open("/dev/null", mode)
    }
  }

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
