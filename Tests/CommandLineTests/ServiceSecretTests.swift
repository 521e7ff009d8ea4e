import Foundation
import MapTestSupport
import Testing

/// A secret planted in an address, a document or the credentials is used and never shown.
@Suite("secrets of services")
struct ServiceSecretTests {
  private static let secret = "planted-secret-4711"
  private static let server = Result {
    try TestServer(
      Tool.project.appendingPathComponent("Tests/MapServicesTests/Servers/arcgis_server.py"),
      [Tool.project.appendingPathComponent("Styles/data").path])
  }

  let folder: ScratchFolder
  let cities: String

  init() throws {
    folder = try ScratchFolder()
    cities = try Self.server.get().address + "/arcgis/rest/services/Cities/FeatureServer/0"
  }

  /// All names and contents of files that the tool wrote.
  private func leavings() throws -> String {
    var text = ""
    for case let file as URL in FileManager.default.enumerator(
      at: folder.root, includingPropertiesForKeys: nil) ?? .init()
    {
      text += file.lastPathComponent + "\n"
      text += (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return text
  }

  private func expectNone(_ run: Tool.Run, code: Int32 = 0) throws {
    #expect(run.code == code, "\(run.err)")
    for text in [run.out, run.err, try leavings()] {
      // Without the hyphen, a measured time could contain the number.
      #expect(!text.contains("-4711"))
      #expect(!text.contains("planted"))
    }
  }

  @Test("A token in a source's address appears in no output or recorded file")
  func inAnAddress() async throws {
    let url = "\(cities)?token=\(Self.secret)"
    for arguments in [
      ["count", url, "--where", "POP > 1000000", "--record", "counted"],
      ["inspect", url, "--format", "json"],
      ["query", url, "--where", "POP > 20000000", "--format", "csv"],
      [
        "render", url, "-o", "a.png", "--report", "a.json", "--save-document", "map.json", "--size",
        "300x200",
        "--bounds", "0,40,10,50,4326", "--record", "drawn",
      ],
      [
        "render", url, "-o", "b.png", "--size", "300x200", "--bounds", "0,40,10,50,4326", "--replay", "drawn",
      ],
    ] { try expectNone(try await Tool.run(arguments, folder: folder.root)) }
    #expect(try Data(contentsOf: folder.url("a.png")) == Data(contentsOf: folder.url("b.png")))
    // The written document still names its layer.
    let again = try await Tool.run(
      ["count", "map.json", "--everywhere", "--allow-private"], folder: folder.root)
    #expect(again.out.hasPrefix("10020"), "\(again)")
  }

  @Test(
    "A token in an address appears in no error message",
    arguments: [
      "/arcgis/rest/services/Nothing/FeatureServer/0", "/elsewhere",
      "/fault/garbage/arcgis/rest/services/Cities/FeatureServer/0",
      "/arcgis/rest/services/Cities/FeatureServer/0", "/arcgis/rest/services/Cities/FeatureServer/7",
    ])
  func inErrors(path: String) async throws {
    let url = try Self.server.get().address + path + "?token=\(Self.secret)"
    let run = try await Tool.run(["count", url, "--where", "NOTHING = 1"], folder: folder.root)
    #expect(run.code == 2 || run.code == 3)
    try expectNone(run, code: run.code)
    for other in ["ftp://gis.invalid/x?token=", "http://gis.invalid/FeatureServer/0?token="] {
      let run = try await Tool.run(["count", other + Self.secret], folder: folder.root)
      try expectNone(run, code: run.code)
      #expect(run.errors.count == 1)
    }
  }

  @Test("A token in a document's addresses appears in no output")
  func inADocument() async throws {
    let map = """
      {"operationalLayers":[{"id":"a","title":"Cities","url":"\(cities)?token=SECRET"},
       {"id":"b","title":"None","url":"\(cities)7?token=SECRET"}]}
      """
    // Read from standard input: no file of the test contains the secret.
    let run = try await Tool.run(
      ["inspect", "-", "--allow-private"], input: map.replacing("SECRET", with: Self.secret),
      folder: folder.root)
    try expectNone(run, code: run.code)
    #expect(run.out.contains("10020") || run.code == 3, "\(run)")
    let step = #"{"step":"open","source":"\#(cities)?token=\#(Self.secret)","size":[300,200]}"#
    let session = try await Tool.run(
      ["run", "-"], input: step + "\n" + #"{"step":"count"}"# + "\n", folder: folder.root)
    try expectNone(session)
    #expect(session.out.contains("\"count\""))
  }

  @Test("A token from the credentials file appears in no output or recording")
  func inCredentials() async throws {
    let keys = try folder.write(
      #"{"\#(try Self.server.get().address)": {"token": "$PLANTED"}}"#, to: "keys.json")
    func run(_ variables: [String], _ arguments: [String]) async throws -> Tool.Run {
      try await Tool.run(
        variables + ["MAPSTATE_CREDENTIALS=\(keys)", Tool.url.path] + arguments, folder: folder.root,
        program: URL(fileURLWithPath: "/usr/bin/env"))
    }
    let count = ["count", cities, "--record", "kept"]
    let missing = try await run([], count)
    #expect(missing.code == 3, "\(missing.err)")
    #expect(missing.err.contains("no environment variable"), "\(missing.err)")
    try folder.write(#"{"\#(try Self.server.get().address)": {"token": "$K4"}}"#, to: "keys.json")
    let asked = try await run(["K4=\(Self.secret)"], count)
    try expectNone(asked)
    #expect(asked.out == "10020\n")
    // A replay needs neither the secret nor the network.
    let replayed = try await Tool.run(["count", cities, "--replay", "kept"], folder: folder.root)
    #expect(replayed.out == "10020\n")
  }
}
