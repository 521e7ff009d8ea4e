import ArgumentParser
import MapHTTP
import MapState
import MapSystem

/// The address, the limits and the log of a server.
struct ServerOptions: ParsableArguments {
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

  /// The limits.
  var limits: ServerLimits {
    var limits = ServerLimits()
    (limits.concurrency, limits.queue) = (concurrency ?? Processors.count, queue)
    (limits.connections, limits.seconds) = (connections, timeout)
    (limits.pixels, limits.features) = (maxPixels, maxFeatures)
    return limits
  }
}

/// A command that serves until the process is asked to stop.
protocol ServingCommand: ParsableCommand {
  func serve() throws(MapStateError)
}

extension ServingCommand {
  func run() throws {
    do throws(MapStateError) { try serve() } catch {
      RunningServer.write("error: \(error.description)")
      throw ExitCode(error.kind.exitCode)
    }
  }
}
