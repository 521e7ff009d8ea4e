package import MapGeometry

/// What geometries lost on their way into a table, counted.
package struct GeometryLosses: Sendable {
  /// Curves that became lines.
  package var curves = 0
  /// Geometries with coordinates beyond the second.
  package var flattened = 0
  /// Lines of one place and rings without area.
  package var droppedParts = 0

  /// Nothing lost.
  package init() {}

  /// Counts what the reading of a geometry remarked.
  package mutating func note(_ remarks: WellKnownBinary.Remarks) {
    if remarks.isFlattened { flattened += 1 }
    droppedParts += remarks.droppedParts
  }

  /// What to tell people.
  package func warnings(closedRings: Int) -> [String] {
    var warnings: [String] = []
    if curves > 0 {
      warnings.append("\(counted(curves)): curves became lines, with a vertex every 4 degrees of an arc")
    }
    if flattened > 0 {
      warnings.append("\(counted(flattened)): coordinates beyond the second (Z, M) were dropped")
    }
    if droppedParts > 0 {
      warnings.append("geometry: \(droppedParts) lines of one place or rings without area were left out")
    }
    if closedRings > 0 {
      warnings.append("geometry: \(closedRings) rings that do not end where they start were closed")
    }
    return warnings
  }

  private func counted(_ count: Int) -> String { count == 1 ? "1 geometry" : "\(count) geometries" }
}

/// The reference of coordinates that come without one: degrees where they can be, else Web Mercator.
package struct ReferenceGuess {
  /// The guess.
  package let reference: SpatialReference
  /// What to tell people.
  package let warning: String

  /// A guess by where the coordinates lie.
  package init(_ envelopes: EnvelopeColumns) {
    let box = envelopes.union(of: 0..<envelopes.count)
    let isDegrees =
      !(abs(box.xMin) > 180 || abs(box.xMax) > 180 || abs(box.yMin) > 90 || abs(box.yMax) > 90)
    reference = isDegrees ? .wgs84 : .webMercator
    warning =
      "no spatial reference is given: coordinates were read as \(isDegrees ? "WGS 84 (4326)" : "Web Mercator (3857)")"
  }
}
