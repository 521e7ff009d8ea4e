import MapModel

/// The shape of a marker.
package enum MarkerShape: String, Hashable, Sendable, CaseIterable {
  /// A circle of diameter `size`.
  case circle
  /// Two strokes, vertical and horizontal.
  case cross
  /// A square that stands on its corner.
  case diamond
  /// An upright square of side `size`.
  case square
  /// An equilateral triangle with its centroid at the marker's point.
  case triangle
  /// Two strokes along the diagonals.
  case x

  /// Whether the shape consists of strokes only and has no inside.
  package var isOpen: Bool { self == .cross || self == .x }

  /// The chains of the shape in a frame from -50 to 50, y up; none for the circle.
  ///
  /// - Source: ArcGIS Maps SDK for JavaScript, simple markers. The triangle is as high as the frame.
  private var chains: [[(x: Double, y: Double)]] {
    switch self {
    case .circle: []
    case .square: [[(-50, 50), (50, 50), (50, -50), (-50, -50)]]
    case .diamond: [[(-50, 0), (0, 50), (50, 0), (0, -50)]]
    case .triangle: [[(-57.735, -33.333), (0, 66.667), (57.735, -33.333)]]
    case .cross: [[(0, 50), (0, -50)], [(-50, 0), (50, 0)]]
    case .x: [[(-50, 50), (50, -50)], [(-50, -50), (50, 50)]]
    }
  }

  /// Returns the chains of the shape about the origin in pixels, y down, rotated clockwise by `angle` degrees.
  package func outline(size: Double, angle: Double) -> [[(x: Double, y: Double)]] {
    chains.map { chain in
      chain.map { Self.turned(x: $0.x * size / 100, y: -$0.y * size / 100, angle: angle) }
    }
  }

  /// Returns a point rotated clockwise about the origin, y down.
  static func turned(x: Double, y: Double, angle: Double) -> (x: Double, y: Double) {
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(angle)
    return (x * cosine - y * sine, x * sine + y * cosine)
  }

  /// The distance from the marker's point to the farthest point of the shape, for a frame of side 1.
  package var radius: Double {
    switch self {
    case .circle, .cross, .diamond: 0.5
    case .square, .x: 0.5 * 2.0.squareRoot()
    case .triangle: 0.66667
    }
  }
}
