import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Warnings about a service stand at the question that they are about.
@Suite("Reports: services")
struct ServiceReportTests {
  @Test("Only a filter with a function is warned of, at its own step and command")
  func functions() async throws {
    let server = try TestServer(
      OptionReportTests.cases.appendingPathComponent("17-strict-with-service/srv.py"))
    defer { server.stop() }
    let layer = server.address + "/rest/services/S/FeatureServer/0"
    let access = ["--allow-http", "--allow-private"]
    let plain = try await Tool.run(["count", layer, "--everywhere", "--strict"] + access)
    #expect(plain.code == 0, "\(plain)")
    #expect(plain.out == "250\n", "\(plain)")
    #expect(!plain.err.contains("functions"), "\(plain)")
    let filtered = try await Tool.run(
      ["count", layer, "--everywhere", "--where", "UPPER(NAME) = 'S1'", "--strict"] + access)
    let run = try await Tool.run(
      ["run", "-"] + access,
      input: """
        {"step": "open", "source": "\(layer)"}
        {"step": "count", "where": "UPPER(NAME) = 'S1'", "everywhere": true}
        {"step": "count", "everywhere": true}
        """)
    let warnings = try run.out.split(separator: "\n").map { line in
      try JSONValue(parsing: String(line))["warnings"]?.array?.compactMap(\.string) ?? []
    }
    try #require(warnings.count == 3, "\(run)")
    #expect(filtered.code == 1, "\(filtered)")
    #expect(filtered.out == "36\n", "\(filtered)")
    #expect(!warnings[0].contains { $0.contains("functions") }, "\(run)")
    #expect(warnings[1].contains { $0.contains("functions") }, "\(run)")
    #expect(warnings[2] == [], "\(run)")
  }

  @Test("Questions about a layer of mapstate-serve cause no warning, also with functions")
  func ownServer() async throws {
    let folder = try ScratchFolder()
    try folder.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1,"s":"a","t":"2024-04-01T00:00:00Z"},"#
        + #""geometry":{"type":"Point","coordinates":[1,2]}}]}"#, to: "p.geojson")
    let server = Tool.builtFolder.appendingPathComponent("mapstate-serve")
    let script = """
      "\(server.path)" p.geojson --port 0 --quiet 2> messages &
      trap "kill $!" EXIT
      n=0
      while ! grep -qs listening messages && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
      layer=$(grep -o 'http://[^/]*' messages)/maps/p/FeatureServer/0
      ask() { "\(Tool.url.path)" "$@" --allow-http --allow-private --strict || echo "exit $?"; }
      ask count "$layer" --everywhere
      ask count "$layer" --everywhere --where "UPPER(s) = 'A'"
      ask count "$layer" --everywhere --where "t >= DATE '2024-4-1 0:00'"
      ask count "$layer" --bounds 0,0,2,3 --time 2024-04-01
      ask query "$layer" --out-fields n --no-geometry --format csv
      ask render "$layer" -o a.png --bounds 0,0,5,5
      """
    let run = try await Tool.run(
      ["-c", script], folder: folder.root, program: URL(fileURLWithPath: "/bin/sh"))
    #expect(run.out == "1\n1\n1\n1\nOBJECTID,n\n1,1.0\n", "\(run)")
    #expect(run.err == "", "\(run)")
  }
}
