import Foundation
import MapServices
import MapTestSupport

/// A server of files that misbehaves as the first part of a path says, and tells which requests it had.
final class RangeServer: Sendable {
  /// A request.
  struct Request: Decodable {
    let path: String
    let range: String?
    let sent: Int
    let header: [String: String]
  }

  struct WholeFile: Error {}

  let server: TestServer
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("ranges-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = FaultyServer.folder.appendingPathComponent("range_server.py")
    server = try TestServer(program, [folder.path])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a file of bytes that differ from their neighbours, with an ending.
  func write(_ size: Int, ending: String = "", to name: String) throws -> [UInt8] {
    let bytes =
      (0..<size - ending.utf8.count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) }
      + Array(ending.utf8)
    try Data(bytes).write(to: folder.appendingPathComponent(name))
    return bytes
  }

  /// Returns the requests since the last call.
  func requests() async throws -> [Request] {
    let answer = try await FaultyServer.network(seconds: 600).response(
      to: HTTPRequest(get: server.address + "/log"))
    return try JSONDecoder().decode([Request].self, from: Data(answer.body))
  }

  /// Opens a file by the network.
  func open(
    _ path: String, limit: Int = 64 << 20, seconds: Double = 600, asking first: FirstRequest = .start,
    report: (@Sendable (String) -> Void)? = nil
  ) async throws -> ServedContent {
    let url = server.address + path
    let transfer = FileTransfer(
      client: FaultyServer.network(seconds: seconds, bytes: limit), url: url, place: url,
      budget: FetchBudget(limit: limit),
      report: report)
    return try await ServedFile.open(transfer, asking: first)
  }

  /// Opens a file that is read in parts.
  func parts(_ path: String, limit: Int = 64 << 20, seconds: Double = 600) async throws -> ServedFile {
    guard case .parts(let file) = try await open(path, limit: limit, seconds: seconds) else {
      throw WholeFile()
    }
    return file
  }
}
