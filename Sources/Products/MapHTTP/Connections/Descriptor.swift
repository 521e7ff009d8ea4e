import Glibc
import MapSystem
import Synchronization

/// An open file of the system, closed when it is no longer used.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// The end of a wait.
  enum Wait { case ready, signal, time }

  /// Waits for events of this descriptor, or for for a signal; the own events come first.
  ///
  /// - Parameter milliseconds: the longest wait.
  func wait(for events: Int32, or signal: Signal? = nil, milliseconds: Int) -> Wait {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      let left = max(0, (end - .now) / .milliseconds(1))
      var polled = (
        pollfd(fd: number, events: Int16(truncatingIfNeeded: events), revents: 0),
        pollfd(fd: signal?.reader.number ?? -1, events: Int16(POLLIN), revents: 0)
      )
      let count = unsafe withUnsafeMutablePointer(to: &polled) { pointer in
        unsafe pointer.withMemoryRebound(to: pollfd.self, capacity: 2) {
          unsafe poll($0, 2, Int32(clamping: left.rounded(.up)))
        }
      }
      if count > 0 { return polled.0.revents != 0 ? .ready : .signal }
      // A signal interrupts the wait.
      if count == 0 || errno != EINTR { return .time }
    }
  }

  /// Receives at most 4,096 bytes; nil at the end, for an error, and if there are none yet.
  func receive() -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = unsafe max(0, recv(number, buffer.baseAddress, 4096, Int32(MSG_DONTWAIT)))
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Ends the sending, and receives the rest of a refused request for at most 100 ms.
  ///
  /// Bytes that nobody receives make the system reset the connection, and the client might lose the response.
  func finish() {
    shutdown(number, Int32(SHUT_WR))
    let end = ContinuousClock.now + .milliseconds(100)
    while case let left = (end - .now) / .milliseconds(1), left > 0 {
      guard wait(for: Int32(POLLIN), milliseconds: Int(clamping: left)) == .ready, receive() != nil else {
        return
      }
    }
  }

  /// Sends some of the bytes from a position on; nil for an error.
  func send(_ bytes: [UInt8], from start: Int) -> Int? {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      return unsafe Glibc.send(number, rest.baseAddress, rest.count, flags)
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}

/// A signal that one thread gives and others wait for; once given, it stays until it is taken back.
final class Signal: Sendable {
  fileprivate let reader: Descriptor
  private let writer: Descriptor
  private let given = Atomic(false)

  /// Creates a signal that is not given.
  ///
  /// - Throws: ``HTTPFault`` if the process has no descriptor left.
  init() throws(HTTPFault) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutablePointer(to: &ends) { pointer in
      unsafe pointer.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe pipe($0) }
    }
    guard result == 0 else { throw HTTPFault(503, "no file descriptor is left") }
    (reader, writer) = (Descriptor(ends.0), Descriptor(ends.1))
    for end in [ends.0, ends.1] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Gives the signal.
  func give() {
    given.store(true, ordering: .sequentiallyConsistent)
    _ = unsafe write(writer.number, [1], 1)
  }

  /// Takes back a signal that was given once and that nobody else waits for; false if this fails.
  func takeBack() -> Bool {
    guard reader.wait(for: Int32(POLLIN), milliseconds: 0) == .ready else { return false }
    given.store(false, ordering: .sequentiallyConsistent)
    var byte: UInt8 = 0
    return unsafe read(reader.number, &byte, 1) == 1
  }

  /// Whether the signal is given.
  var isGiven: Bool { given.load(ordering: .sequentiallyConsistent) }
}
