import Glibc
import MapGeometry
import MapModel

/// The shapes of well-known marks, in a frame of 1 about the middle; y points up.
///
/// - Source: OGC 05-077r4, 11.3.2, which names six shapes without describing them. Design decision: those of GeoServer and
///   QGIS, with the star of MapServer.
struct SLDMark {
  /// The rings or lines.
  let parts: [[VectorMarkerSymbol.Vertex]]
  /// Whether the parts are rings.
  let isClosed: Bool

  /// The names of the shapes.
  static let names: Set<String> = Set(polygons.keys).union(lines.keys).union(["circle", "square"])

  /// Returns the shape with a name in any case; nil for another name.
  init?(_ written: String) {
    if written.lowercased().hasPrefix("wkt://") {
      guard let shape = Self.shape(ofText: String(written.dropFirst(6))) else { return nil }
      (parts, isClosed) = shape
      return
    }
    var name = written.lowercased()
    if name.hasPrefix("shape://") { name = String(name.dropFirst(8)) }
    name = Self.otherNames[name] ?? name
    if let lines = Self.lines[name] {
      (parts, isClosed) = (lines.map(Self.vertices), false)
    } else if let ring = Self.polygons[name] {
      (parts, isClosed) = ([Self.vertices(ring)], true)
    } else if name == "circle" || name == "dot" {
      let radius = name == "dot" ? 0.125 : 0.5
      (parts, isClosed) = ([Self.regular(96, radius: radius)], true)
    } else {
      return nil
    }
  }

  /// Returns the shape of a well-known text, whose larger side is 1, about the origin of its coordinates.
  ///
  /// - Source: GeoServer, "Point symbology", for marks of well-known text.
  private static func shape(
    ofText text: String
  ) -> (parts: [[VectorMarkerSymbol.Vertex]], isClosed: Bool)? {
    let geometry = try? WellKnownText.geometry(text)
    let rings = (geometry as? Polygon)?.parts
    guard let parts = rings ?? (geometry as? Polyline)?.parts else { return nil }
    let (xs, ys) = (parts.joined().map(\.x), parts.joined().map(\.y))
    guard let left = xs.min(), let right = xs.max(), let bottom = ys.min(), let top = ys.max() else {
      return nil
    }
    let size = max(right - left, top - bottom)
    guard size > 0, size.isFinite else { return nil }
    return (
      parts.map { part in part.map { VectorMarkerSymbol.Vertex(x: $0.x / size, y: $0.y / size) } },
      rings != nil
    )
  }

  private static let otherNames = [
    "equilateral_triangle": "triangle", "rectangle": "square", "cross2": "x", "cross_fill": "cross",
    "regular_star": "star", "filled_arrowhead": "carrow", "arrowhead": "oarrow", "line": "vertline",
  ]

  private static let polygons: [String: [Double]] = [
    "square": [-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5],
    "triangle": [0, 0.5, 0.5, -0.5, -0.5, -0.5],
    "star": [
      -0.5, 0.125, -0.15, 0.125, 0, 0.5, 0.15, 0.125, 0.5, 0.125, 0.25, -0.125,
      0.375, -0.5, 0, -0.25, -0.375, -0.5, -0.25, -0.125,
    ],
    "cross": [
      0.125, 0.5, 0.125, 0.125, 0.5, 0.125, 0.5, -0.125, 0.125, -0.125, 0.125, -0.5,
      -0.125, -0.5, -0.125, -0.125, -0.5, -0.125, -0.5, 0.125, -0.125, 0.125, -0.125, 0.5,
    ],
    "x": [
      0, 0.177, 0.323, 0.5, 0.5, 0.323, 0.177, 0, 0.5, -0.323, 0.323, -0.5, 0, -0.177,
      -0.323, -0.5, -0.5, -0.323, -0.177, 0, -0.5, 0.323, -0.323, 0.5,
    ],
    "diamond": [0, 0.5, 0.5, 0, 0, -0.5, -0.5, 0],
    "arrow": [0, 0.5, 0.5, 0, 0.25, 0, 0.25, -0.5, -0.25, -0.5, -0.25, 0, -0.5, 0],
    "pentagon": [0, 0.5, 0.476, 0.155, 0.294, -0.405, -0.294, -0.405, -0.476, 0.155],
    "hexagon": [
      0, 0.5, 0.433, 0.25, 0.433, -0.25, 0, -0.5, -0.433, -0.25, -0.433, 0.25,
    ],
    "octagon": [
      -0.207, 0.5, 0.207, 0.5, 0.5, 0.207, 0.5, -0.207, 0.207, -0.5, -0.207, -0.5,
      -0.5, -0.207, -0.5, 0.207,
    ],
    "carrow": [-0.5, 0.2, 0.5, 0, -0.5, -0.2],
  ]

  private static let lines: [String: [[Double]]] = [
    "vertline": [[0, -0.5, 0, 0.5]], "horline": [[-0.5, 0, 0.5, 0]],
    "slash": [[-0.5, -0.5, 0.5, 0.5]], "backslash": [[-0.5, 0.5, 0.5, -0.5]],
    "plus": [[-0.5, 0, 0.5, 0], [0, -0.5, 0, 0.5]],
    "times": [[-0.5, -0.5, 0.5, 0.5], [-0.5, 0.5, 0.5, -0.5]],
    "oarrow": [[-0.5, 0.2, 0.5, 0, -0.5, -0.2]],
  ]

  /// Returns the vertices of coordinates, x before y.
  private static func vertices(_ numbers: [Double]) -> [VectorMarkerSymbol.Vertex] {
    stride(from: 0, to: numbers.count - 1, by: 2).map { .init(x: numbers[$0], y: numbers[$0 + 1]) }
  }

  private static func regular(_ count: Int, radius: Double) -> [VectorMarkerSymbol.Vertex] {
    (0..<count).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(count)
      return .init(x: radius * sin(angle), y: radius * cos(angle))
    }
  }

  /// The directions of the lines of a hatch, counter-clockwise from the horizontal, and their distance as a part of the
  /// size; nil for a mark that is not a hatch.
  static func hatch(_ written: String) -> (angles: [Double], spacing: Double)? {
    switch written.lowercased() {
    case "shape://horline", "horline": ([0], 1)
    case "shape://vertline", "vertline", "line": ([90], 1)
    case "shape://slash", "slash": ([45], 0.5.squareRoot())
    case "shape://backslash", "backslash": ([135], 0.5.squareRoot())
    case "shape://plus", "plus": ([0, 90], 1)
    case "shape://times", "times": ([45, 135], 0.5.squareRoot())
    default: nil
    }
  }
}
