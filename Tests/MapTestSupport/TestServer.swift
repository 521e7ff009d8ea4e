public import Foundation

/// A loopback server for the time of a test: a Python program that prints its port and ends with its standard
/// input.
public final class TestServer: Sendable {
  /// A failure to start a test server.
  public struct Failure: Error, CustomStringConvertible {
    /// A one-line description.
    public let description: String
  }

  /// The server's address, `http://127.0.0.1:PORT`.
  public let address: String
  private let process: Process

  /// Starts a Python program with its arguments and waits for its port.
  ///
  /// - Throws: ``Failure`` if the program ends or prints anything else.
  public init(_ program: URL, _ arguments: [String] = []) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", program.path] + arguments
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.start()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else { break }
      line += byte
    }
    guard let port = Int(String(decoding: line.dropLast(), as: UTF8.self)) else {
      process.terminate()
      throw Failure(description: "\(program.lastPathComponent) printed no port")
    }
    address = "http://127.0.0.1:\(port)"
    self.process = process
  }

  /// Stops the server.
  public func stop() { process.terminate() }

  deinit { stop() }
}
