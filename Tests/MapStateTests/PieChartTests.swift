import Foundation
import MapJSON
import MapModel
import MapState
import Testing

/// Painted pie charts beside the shares of their fields.
@Suite struct PieChartTests {
  /// Renders a layer of one feature with three numbers at the centre of an image of 100 by 100 pixels.
  private static func image(
    _ numbers: (Double, Double, Double), members: String = "",
    type: String = "Point", geometry: String = #"{"x":0,"y":0}"#
  ) async throws -> RenderedMap {
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometry\(type)","spatialReference":{"wkid":3857},
      "drawingInfo":{"renderer":{"type":"pieChart","size":60\(members),
      "attributes":[{"field":"a","color":[255,0,0,255]},{"field":"b","color":[0,255,0,255]},
      {"field":"c","color":[0,0,255,255]}]}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"a","type":"esriFieldTypeDouble"},
      {"name":"b","type":"esriFieldTypeDouble"},{"name":"c","type":"esriFieldTypeDouble"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[{"attributes":
      {"OBJECTID":1,"a":\(numbers.0),"b":\(numbers.1),"c":\(numbers.2)},"geometry":\(geometry)}]}}]}}],
      "initialState":{"viewpoint":{"targetGeometry":{"xmin":-500,"ymin":-500,"xmax":500,"ymax":500,
      "spatialReference":{"wkid":3857}}}}}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    #expect(document.warnings.isEmpty)
    return try await MapView(map: document.map, width: 100, height: 100).freeze().render()
  }

  /// The colour at an angle clockwise from the top, at a distance from the centre of the image.
  private static func color(_ image: RenderedMap, _ degrees: Double, _ distance: Double = 25) -> [UInt8] {
    let angle = degrees * .pi / 180
    let place = (x: Int(50 + distance * sin(angle)), y: Int(50 - distance * cos(angle)))
    return Array(image.bitmap.pixels[(place.y * 100 + place.x) * 4..<(place.y * 100 + place.x) * 4 + 3])
  }

  private static let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = (
    [255, 0, 0], [0, 255, 0], [0, 0, 255]
  )

  @Test func `Slices follow each other clockwise from the top with their shares`() async throws {
    let image = try await Self.image((1, 1, 2))
    for degrees in stride(from: 2.5, to: 360, by: 5) {
      let wanted = degrees < 90 ? Self.red : degrees < 180 ? Self.green : Self.blue
      #expect(Self.color(image, degrees, 38) == wanted, "\(degrees)")
    }
    #expect(Self.color(image, 45, 42) == [255, 255, 255])
    #expect(image.report.layers[0].funnel?.drawn == 1)
    // Between two slices there are only mixtures of their colours.
    let seam = Self.color(image, 180, 25)
    #expect(Int(seam[1]) + Int(seam[2]) >= 254 && seam[0] == 0)
  }

  @Test func `A chart may have a hole, an outline, and a size by a field`() async throws {
    let ring = try await Self.image(
      (1, 1, 2),
      members: """
        ,"holePercentage":0.5,"outline":{"type":"esriSLS","style":"esriSLSSolid","color":[0,0,0,255],"width":3},
        "visualVariables":[{"type":"sizeInfo","field":"c","minDataValue":0,"maxDataValue":4,"minSize":0,
        "maxSize":60}]
        """)
    #expect(Self.color(ring, 45, 0) == [255, 255, 255])
    #expect(Self.color(ring, 45, 14) == Self.red)
    #expect(Self.color(ring, 135, 20).allSatisfy { $0 < 60 })
    #expect(Self.color(ring, 135, 10).allSatisfy { $0 < 60 })
    #expect(Self.color(ring, 45, 25) == [255, 255, 255])
  }

  @Test func `A feature without numbers above 0 has no chart, or one of the default colour`() async throws {
    let none = try await Self.image((0, -1, 0))
    #expect(none.report.layers[0].funnel?.drawn == 0)
    #expect(none.report.layers[0].warnings.count == 1)
    let plain = try await Self.image((0, -1, 0), members: ",\"defaultColor\":[90,90,90,255]")
    #expect(Self.color(plain, 200) == [90, 90, 90])
  }

  @Test func `An area has its chart at its centre`() async throws {
    let image = try await Self.image(
      (0, 0, 1), type: "Polygon",
      geometry: #"{"rings":[[[-400,-400],[-400,400],[400,400],[400,-400],[-400,-400]]]}"#)
    #expect(Self.color(image, 10, 0) == Self.blue)
    #expect(Self.color(image, 45, 46) == [255, 255, 255])
  }
}
