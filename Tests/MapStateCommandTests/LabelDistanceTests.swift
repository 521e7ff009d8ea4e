import Foundation
import MapDrawing
import MapGeometry
import MapScript
import MapState
import MapTestSupport
import Testing

/// The labels of points in whole maps, beside all markers.
@Suite("Distances of labels from markers")
struct LabelDistanceTests {
  /// The markers of a view, each a circle in its box, and the letters of its labels, with their rows.
  private struct Scene {
    var markers: [(row: Int32, box: Envelope, isLarge: Bool)] = []
    var labels: [(row: Int32, letters: Envelope, line: Envelope?)] = []
  }

  private static func scene(_ document: MapDocument, latitude: Double, longitude: Double, scale: Double)
    async throws -> Scene
  {
    var request = ViewRequest()
    request.size = ViewSize(width: 900, height: 620)
    request.place = .center(Point(latitude: latitude, longitude: longitude), scale: scale)
    let list = try await document.view(request).freeze().displayList()
    var scene = Scene()
    for case .markers(let batch) in list.layers.flatMap(\.batches) {
      for item in batch.x.indices {
        let style = batch.styles[Int(batch.style[item])]
        let half = (style.size + (style.outline?.width ?? 0)) / 2
        let center = Envelope(
          xMin: batch.x[item], yMin: batch.y[item], xMax: batch.x[item], yMax: batch.y[item])
        scene.markers.append((batch.row[item], center.grown(by: half), style.size > 12))
      }
    }
    for case .labels(let batch) in list.labels.flatMap(\.batches) {
      // The line to a label is painted before it.
      var leader: Envelope?
      for item in batch.items {
        defer { leader = item.leader?.box }
        guard item.leader == nil else { continue }
        scene.labels.append(
          (item.row, item.box.grown(by: -batch.styles[Int(item.style)].haloWidth), leader))
      }
    }
    return scene
  }

  /// Returns the distance of a marker from letters; small circles count as their boxes.
  private static func distance(_ marker: (row: Int32, box: Envelope, isLarge: Bool), _ b: Envelope) -> Double
  {
    let radius = marker.isLarge ? marker.box.width / 2 : 0
    let a = marker.box.grown(by: -radius)
    let (dx, dy) = (max(a.xMin - b.xMax, b.xMin - a.xMax, 0), max(a.yMin - b.yMax, b.yMin - a.yMax, 0))
    return max((dx * dx + dy * dy).squareRoot() - radius, 0)
  }

  /// Returns whether a marker looks like a part of another: at one position, inside it, or much smaller at its edge.
  private static func isPart(_ marker: Envelope, of other: Envelope) -> Bool {
    let reach = (other.width + marker.width) / 2
    let isAtEdge =
      abs(other.center.x - marker.center.x) < reach && abs(other.center.y - marker.center.y) < reach
    return other.grown(by: 0.3).contains(marker)
      || (isAtEdge && 3 * marker.width * marker.height <= other.width * other.height)
  }

  @Test("In ten maps, no name of more than 1,000 is nearer to another marker than to its own")
  func tenMaps() async throws {
    let views: [(latitude: Double, longitude: Double, scale: Double)] = [
      (50, 14, 14e6), (68, 20, 20e6), (32, 118, 16e6), (-20, -60, 30e6),
    ]
    let plain = try await MapDocument.open(Tool.cityData)
    var (named, sized) = (StyleRequest(), StyleRequest())
    (named.label, sized.label, sized.sizeBy) = ("CITY_NAME", "CITY_NAME", "POP")
    // The document has unique values, and label classes of several priorities.
    let documents = [
      try await plain.styled(named), try await plain.styled(sized), try await MapDocument.open(Tool.cities),
    ]
    var maps: [(document: MapDocument, view: (latitude: Double, longitude: Double, scale: Double))] = []
    for document in documents { maps += views.map { (document, $0) } }
    maps.removeLast(2)
    #expect(maps.count == 10)
    var (names, under, lines) = (0, 0, 0)
    for (index, map) in maps.enumerated() {
      let view = map.view
      let scene = try await Self.scene(
        map.document, latitude: view.latitude, longitude: view.longitude, scale: view.scale)
      var faults: [String] = []
      for label in scene.labels {
        guard
          let own = scene.markers.filter({ $0.row == label.row }).min(by: {
            Self.distance($0, label.letters) < Self.distance($1, label.letters)
          })
        else {
          faults.append("\(label.row) has no marker")
          continue
        }
        names += 1
        if let line = label.line {
          lines += 1
          #expect(line.meets(own.box.grown(by: 1)) && line.meets(label.letters.grown(by: 1)))
          continue
        }
        let distance = Self.distance(own, label.letters)
        for marker in scene.markers where marker.row != label.row {
          if Self.isPart(marker.box, of: own.box) { continue }
          let other = Self.distance(marker, label.letters)
          if other == 0 {
            under += 1
          } else if other < distance {
            faults.append("\(label.row) \(marker.row)")
          }
        }
      }
      #expect(faults.isEmpty, "map \(index): \(faults.count) of \(scene.labels.count): \(faults.prefix(5))")
    }
    #expect(names > 1000, "\(names)")
    // The letters of large names lie over a few smaller markers.
    #expect(under > 0 && under < names / 3, "\(under)")
    #expect(lines > 0 && lines < names / 10, "\(lines)")
  }
}
