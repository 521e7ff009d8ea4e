import MapJSON

extension SpatialReference: CustomStringConvertible {
  /// The well-known ID, such as `WKID 4326`.
  public var description: String { "WKID \(wkid)" }
}

extension WKID: CustomStringConvertible {
  /// The well-known ID, such as `WKID 4326`.
  public var description: String { "WKID \(rawValue)" }
}

extension Point: CustomStringConvertible {
  /// The coordinates and the spatial reference, such as `Point(5, 45, WKID 4326)`.
  public var description: String {
    let depths = [("z", z), ("m", m)].compactMap { name, value in
      value.map { "\(name): \(JSONWriter.text(of: $0))" }
    }
    let numbers = isEmpty ? ["empty"] : [x, y].map { JSONWriter.text(of: $0) } + depths
    return "Point(\(numbers.described(in: spatialReference)))"
  }
}

extension Envelope: CustomStringConvertible {
  /// Minimum x and y, maximum x and y, and the spatial reference, such as `Envelope(5, 45, 15, 55, WKID 4326)`.
  public var description: String {
    let depths = [("z", zMin, zMax), ("m", mMin, mMax)].compactMap { name, low, high in
      low.flatMap { low in
        high.map { "\(name): \(JSONWriter.text(of: low))...\(JSONWriter.text(of: $0))" }
      }
    }
    return "Envelope(\((cornerTexts + depths).described(in: spatialReference)))"
  }

  /// The corners as texts; `empty` for an envelope without any.
  fileprivate var cornerTexts: [String] {
    isEmpty ? ["empty"] : [xMin, yMin, xMax, yMax].map { JSONWriter.text(of: $0) }
  }
}

extension Multipoint: CustomStringConvertible {
  /// The number of points, the extent and the spatial reference, such as
  /// `Multipoint(2 points, extent 5, 45, 15, 55, WKID 4326)`.
  public var description: String { "Multipoint(\(summary([points.count.counted("point")])))" }
}

extension Polyline: CustomStringConvertible {
  /// The numbers of parts and points, the extent and the spatial reference, such as
  /// `Polyline(1 part, 2 points, extent 5, 45, 15, 55, WKID 4326)`.
  public var description: String { "Polyline(\(summary(parts.counts)))" }
}

extension Polygon: CustomStringConvertible {
  /// The numbers of parts and points, the extent and the spatial reference, such as
  /// `Polygon(1 part, 5 points, extent 5, 45, 15, 55, WKID 4326)`.
  public var description: String { "Polygon(\(summary(parts.counts)))" }
}

extension GeometryForm: CustomStringConvertible {
  /// The description of the geometry.
  public var description: String {
    switch self {
    case .point(let point): point.description
    case .multipoint(let points): points.description
    case .polyline(let line): line.description
    case .polygon(let polygon): polygon.description
    case .envelope(let envelope): envelope.description
    }
  }
}

extension CoordinateBuffer: CustomStringConvertible {
  /// The number of rows, such as `CoordinateBuffer(3 rows)`.
  public var description: String { "CoordinateBuffer(\(rowCount.counted("row")))" }
}

extension Geometry {
  /// Counts, extent and spatial reference between commas.
  fileprivate func summary(_ counts: [String]) -> String {
    let extent = extent.cornerTexts.joined(separator: ", ")
    return (counts + [isEmpty ? "empty" : "extent \(extent)"]).described(in: spatialReference)
  }
}

extension [String] {
  /// The texts and the spatial reference, if any, between commas.
  fileprivate func described(in reference: SpatialReference?) -> String {
    (self + (reference.map { [$0.description] } ?? [])).joined(separator: ", ")
  }
}

extension [[Point]] {
  fileprivate var counts: [String] {
    [count.counted("part"), reduce(0) { $0 + $1.count }.counted("point")]
  }
}

extension Int {
  /// The number with a noun in the singular or plural, such as `3 points`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
