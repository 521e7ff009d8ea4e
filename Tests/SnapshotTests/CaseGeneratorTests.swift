import Foundation
import MapJSON
import MapSnapshots
import MapState
import Testing

/// Generated cases for all symbols of the project's documents.
@Suite struct CaseGeneratorTests {
  private static let styles =
    "\(#filePath)".split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Styles"

  @Test("The case generator makes a case per class, filter mode and scale")
  func makesEachClassInEachModeAtEachScale() async throws {
    let folder = NSTemporaryDirectory() + "mapstate-\(UUID().uuidString)/Cases"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var generator = CaseGenerator(document: Self.styles + "/us-counties.json")
    generator.size = (80, 60)
    var made: [CaseGenerator.Case] = []
    try await generator.generate(into: folder) { made.append($0) }
    #expect(Set(made.map(\.name)).count == made.count)
    // States: 1 class, no filter; Counties: 6 classes and the default, 4 modes; 3 scales each.
    #expect(made.count { $0.name.hasPrefix("states/") } == 3)
    #expect(made.contains { $0.name.hasPrefix("counties/2-7-to-9-none-far") && !$0.isBlank })
    #expect(made.contains { $0.name == "map/start" && !$0.isBlank })
    for item in made { #expect(item.text.isEmpty == item.isBlank, "\(item.name)") }
    let shown = try #require(made.first { !$0.isBlank })
    let own = "\(folder)/\(shown.name)"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    try Data(shown.text.utf8).write(to: URL(filePath: "\(own)/case.json"))
    let snapshot = try SnapshotCase(shown.name, in: folder)
    try await snapshot.record()
    #expect(await snapshot.verify().outcome == .same)
  }

  @Test("Each label class gets a case that shows it, also inside an area larger than the view")
  func labelClasses() async throws {
    let folder = NSTemporaryDirectory() + "mapstate-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func square(_ x: Double, _ kind: String) -> JSONValue {
      let ring: [JSONValue] = [(x, 0.0), (x, 9000), (x + 9000, 9000), (x + 9000, 0), (x, 0)].map {
        [.number($0.0), .number($0.1)]
      }
      return ["attributes": ["kind": .string(kind)], "geometry": ["rings": [.array(ring)]]]
    }
    func labels(_ kind: String, minScale: Double) -> JSONValue {
      [
        "name": .string(kind), "labelExpressionInfo": ["expression": "$feature[\"kind\"]"],
        "where": .string("kind = '\(kind)'"), "minScale": .number(minScale),
        "symbol": [
          "type": "esriTS", "color": [0, 0, 0, 255], "font": ["family": "Noto Sans", "size": 9],
        ],
      ]
    }
    let json: JSONValue = [
      "spatialReference": ["wkid": 3857],
      "operationalLayers": [
        [
          "title": "Areas", "showLabels": true,
          "featureCollection": [
            "layers": [
              [
                "layerDefinition": [
                  "geometryType": "esriGeometryPolygon", "spatialReference": ["wkid": 3857],
                  "fields": [["name": "kind", "type": "esriFieldTypeString"]],
                  "drawingInfo": [
                    "renderer": [
                      "type": "simple",
                      "symbol": ["type": "esriSFS", "style": "esriSFSSolid", "color": [90, 150, 90, 255]],
                    ],
                    "labelingInfo": [labels("wood", minScale: 20_000), labels("park", minScale: 0)],
                  ],
                ],
                "featureSet": [
                  "features": [square(0, "wood"), square(40_000, "meadow"), square(80_000, "park")]
                ],
              ]
            ]
          ],
        ]
      ],
    ]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(json.text().utf8).write(to: URL(filePath: "\(folder)/map.json"))
    var made: [CaseGenerator.Case] = []
    try await CaseGenerator(document: "\(folder)/map.json").generate(into: folder + "/Cases") {
      made.append($0)
    }
    for name in ["map/areas-labels-wood-minscale-below", "map/areas-labels-park"] {
      let item = try #require(made.first { $0.name == name }, "\(made.map(\.name))")
      #expect(item.omission == nil, "\(name): \(item.omission ?? "")")
    }
    #expect(!made.contains { ($0.omission ?? "").contains("fewer than 100") && $0.name.hasPrefix("map/") })
  }

  @Test("Cases of a joined document name its table from their own folder")
  func joins() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cases-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }
    try write("id,lon,lat\n1,0,0\n2,1,1\n3,2,0\n", to: "p.csv")
    try write("code,rate\n1,5\n2,6\n3,7\n", to: "rates.csv")
    var generator = CaseGenerator(document: "\(folder)/p.csv")
    generator.joins.joins = [LayerJoin("p: \(folder)/rates.csv:code=id")]
    generator.joins.takesFirst = true
    var made: [CaseGenerator.Case] = []
    try await generator.generate(into: folder + "/Cases") { made.append($0) }
    let whole = try #require(made.first { $0.name.hasPrefix("map/") && $0.omission == nil }, "\(made)")
    let json = try JSONValue(parsing: whole.text)
    #expect(json["join"]?.array?.map(\.string) == ["p: ../../../rates.csv:code=id"])
    #expect(json["joinFirst"]?.boolean == true)
    // The case reads the table from its folder.
    var drawn = try #require(json.object)
    drawn["definition"] = "rate > 5"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/Cases/\(whole.name)", withIntermediateDirectories: true)
    let snapshot = try SnapshotCase(.object(drawn), folder: "\(folder)/Cases/\(whole.name)", name: whole.name)
    let view = try await snapshot.view().freeze()
    #expect(try await view.counts(CountOptions()).layers.first?.count ?? 0 >= 1)
  }
}
