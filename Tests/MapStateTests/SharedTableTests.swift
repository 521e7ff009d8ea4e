import Foundation
import MapFeatures
import MapJSON
import MapState
import Testing

/// Layers over one file share its rows, its index and its filters.
@Suite struct SharedTableTests {
  @Test("Forty layers over one file share its columns, index and filters")
  func layersOverOneFileShareIt() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let rows = (0..<2000).map { "\($0 % 40),\($0 % 7),\(Double($0 % 360) - 180),\(Double($0 % 170) - 85)" }
    try Data((["class,size,lon,lat"] + rows).joined(separator: "\n").utf8)
      .write(to: URL(filePath: "\(folder)/points.csv"))
    let layers: [JSONValue] = (0..<40).map { index in
      [
        "id": .string("l\(index)"), "title": .string("l\(index)"), "layerType": "ArcGISFeatureLayer",
        "url": "points.csv",
        "layerDefinition": [
          "definitionExpression": .string(index % 2 == 0 ? "class = \(index)" : "size > \(index % 5)")
        ],
      ]
    }
    let document = try await MapDocument.open(
      json: ["operationalLayers": .array(layers), "version": "2.29"], name: "shared", folder: folder)
    let tables = try document.layers.map { try #require($0.layer.source.inMemory) }
    #expect(tables.count == 40)
    #expect(tables.allSatisfy { $0.shares(indexOf: tables[0]) })
    #expect(tables[0].schema.fields.map(\.name) == ["class", "size", "lon", "lat"])
    let view = try MapView(map: document.map, width: 200, height: 200).freeze()
    var options = CountOptions()
    options.question.area = .everywhere
    let counts = try await view.counts(options).layers.map(\.count)
    let expected: [Int] = (0..<40).map { index in
      (0..<2000).count { row in index % 2 == 0 ? row % 40 == index : row % 7 > index % 5 }
    }
    #expect(counts == expected)
    // Of the layers with a size, each fifth has the same filter.
    #expect(tables[0].keptFilterCount == 25)
  }
}
