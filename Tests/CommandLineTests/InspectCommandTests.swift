import Foundation
import MapTestSupport
import Testing

@Suite("inspect")
struct InspectCommandTests {
  @Test("Layers are inspected as text and as JSON")
  func textAndJSON() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let text = try await Tool.run("inspect", map)
    #expect(text.code == 0)
    #expect(text.err == "")
    for part in [
      "Square  (polygon, 1 feature)", "Places  (point, 8 features)", "definition  n > 1",
      "display     Only a (active): kind = 'a'", "field       half", "renderer    simple",
    ] {
      #expect(text.out.contains(part), "\(part) in \(text.out)")
    }
    let one = try await Tool.run("inspect", map, "--layer", "places")
    #expect(one.out.hasPrefix("Places"))
    #expect(!one.out.contains("Square"))
    let json = try await Tool.run("inspect", map, "--format", "json")
    let answer = try #require(JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
    let layers = try #require(answer["layers"] as? [[String: Any]])
    #expect(layers.map { $0["features"] as? Int } == [1, 8])
    #expect(layers[1]["extent"] as? [Double] == [0, 0, 7, 0])
    let fields = try #require(layers[1]["fields"] as? [[String: Any]])
    #expect(fields.map { $0["name"] as? String } == ["id", "n", "half", "kind", "day"])
    #expect((answer["warnings"] as? [Any])?.isEmpty == true)
    #expect(try await Tool.run("inspect", map, "--strict").code == 0)
  }

  @Test("A warning makes inspect fail with --strict only")
  func strictFailsOnAWarning() async throws {
    let folder = try ScratchFolder()
    _ = try SmallMap.write(to: folder)
    let odd = SmallMap.document().replacing(
      "\"operationalLayers\": [",
      with:
        #""operationalLayers": [{"id": "t", "title": "Tiles", "layerType": "ArcGISTiledMapServiceLayer", "url": "http://example.com"},"#
    )
    let path = try folder.write(odd, to: "odd.json")
    let lax = try await Tool.run("inspect", path)
    #expect(lax.code == 0, "\(lax)")
    #expect(lax.out.contains("Tiles"), "\(lax)")
    #expect(lax.out.contains("warning: "), "\(lax)")
    let strict = try await Tool.run("inspect", path, "--strict")
    #expect(strict.code == 1, "\(strict)")
    #expect(strict.errors.count == 1, "\(strict)")
    #expect(strict.out == lax.out, "\(strict)")
  }
}
