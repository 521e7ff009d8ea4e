import Glibc
import MapSystem
import Synchronization

/// A connection of a client: reads requests one after the other, and writes their responses.
///
/// It blocks a thread of its own; the work of a request runs in a task. If the client goes away or the time is over,
/// the task is cancelled.
struct Connection {
  let socket: Descriptor
  let limits: ServerLimits
  /// Given when the server stops.
  let stop: Signal
  let waiting: WaitingConnections
  /// The address of the client; nil if the system does not know it.
  let peer: NetworkAddress?
  /// The origins whose pages may read the answers, also those about faults.
  let origins: AllowedOrigins
  let handler: HTTPListener.Handler
  let log: @Sendable (ServedRequest) -> Void

  /// Serves requests until the client or the server closes the connection.
  func serve() {
    var buffer: [UInt8] = []
    var signal: Signal?
    while let result = readHead(&buffer) {
      let start = ContinuousClock.now
      var (method, path, keepsAlive) = ("", "", false)
      var (asked, response, isRefused) = (nil as [UInt8]?, nil as HTTPResponse?, true)
      switch result {
      case .failure(let fault): response = fault.response
      case .success(let head):
        asked = head
        do {
          var request = try HTTPRequest(head: head)
          request.peer = peer
          (method, path) = (request.method, "/" + request.path.joined(separator: "/"))
          (keepsAlive, isRefused) = (request.keepsAlive, false)
          response = try answer(request, &signal)
        } catch {
          response = error.response
        }
      }
      // A stopped server answers the last request and closes.
      if stop.isGiven { keepsAlive = false }
      if var found = response {
        found.headers += origins.headers(for: asked)
        let sent = send(
          found.bytes(date: HTTPDate.now, isHead: method == "HEAD", keepsAlive: keepsAlive))
        if !sent { keepsAlive = false }
      }
      log(
        ServedRequest(
          method: method, path: path, status: response?.status ?? 499, bytes: response?.body.count ?? 0,
          seconds: (.now - start) / .seconds(1)))
      if isRefused { socket.finish() }
      guard response != nil, keepsAlive else { return }
    }
  }

  /// Returns the bytes before the next empty line; nil when no further request comes.
  private func readHead(_ buffer: inout [UInt8]) -> Result<[UInt8], HTTPFault>? {
    let end = ContinuousClock.now + .seconds(limits.idleSeconds)
    waiting.begin(socket, for: .request)
    defer { waiting.end(socket) }
    var searched = 0
    while true {
      // An empty line before a request is ignored (RFC 9112, 2.2).
      if buffer.starts(with: [0x0D, 0x0A]) { (buffer, searched) = (Array(buffer.dropFirst(2)), 0) }
      if let place = Self.emptyLine(in: buffer, from: max(0, searched - 3)) {
        guard place <= HTTPRequest.largestHead else { return .failure(Self.tooLong) }
        let head = Array(buffer[..<place])
        buffer.removeFirst(place + 4)
        return .success(head)
      }
      searched = buffer.count
      guard buffer.count <= HTTPRequest.largestHead else { return .failure(Self.tooLong) }
      let left = (end - .now) / .milliseconds(1)
      switch socket.wait(for: Int32(POLLIN), or: stop, milliseconds: Int(clamping: max(0, left))) {
      case .ready:
        guard let bytes = socket.receive() else { return nil }
        buffer += bytes
      case .signal: return nil
      case .time:
        return buffer.isEmpty
          ? nil : .failure(HTTPFault(408, "the request is not complete after \(limits.idleSeconds) s"))
      }
    }
  }

  private static var tooLong: HTTPFault {
    HTTPFault(431, "the request is longer than \(HTTPRequest.largestHead) bytes")
  }

  private static func emptyLine(in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= start + 4 else { return nil }
    let span = bytes.span
    for place in start...span.count - 4
    where span[place] == 0x0D && span[place + 1] == 0x0A && span[place + 2] == 0x0D && span[place + 3] == 0x0A
    {
      return place
    }
    return nil
  }

  /// The result of a task, for the thread that waits for it.
  private final class Outcome: Sendable {
    let done: Signal
    let response = Mutex<HTTPResponse?>(nil)

    init(_ done: Signal) { self.done = done }
  }

  /// Answers a request in a task; nil if the client has gone.
  ///
  /// - Parameter signal: a signal that is not given, for the end of the work; it is kept for the next request.
  private func answer(
    _ request: HTTPRequest, _ signal: inout Signal?
  ) throws(HTTPFault) -> HTTPResponse? {
    let work: @Sendable () async -> HTTPResponse
    switch handler(request) {
    case .ready(let response): return response
    case .work(let found): work = found
    }
    let done: Signal
    if let signal { done = signal } else { done = try Signal() }
    // The work that is given up gives its signal later.
    signal = nil
    let outcome = Outcome(done)
    let task = Task.detached {
      let response = await work()
      outcome.response.withLock { $0 = response }
      outcome.done.give()
    }
    // POLLRDHUP of Linux, which Glibc declares only for GNU sources.
    let gone: Int32 = 0x2000
    switch socket.wait(for: gone, or: outcome.done, milliseconds: limits.seconds * 1000) {
    case .signal:
      if done.takeBack() { signal = done }
      return outcome.response.withLock { $0 }
    case .ready:
      task.cancel()
      return nil
    case .time:
      task.cancel()
      throw HTTPFault(503, "the answer took longer than \(limits.seconds) s; ask for less")
    }
  }

  /// Sends all bytes; false if the client does not take them in time.
  private func send(_ bytes: [UInt8]) -> Bool {
    var (place, isWaiting) = (0, false)
    defer { if isWaiting { waiting.end(socket) } }
    let end = ContinuousClock.now + .seconds(limits.idleSeconds)
    while place < bytes.count {
      guard let count = socket.send(bytes, from: place) else { return false }
      place += count
      guard place < bytes.count else { return true }
      if !isWaiting { waiting.begin(socket, for: .response) }
      isWaiting = true
      let left = (end - .now) / .milliseconds(1)
      // A stopped server still sends its last response.
      guard left > 0, socket.wait(for: Int32(POLLOUT), milliseconds: Int(clamping: left)) == .ready else {
        return false
      }
    }
    return true
  }
}

/// Times in the form of HTTP.
enum HTTPDate {
  /// The current time, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  static var now: String {
    var seconds = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (day, month) = (unsafe Int(parts.tm_wday) % 7, unsafe Int(parts.tm_mon) % 12)
    return unsafe "\(days[day]), \(two(parts.tm_mday)) \(months[month]) \(parts.tm_year + 1900) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
  }
}
