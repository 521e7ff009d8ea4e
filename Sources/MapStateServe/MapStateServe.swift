import ArgumentParser
import Dispatch
import Glibc
import MapHTTP
import MapJSON
import MapState
import MapSystem

/// The server of maps.
@main
struct MapStateServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mapstate-serve",
    abstract: "Serve images, counts, features and tiles of maps by HTTP.",
    usage: "mapstate-serve <path> [<options>]",
    discussion: """
      Serves the web maps of a folder, or one document or data source. Each map is opened at its first request, and \
      again after a change of its files. Requests cannot change a map and name no file and no host.

      /maps/{id}/preview is a page that shows a map with both of its filters, with its definition only and without \
      filters, with the number of features at each stage.

      Listens on the loopback interface unless --address names another one; --host allows further names of this server. \
      The paths and their parameters are in /openapi.json. Each request gives a line of JSON on standard error.

      EXAMPLES:
        mapstate-serve Styles
        mapstate-serve Styles/world-cities.json --port 8081
      """,
    version: "\(Release.version)")

  @Argument(help: "Folder with web maps, or one document or data source.", completion: .file())
  var path: String
  @Option(help: "Port; 0 is any free one.")
  var port = 8080
  @Option(help: ArgumentHelp("IPv4 or IPv6 address to listen on.", valueName: "address"))
  var address = "127.0.0.1"
  @Option(
    help: ArgumentHelp(
      "Name of this server in requests, besides localhost; may be repeated.", valueName: "name"))
  var host: [String] = []
  @Option(help: ArgumentHelp("Number of requests to work on at once; default: all cores.", valueName: "n"))
  var concurrency: Int?
  @Option(help: ArgumentHelp("Number of requests that may wait; others get 503.", valueName: "n"))
  var queue = ServerLimits().queue
  @Option(help: ArgumentHelp("Number of open connections; others get 503.", valueName: "n"))
  var connections = ServerLimits().connections
  @Option(help: ArgumentHelp("Seconds until a request gets 503.", valueName: "seconds"))
  var timeout = ServerLimits().seconds
  @Option(help: ArgumentHelp("Maximum number of pixels of an image.", valueName: "n"))
  var maxPixels = ServerLimits().pixels
  @Option(help: ArgumentHelp("Maximum number of features of an answer.", valueName: "n"))
  var maxFeatures = ServerLimits().features
  @Flag(help: "Write no line for each request.")
  var quiet = false

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port is \(port); it must be 0 to 65535.")
    }
    for (name, value, range) in [
      ("concurrency", concurrency ?? 1, 1...256), ("queue", queue, 0...10_000),
      ("connections", connections, 1...200), ("timeout", timeout, 1...3600),
      ("max-pixels", maxPixels, 1...100_000_000), ("max-features", maxFeatures, 1...1_000_000),
    ] where !range.contains(value) {
      throw ValidationError("--\(name) is \(value); it must be \(range.lowerBound) to \(range.upperBound).")
    }
  }

  func run() throws {
    do throws(MapStateError) { try serve() } catch {
      Self.write("error: \(error.description)")
      throw ExitCode(error.kind.exitCode)
    }
  }

  private func serve() throws(MapStateError) {
    FreedMemory.keepForReuse()
    var limits = ServerLimits()
    (limits.concurrency, limits.queue) = (concurrency ?? Processors.count, queue)
    (limits.connections, limits.seconds) = (connections, timeout)
    (limits.pixels, limits.features) = (maxPixels, maxFeatures)
    let service = MapService(try MapFolder(path), limits: limits, hosts: host)
    let isQuiet = quiet
    let listener = try HTTPListener(
      address: address, port: port, limits: limits,
      log: { request in
        service.count(request)
        if !isQuiet { Self.write(request.json.text()) }
      }, handler: { service.begin($0) })
    let stop = StopSignal { listener.stop() }
    let name = address.contains(":") ? "[\(address)]" : address
    Self.write(
      JSONValue.object(["event": "listening", "url": .string("http://\(name):\(listener.port)/")]).text())
    listener.run()
    stop.wait()
    Self.write(JSONValue.object(["event": "stopped"]).text())
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
