import Foundation
import MapTestSupport
import Testing

/// `Scripts/README.md` lists the scripts.
@Suite("Index of the scripts")
struct ScriptIndexTests {
  private static let folder = Tool.project.appendingPathComponent("Scripts")

  private static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent(folder).path)
      .filter { !$0.hasPrefix(".") && $0 != "__pycache__" }.sorted()
  }

  @Test("The index lists every script and every folder")
  func listsAll() throws {
    let index = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
    var paths = try Self.names(in: "").filter { !["README.md", "checks", "compare", "make"].contains($0) }
    for folder in ["checks", "checks/servers", "checks/snapshots", "compare", "make"] {
      paths += try Self.names(in: folder).map { "\(folder)/\($0)" }
    }
    paths.removeAll { ["checks/servers", "checks/snapshots"].contains($0) }
    #expect(paths.count >= 50)
    for path in paths { #expect(index.contains("`\(path)`"), "Scripts/README.md does not list \(path)") }
  }

  @Test("The index names no script that does not exist")
  func namesNoMissing() throws {
    let index = try String(contentsOf: Self.folder.appendingPathComponent("README.md"), encoding: .utf8)
    let named = index.matches(of: /`((?:checks|compare|make)\/[\w.\/-]+)`/).map { String($0.1) }
    #expect(named.count >= 45)
    for path in named {
      #expect(
        FileManager.default.fileExists(atPath: Self.folder.appendingPathComponent(path).path),
        "Scripts/README.md names \(path)")
    }
  }

  @Test("At most twelve entries are at the top of Scripts")
  func fewEntries() throws {
    #expect(try Self.names(in: "").count <= 12)
  }
}
