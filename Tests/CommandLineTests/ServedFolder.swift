import Foundation
import MapTestSupport
import Testing

/// A folder whose files a server has, and the tool with an empty cache.
struct ServedFolder {
  let folder: ScratchFolder
  /// The folder of the cache.
  let cache: ScratchFolder
  private let server: TestServer

  init() throws {
    (folder, cache) = (try ScratchFolder(), try ScratchFolder())
    server = try TestServer(
      Tool.project.appendingPathComponent("Tests/MapServicesTests/Servers/range_server.py"),
      [folder.root.path])
  }

  /// A request.
  struct Request: Decodable {
    let path: String
    let range: String?
    let sent: Int
    let header: [String: String]
  }

  /// The address of the server, below which the first part of a path is a mode of `range_server.py`.
  var address: String { server.address }

  /// The environment for the bucket `maps` of the server.
  var bucket: [String: String] {
    [
      "AWS_ENDPOINT_URL": "\(address)/ranges", "AWS_ACCESS_KEY_ID": "AKIATEST",
      "AWS_SECRET_ACCESS_KEY": "a-secret-of-tests",
    ]
  }

  /// Returns the requests since the last call.
  func requests() async throws -> [Request] {
    let program = "import sys, urllib.request as r; sys.stdout.write(r.urlopen(sys.argv[1]).read().decode())"
    let run = try await Tool.run(
      ["python3", "-c", program, address + "/log"], program: URL(fileURLWithPath: "/usr/bin/env"))
    return try JSONDecoder().decode([Request].self, from: Data(run.out.utf8))
  }

  /// Runs the tool in the folder.
  func run(
    _ arguments: [String], _ more: [String: String] = [:], input: String = ""
  ) async throws -> Tool.Run {
    var environment = ["XDG_CACHE_HOME": cache.root.path, "HOME": folder.root.path]
    environment.merge(more) { $1 }
    return try await Tool.run(arguments, input: input, folder: folder.root, environment: environment)
  }

  /// Writes the cities in the formats of some names.
  func write(_ names: String...) async throws {
    for name in names {
      let run = try await run(["query", Tool.cityData, "-o", name])
      #expect(run.code == 0, "\(run)")
    }
  }

  static let extent = ["--bounds", "5,45,12,50"]
}
