import Foundation
import MapJSON
import MapModel
import MapReaders
import MapStyles
import MapTestSupport
import MapTiles
import Testing

/// The rows of a style layer's filter, found by an index of values, against an evaluation feature by feature.
@Suite struct StyleRowIndexTests {
  private static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("../../\(name)").standardizedFileURL
  }

  /// Filters on one property, on several, on missing ones, with errors, and on the kind.
  private static let filters: [(String, JSONValue)] = [
    ("transportation", ["==", "class", "minor"]), ("transportation", ["==", ["get", "class"], "minor"]),
    ("transportation", ["all", ["==", "class", "minor"], ["!in", "brunnel", "tunnel", "bridge"]]),
    ("transportation", ["all", ["==", "$type", "LineString"], ["in", "class", "primary", "secondary"]]),
    ("transportation", ["!=", "class", "minor"]), ("transportation", ["!has", "brunnel"]),
    ("transportation", ["==", "none", "x"]),
    ("transportation", ["any", ["==", "class", "rail"], ["has", "ramp"]]),
    (
      "transportation",
      ["all", ["any", ["==", "class", "rail"], ["==", "class", "path"]], ["==", "class", "path"]]
    ),
    ("poi", ["all", [">", "rank", 10], ["==", "class", "restaurant"]]), ("poi", ["<", "rank", 3]),
    ("poi", ["==", "rank", 7]),
    ("poi", ["in", "rank", 3, 5, 3]), ("poi", ["==", ["get", "rank"], 7]),
    ("poi", ["==", 4, ["get", "rank"]]),
    ("poi", ["==", ["+", ["get", "rank"], 1], 7]), ("poi", ["in", "rank", 3, "5"]),
    ("poi", ["!=", "rank", 7]),
    ("poi", ["all", [">", ["get", "name"], 5], ["==", ["get", "class"], "bar"]]),
    ("poi", ["match", ["get", "class"], ["bar", "cafe"], true, false]),
    ("building", ["has", "render_height"]),
    ("building", ["all"]), ("building", ["any"]), ("building", ["==", "$type", "Point"]),
  ]

  @Test("The rows that an index finds are those that pass the filter one by one")
  func rows() throws {
    let archive = try TileArchive(Self.url("Styles/tiles/helsinki.pmtiles").path)
    let style = try StyleDocument(
      JSONValue(
        parsing: [UInt8](try Data(contentsOf: Self.url("Tests/MapStylesTests/Cases/osm-bright.json")))))
    let own = try StyleDocument([
      "version": 8, "sources": ["s": ["type": "vector", "url": "a"]],
      "layers": .array(
        Self.filters.enumerated().map { index, item in
          [
            "id": .string("\(index)"), "type": "line", "source": "s", "source-layer": .string(item.0),
            "filter": item.1,
          ]
        }),
    ])
    #expect(own.layers.count == Self.filters.count && own.problems.isEmpty, "\(own.problems)")
    var (asked, found, partial) = (0, 0, 0)
    for zoom in [12, 13, 14] {
      let context = StyleContext(zoom: Double(zoom))
      for tile in try archive.tiles(zoom: zoom) {
        let layers = try VectorTile(try #require(try archive.bytes(at: tile))).layers
        for (layer, features) in layers.map({ ($0, StyleFeatures($0, in: tile)) }) {
          for item in (style.layers + own.layers) where item.sourceLayer == layer.name {
            let rows = StyleLayerView(item, context).rows(of: features)
            let expected = (0..<Int32(features.count)).filter {
              item.accepts(features.feature(row: Int($0)), context)
            }
            #expect(rows == expected, "\(item.id) \(tile)")
            asked += 1
            if !rows.isEmpty { found += 1 }
            if !rows.isEmpty, rows.count < features.count { partial += 1 }
          }
        }
      }
    }
    #expect(asked > 400 && found > 100 && partial > 60, "\(asked) \(found) \(partial)")
  }
}
