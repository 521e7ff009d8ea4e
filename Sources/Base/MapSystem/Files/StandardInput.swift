import Glibc
internal import Synchronization

/// The bytes of standard input, read when they are requested.
///
/// Unsafe code is limited to the bytes of the system's own read.
package final class StandardInput: Sendable {
  private struct State {
    /// The offset of the first byte that is kept.
    var start = 0
    var kept: [UInt8] = []
    var isAtEnd = false

    var end: Int { start + kept.count }
  }

  /// The number of bytes that are reserved before they arrive.
  private static let piece = 16 << 20
  /// The number of bytes that are kept for later requests.
  private static let keptBytes = 1 << 20

  private let descriptor: Int32
  private let state = Mutex(State())

  /// Starts at the current position.
  package init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

  /// Returns the bytes of a range, fewer at the end of the input; waits until they arrive.
  ///
  /// - Parameter range: a range in the first MiB, or one that starts after the end of all requests before it.
  /// - Throws: ``FileError``, also for a range that was dropped, or of more than ``FileAccess/largestInput`` bytes.
  package func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    try state.withLock { state throws(FileError) in
      guard range.lowerBound >= state.start else { throw error("was already read") }
      guard range.count <= FileAccess.largestInput else {
        throw error("has more than \(FileAccess.largestInput >> 30) GiB in one piece")
      }
      while range.lowerBound > state.end, !state.isAtEnd {
        var skipped: [UInt8] = []
        try read(min(range.lowerBound - state.end, Self.piece), into: &skipped, &state)
        (state.start, state.kept) = (state.end + skipped.count, [])
      }
      guard range.lowerBound < state.end else {
        var bytes: [UInt8] = []
        try read(range.count, into: &bytes, &state)
        if state.kept.count + bytes.count <= Self.keptBytes {
          state.kept += bytes
        } else {
          (state.start, state.kept) = (state.end + bytes.count, [])
        }
        return bytes
      }
      let from = range.lowerBound - state.start
      var more: [UInt8] = []
      try read(range.upperBound - state.end, into: &more, &state)
      state.kept += more
      let to = min(state.kept.count, from + range.count)
      let bytes = Array(state.kept[from..<to])
      if state.kept.count > Self.keptBytes {
        (state.start, state.kept) = (state.start + to, Array(state.kept[to...]))
      }
      return bytes
    }
  }

  /// Returns the bytes that are kept and all that follow.
  ///
  /// - Throws: ``FileError``.
  package func rest() throws(FileError) -> [UInt8] {
    try state.withLock { state throws(FileError) in
      var bytes = state.kept
      (state.start, state.kept) = (state.end, [])
      try read(FileAccess.largestInput + 1 - bytes.count, into: &bytes, &state)
      guard bytes.count <= FileAccess.largestInput else {
        throw error("is larger than \(FileAccess.largestInput >> 30) GiB")
      }
      return bytes
    }
  }

  /// Appends up to a number of bytes.
  private func read(_ count: Int, into bytes: inout [UInt8], _ state: inout State) throws(FileError) {
    var left = count
    while left > 0, !state.isAtEnd {
      // More memory is reserved when the bytes before have arrived, whatever number is announced.
      let size = min(left, Self.piece)
      var code: Int32?
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
        while filled < size {
          let read = unsafe Glibc.read(
            descriptor, buffer.baseAddress.map { unsafe $0 + filled }, size - filled)
          if read < 0, errno == EINTR { continue }
          if read < 0 { code = errno }
          if read <= 0 { return }
          filled += read
        }
      }
      if let code { throw FileError(path: "standard input", errno: code) }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      state.isAtEnd = piece.count < size
      left -= piece.count
    }
  }

  private func error(_ reason: String) -> FileError { FileError(path: "standard input", reason: reason) }
}
