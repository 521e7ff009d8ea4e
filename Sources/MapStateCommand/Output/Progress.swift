import Glibc
import MapState
import MapSystem

/// A progress line on a terminal: shown after half a second with the elapsed seconds, and cleared at the end.
enum Progress {
  /// Runs work and shows a line that names it.
  static func showing<Value: Sendable>(
    _ what: String, _ work: () async throws(MapStateError) -> Value
  ) async throws(MapStateError) -> Value {
    let id = CurrentWork.begin(what)
    defer { CurrentWork.end(id) }
    guard isatty(STDERR_FILENO) == 1, !Warnings.isQuiet else { return try await work() }
    let start = ContinuousClock.now
    let ticking = Task {
      try await Task.sleep(for: .milliseconds(500))
      while !Task.isCancelled {
        let seconds = start.duration(to: .now).components.seconds
        StandardError.write("\r\(what) … \(seconds) s", terminator: "")
        try await Task.sleep(for: .milliseconds(200))
      }
    }
    let result: Result<Value, MapStateError>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    ticking.cancel()
    _ = await ticking.result
    // Erases the line if it was shown.
    if start.duration(to: .now) > .milliseconds(500) { StandardError.write("\r\u{1B}[K", terminator: "") }
    return try result.get()
  }
}
