import Glibc
import Synchronization

/// The connections that wait for a complete request.
///
/// When all places are taken, one of them makes room. So clients that send nothing, or a request byte by byte, do not
/// keep others out.
final class WaitingConnections: Sendable {
  private let patience: Duration
  private let since = Mutex<[Int32: (time: ContinuousClock.Instant, socket: Descriptor)]>([:])

  /// - Parameter patience: the time after which a connection makes room.
  init(patience: Duration) { self.patience = patience }

  /// Records that a connection waits from now on.
  func begin(_ socket: Descriptor) { since.withLock { $0[socket.number] = (.now, socket) } }

  /// Records that a connection no longer waits.
  func end(_ socket: Descriptor) { since.withLock { $0[socket.number] = nil } }

  /// Ends the connection that has waited longest; false if none has waited long enough.
  func endOldest() -> Bool {
    since.withLock { since in
      guard let oldest = since.min(by: { $0.value.time < $1.value.time }),
        oldest.value.time < .now - patience
      else { return false }
      since[oldest.key] = nil
      // Its thread finds the end of the request and closes the connection.
      shutdown(oldest.value.socket.number, Int32(SHUT_RD))
      return true
    }
  }
}
