import Foundation
import MapGeometry
import MapJSON
import MapModel
import MapState
import MapTestSupport
import Testing

/// Features of heat maps at a point of a view.
@Suite struct HeatmapIdentifyTests {
  @Test("Points whose kernels cover a place are identified, the nearest first, in 200 views")
  func nearest() async throws {
    var random = SeededGenerator(seed: 4)
    let places = (0..<300).map { _ in
      (x: Double.random(in: -400...400, using: &random), y: Double.random(in: -300...300, using: &random))
    }
    let features = places.enumerated().map { index, place in
      "{\"attributes\":{\"OBJECTID\":\(index + 1),\"w\":\(index % 5)},\"geometry\":{\"x\":\(place.x),\"y\":\(place.y)}}"
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},"definitionExpression":"OBJECTID <> 7",
      "drawingInfo":{"renderer":{"type":"heatmap","field":"w","radius":15,"minDensity":0,"maxDensity":1,
      "colorStops":[{"ratio":0,"color":[0,0,0,0]},{"ratio":1,"color":[255,0,0,255]}]}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"w","type":"esriFieldTypeInteger"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    let document = try await MapDocument.withoutWarnings(json)
    var hits = 0
    for _ in 0..<200 {
      let center = (
        x: Double.random(in: -300...300, using: &random), y: Double.random(in: -200...200, using: &random)
      )
      let view = document.view(width: 200, height: 160, pixelRatio: 2, x: center.x, y: center.y)
      let (x, y) = (Double.random(in: 0...200, using: &random), Double.random(in: 0...160, using: &random))
      let ground = (x: center.x + x - 100, y: center.y + 80 - y)
      // 15 points are 20 pixels, and the tolerance is 3.
      let expected = places.indices.filter { index in
        let (dx, dy) = (places[index].x - ground.x, places[index].y - ground.y)
        return index % 5 > 0 && index != 6 && dx * dx + dy * dy < 23 * 23
      }.sorted { a, b in
        func distance(_ index: Int) -> Double {
          let (dx, dy) = (places[index].x - ground.x, places[index].y - ground.y)
          return dx * dx + dy * dy
        }
        return distance(a) < distance(b)
      }
      let found = try await view.rows(
        of: view.layers[0], hitAt: ScreenPoint(x: x, y: y), tolerance: 3, maximum: 5)
      #expect(found == Array(expected.prefix(5)))
      hits += found.count
    }
    #expect(hits > 100)
  }
}
