import Glibc
import MapState
import MapSystem
import Synchronization

/// A progress line on a terminal: shown after half a second with the elapsed seconds, and cleared at the end.
enum Progress {
  /// Runs work and shows a line that names it.
  static func showing<Value: Sendable>(
    _ what: String, _ work: () async throws(MapStateError) -> Value
  ) async throws(MapStateError) -> Value {
    try await counting(what) { _ throws(MapStateError) in try await work() }
  }

  /// A part of the work that is done.
  struct Part: Sendable {
    /// The number of things that are done, that this run has made, and of all.
    let done, made, count: Int

    /// The part in percent, the things per second, and the time that is left at that rate.
    func text(after seconds: Double) -> String {
      var text = "\(done) of \(count) (\(count > 0 ? 100 * done / count : 100) %)"
      guard made > 0, seconds > 0 else { return text }
      let rate = Double(made) / seconds
      text +=
        ", \(rate >= 10 ? "\(Int(clamping: rate.rounded()))" : "\((10 * rate).rounded() / 10)") per second"
      let left = Int(clamping: (Double(count - done) / rate).rounded(.up))
      let parts = [(left / 3600, "h"), (left / 60 % 60, "min"), (left % 60, "s")].drop { $0.0 == 0 }.prefix(2)
      return text + (parts.isEmpty ? "" : ", \(parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")) left")
    }
  }

  /// Runs work that reports which part of it is done, and shows a line with the part, the rate and the time left.
  static func counting<Value: Sendable>(
    _ what: String, _ work: (_ report: @Sendable (Part) -> Void) async throws(MapStateError) -> Value
  ) async throws(MapStateError) -> Value {
    let id = CurrentWork.begin(what)
    defer { CurrentWork.end(id) }
    guard isatty(STDERR_FILENO) == 1, !Warnings.isQuiet else { return try await work { _ in } }
    let start = ContinuousClock.now
    let part = Mutex<Part?>(nil)
    let ticking = Task {
      try await Task.sleep(for: .milliseconds(500))
      while !Task.isCancelled {
        let seconds = start.duration(to: .now)
        let text = part.withLock { $0 }?.text(after: seconds / .seconds(1)) ?? CurrentWork.progress
        let done = text.map { ", \($0)" } ?? ""
        StandardError.write("\r\(what) … \(seconds.components.seconds) s\(done)\u{1B}[K", terminator: "")
        try await Task.sleep(for: .milliseconds(200))
      }
    }
    let result: Result<Value, MapStateError>
    do {
      result = .success(try await work { done in part.withLock { $0 = done } })
    } catch { result = .failure(error) }
    ticking.cancel()
    _ = await ticking.result
    // Erases the line if it was shown.
    if start.duration(to: .now) > .milliseconds(500) { StandardError.write("\r\u{1B}[K", terminator: "") }
    return try result.get()
  }
}
