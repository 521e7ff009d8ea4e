import Foundation
import MapImages
import MapTestSupport
import Testing

/// A portal on this machine, the services that its items name, and a folder.
struct PortalSite {
  private static let services = Result {
    try TestServer(
      Tool.project.appendingPathComponent("Tests/MapServicesTests/Servers/arcgis_server.py"),
      [Tool.project.appendingPathComponent("Styles/data").path])
  }

  let folder: ScratchFolder
  let server: TestServer
  var portal: String { server.address + "/portal" }
  /// The address of a layer of a service that items name.
  let cities: String

  init() throws {
    folder = try ScratchFolder()
    let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "portal_server.py")
    let services = try Self.services.get().address
    server = try TestServer(program, [services])
    cities = services + "/arcgis/rest/services/Cities/FeatureServer/0"
  }

  /// Runs the tool with the portal, and with access to the services that its items name.
  func run(_ arguments: [String], credentials: String? = nil) async throws -> Tool.Run {
    try await Tool.run(
      arguments + ["--portal", portal, "--allow-private"], folder: folder.root,
      environment: [
        "MAPSTATE_SERVICES": "", "MAPSTATE_CREDENTIALS": credentials ?? "",
        "XDG_CACHE_HOME": folder.path("cache"),
      ])
  }

  /// Draws a map, and returns its image.
  func picture(_ arguments: String...) async throws -> (run: Tool.Run, image: Bitmap?) {
    let run = try await run(["render"] + arguments + ["-o", "a.png", "--size", "400x300"])
    let data = try? Data(contentsOf: folder.url("a.png"))
    return (run, try data.map { try Bitmap(pngData: Array($0)) })
  }

  /// The requests since the last look.
  func log() async throws -> [String] {
    let run = try await Tool.run(
      [
        "python3", "-c",
        "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())",
        server.address + "/log",
      ], program: URL(fileURLWithPath: "/usr/bin/env"))
    return run.out.split(separator: "\n").map { String($0) }
  }

  /// The identifier with 32 equal digits.
  static func id(_ digit: Character) -> String { String(repeating: digit, count: 32) }
  static func item(_ digit: Character) -> String { "item:\(id(digit))" }
  /// The address of an item with 32 equal digits.
  func address(_ digit: Character) -> String { "\(portal)/sharing/rest/content/items/\(Self.id(digit))" }
}
