import Dispatch
import Glibc
import MapHTTP
import MapJSON
import MapState
import MapSystem

/// A server that works until the process is asked to stop.
enum RunningServer {
  /// Listens, answers requests and returns after SIGINT or SIGTERM.
  ///
  /// - Parameters:
  ///   - page: the path of the page that users open, whose address is printed on standard output; nil for none.
  ///   - origins: the origins whose pages may read the answers.
  ///   - log: receives each answered request.
  /// - Throws: `MapStateError` if the port is not free.
  static func run(
    _ options: ServerOptions, page: String? = nil, origins: AllowedOrigins = .none,
    log: @escaping @Sendable (ServedRequest) -> Void = { _ in },
    handler: @escaping HTTPListener.Handler
  ) throws(MapStateError) {
    FreedMemory.keepLow(arenas: 2)
    let isQuiet = options.quiet
    let listener = try HTTPListener(
      address: options.address, port: options.port, limits: options.limits, origins: origins,
      log: { request in
        log(request)
        if !isQuiet { write(request.json.text()) }
      }, handler: handler)
    let stop = StopSignal { listener.stop() }
    let name = options.address.contains(":") ? "[\(options.address)]" : options.address
    let url = "http://\(name):\(listener.port)/"
    write(JSONValue.object(["event": "listening", "url": .string(url)]).text())
    if let page {
      do {
        try FileAccess.write(
          Array((url + page + "\n").utf8), descriptor: STDOUT_FILENO, path: "standard output")
      } catch {
        throw MapStateError(error)
      }
    }
    // More often, the system would have to clear the same pages again for many images.
    let freeing = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    freeing.schedule(deadline: .now() + 60, repeating: 60)
    freeing.setEventHandler { @Sendable in FreedMemory.giveBack() }
    freeing.resume()
    withExtendedLifetime(freeing) {
      listener.run()
      stop.wait()
    }
    write(JSONValue.object(["event": "stopped"]).text())
  }

  /// Writes a line on standard error; a closed one leaves no place to report the failure.
  static func write(_ line: String) {
    try? FileAccess.write(Array((line + "\n").utf8), descriptor: STDERR_FILENO, path: "standard error")
  }
}

extension ServedRequest {
  /// The request as a line of the log.
  fileprivate var json: JSONValue {
    [
      "event": "request", "method": .string(method), "path": .string(path), "status": .number(status),
      "bytes": .number(bytes), "milliseconds": .number((seconds * 1e5).rounded() / 100),
    ]
  }
}

/// Stops the server on SIGINT and SIGTERM.
private struct StopSignal {
  // A source without an owner stops watching.
  private let sources: [any DispatchSourceSignal]
  private let done = DispatchSemaphore(value: 0)

  init(_ stop: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "mapstate.stop", qos: .userInteractive)
    sources = [SIGINT, SIGTERM].map { [done] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { @Sendable in
        stop()
        done.signal()
      }
      source.resume()
      return source
    }
  }

  /// Waits until the server has stopped.
  func wait() { withExtendedLifetime(sources) { done.wait() } }
}
