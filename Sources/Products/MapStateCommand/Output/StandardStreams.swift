import Glibc
import MapScript
import MapState
import MapSystem

/// Standard error: every line that is not part of the answer.
enum StandardError {
  /// Writes one line, in which no name of a file or a service is a command of the log of a CI system.
  static func write(_ line: String, terminator: String = "\n") {
    let text = GitHubAnnotation.plain(line + terminator)
    // A closed standard error leaves no place to report the failure.
    try? FileAccess.write(Array(text.utf8), descriptor: STDERR_FILENO, path: "standard error")
  }

  /// Writes the error and ends the process with its exit code.
  ///
  /// When the reader of the answer has closed the pipe, the tool ends silently with 0.
  static func fail(_ error: MapStateError) -> Never {
    if error.isClosedPipe { Glibc.exit(0) }
    report(error)
    Glibc.exit(error.kind.exitCode)
  }

  /// Writes the error: as JSON with `--format json`, else as a line, followed by its detail, if any.
  ///
  /// - Parameter place: the step of a script that failed.
  static func report(_ error: MapStateError, at place: String? = nil) {
    guard !answersInJSON else { return write(error.json.text()) }
    write("error: \(place.map { "\(MessageText.line($0)): " } ?? "")\(error.description)")
    if let detail = error.detail { write(detail) }
  }

  /// True when the command line has `--format json`, even if it does not parse otherwise.
  private static var answersInJSON: Bool {
    let arguments = CommandWords.all
    return arguments.contains("--format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == ("--format", "json") }
  }

  /// Writes a note that is not a warning, such as that a result is cut.
  static func note(_ message: String) {
    if !Warnings.isQuiet { write("note: \(MessageText.line(message))") }
  }
}

/// Standard output: the answer.
enum StandardOutput {
  /// Opens `/dev/null` for closed standard streams; otherwise another file would get their descriptors.
  ///
  /// Each is opened in the wrong direction, so that using it remains an error.
  static func fillClosedStreams() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The system takes the lowest free descriptor, which is this one.
      _ = unsafe open("/dev/null", mode)
    }
  }

  /// Writes text without buffering.
  ///
  /// - Throws: `MapStateError` when the pipe is closed or the disk is full.
  static func write(_ text: String) throws(MapStateError) { try write(Array(text.utf8)) }

  /// Writes bytes without buffering.
  ///
  /// - Throws: `MapStateError` when the pipe is closed or the disk is full.
  static func write(_ bytes: [UInt8]) throws(MapStateError) {
    do {
      try FileAccess.write(bytes, descriptor: STDOUT_FILENO, path: "standard output")
    } catch {
      throw MapStateError(error)
    }
  }
}
