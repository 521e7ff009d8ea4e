import Glibc
import Synchronization

/// The connections that wait for their clients: for a complete request, or for the client to take its response.
///
/// When all places are taken, one of them makes room. So clients that send nothing, send a request byte by byte or do
/// not take a response do not keep others out.
final class WaitingConnections: Sendable {
  /// The reason for waiting; connections without a complete request make room first.
  enum Reason: Comparable { case request, response }

  private struct Wait {
    let reason: Reason
    let time: ContinuousClock.Instant
    let socket: Descriptor
  }

  private let patience: Duration
  private let waits = Mutex<[Int32: Wait]>([:])

  /// - Parameter patience: the time after which a connection makes room.
  init(patience: Duration) { self.patience = patience }

  /// Records that a connection waits from now on.
  func begin(_ socket: Descriptor, for reason: Reason) {
    waits.withLock { $0[socket.number] = Wait(reason: reason, time: .now, socket: socket) }
  }

  /// Records that a connection no longer waits.
  func end(_ socket: Descriptor) { waits.withLock { $0[socket.number] = nil } }

  /// Ends the connection that has waited longest; false if none has waited long enough.
  func endOldest() -> Bool {
    waits.withLock { waits in
      let limit = ContinuousClock.now - patience
      let oldest = waits.filter { $0.value.time < limit }
        .min { ($0.value.reason, $0.value.time) < ($1.value.reason, $1.value.time) }
      guard let oldest else { return false }
      waits[oldest.key] = nil
      // Its thread finds the end of the connection and closes it.
      shutdown(oldest.value.socket.number, Int32(SHUT_RDWR))
      return true
    }
  }
}
