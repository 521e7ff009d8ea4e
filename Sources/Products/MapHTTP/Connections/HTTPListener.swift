import Dispatch
import Glibc
package import MapState
import Synchronization

/// The limits of a server.
package struct ServerLimits: Hashable, Sendable {
  /// The number of open connections.
  ///
  /// A further one takes the place of the one that has waited longest for a request, if that is more than ``patience``.
  /// Otherwise it gets 503.
  package var connections = 128
  /// The seconds that a connection may wait for a request while others need its place.
  ///
  /// Design decision: clients that ask for one tile after the other pause for less.
  package var patience = 1
  /// The number of requests that are worked on at the same time.
  package var concurrency = 2
  /// The number of requests that wait for work; further ones get 503.
  package var queue = 64
  /// The seconds until a request gets 503.
  package var seconds = 30
  /// The seconds that a connection may be idle, and that a client has to send a request or take a response.
  package var idleSeconds = 30
  /// The number of pixels of an image.
  package var pixels = 16_777_216
  /// The number of features of an answer; more are in further pages.
  package var features = 10_000

  /// Creates the limits.
  package init() {}
}

/// A request that was answered, for the log.
package struct ServedRequest: Sendable {
  /// The method; empty for a request that cannot be read.
  package let method: String
  /// The decoded path, without the query.
  package let path: String
  /// The status; 499 if the client went away before.
  package let status: Int
  /// The bytes of the body.
  package let bytes: Int
  /// The seconds from the request to the end of the response.
  package let seconds: Double
}

/// A server of HTTP/1.1 on a TCP port.
///
/// Each connection has a thread. Few clients ask at the same time for answers that take milliseconds, so threads cost
/// less than an event loop and its dependencies; see the guide's Architecture article.
package final class HTTPListener: Sendable {
  /// Answers a request, on the thread of its connection; its work runs in a task.
  package typealias Handler = @Sendable (HTTPRequest) -> HTTPAnswer

  private let socket: Descriptor
  private let stopped: Signal
  private let limits: ServerLimits
  private let origins: AllowedOrigins
  private let handler: Handler
  private let log: @Sendable (ServedRequest) -> Void
  private let open = Mutex(0)
  private let waiting: WaitingConnections
  /// The port.
  package let port: Int

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - address: an IPv4 or IPv6 address.
  ///   - port: the port; 0 for any free one.
  ///   - origins: the origins whose pages may read the answers.
  /// - Throws: `MapStateError`.
  package init(
    address: String, port: Int, limits: ServerLimits, origins: AllowedOrigins = .none,
    log: @escaping @Sendable (ServedRequest) -> Void, handler: @escaping Handler
  ) throws(MapStateError) {
    (self.limits, self.origins, self.handler, self.log) = (limits, origins, handler, log)
    waiting = WaitingConnections(patience: .seconds(limits.patience))
    (socket, self.port) = try Self.listen(address, port)
    do { stopped = try Signal() } catch { throw MapStateError(.input, error.message) }
  }

  private static func listen(_ address: String, _ port: Int) throws(MapStateError) -> (Descriptor, Int) {
    let isLong = address.contains(":")
    let socket = Descriptor(
      Glibc.socket(isLong ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    let number = UInt16(clamping: port)
    var on: Int32 = 1
    unsafe setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let bound: Int32
    var found: UInt16 = 0
    if isLong {
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = number.bigEndian
      guard unsafe inet_pton(AF_INET6, address, &name.sin6_addr) == 1 else { throw malformed(address) }
      bound = unsafe with(&name) { unsafe bind(socket.number, $0, $1) }
      var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
      _ = unsafe with(&name) { pointer, _ in unsafe getsockname(socket.number, pointer, &size) }
      found = UInt16(bigEndian: name.sin6_port)
    } else {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = number.bigEndian
      guard unsafe inet_pton(AF_INET, address, &name.sin_addr) == 1 else { throw malformed(address) }
      bound = unsafe with(&name) { unsafe bind(socket.number, $0, $1) }
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      _ = unsafe with(&name) { pointer, _ in unsafe getsockname(socket.number, pointer, &size) }
      found = UInt16(bigEndian: name.sin_port)
    }
    guard bound == 0, Glibc.listen(socket.number, 512) == 0 else {
      throw MapStateError(
        .input, "cannot listen on \(address) port \(port): \(unsafe String(cString: strerror(errno)))")
    }
    return (socket, Int(found))
  }

  private static func malformed(_ address: String) -> MapStateError {
    MapStateError(.usage, "\"\(address)\" is not an address such as 127.0.0.1 or ::1")
  }

  private static func with<Name>(
    _ name: inout Name, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Name>.size))
      }
    }
  }

  /// Accepts connections until the server stops; blocks the thread.
  package func run() {
    // Without this, the system would admit connections that nobody answers until the last request is done.
    defer { shutdown(socket.number, Int32(SHUT_RD)) }
    while socket.wait(for: Int32(POLLIN), or: stopped, milliseconds: 3_600_000) != .signal {
      let number = accept(socket.number, nil, nil)
      guard number >= 0 else {
        // Without descriptors, the connection stays in the queue of the system.
        if errno == EMFILE || errno == ENFILE { usleep(10_000) }
        continue
      }
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      var on: Int32 = 1
      unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      let client = Descriptor(number)
      let isAdmitted = open.withLock { open in
        guard open < limits.connections || waiting.endOldest() else { return false }
        open += 1
        return true
      }
      guard isAdmitted else {
        var response = HTTPFault(503, "all \(limits.connections) connections are in use").response
        response.headers += origins.headers(for: nil)
        let bytes = response.bytes(date: HTTPDate.now, isHead: false, keepsAlive: false)
        _ = client.send(bytes, from: 0)
        // The request must be read, or the client would get a reset instead of the response.
        shutdown(number, Int32(SHUT_WR))
        _ = client.receive()
        log(ServedRequest(method: "", path: "", status: 503, bytes: bytes.count, seconds: 0))
        continue
      }
      let connection = Connection(
        socket: client, limits: limits, stop: stopped, waiting: waiting,
        peer: NetworkAddress.peer(ofSocket: number), origins: origins, handler: handler, log: log)
      // A queue of its own gets a thread even while drawing uses every core.
      DispatchQueue(label: "mapstate.connection").async { [self] in
        connection.serve()
        open.withLock { $0 -= 1 }
      }
    }
  }

  /// Stops accepting, and waits at most some seconds for the requests that are worked on.
  package func stop(waiting seconds: Int = 10) {
    stopped.give()
    let end = ContinuousClock.now + .seconds(seconds)
    while open.withLock({ $0 }) > 0, .now < end { usleep(10_000) }
  }
}
