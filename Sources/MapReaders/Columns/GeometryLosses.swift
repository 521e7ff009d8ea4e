package import MapGeometry

/// The losses of geometries while a table is read, counted.
package struct GeometryLosses: Sendable {
  /// The number of curves that became lines.
  package var curves = 0
  /// The number of geometries with coordinates beyond the second.
  package var flattened = 0
  /// The number of dropped parts: lines of a single position and rings without area.
  package var droppedParts = 0

  /// Creates counts of zero.
  package init() {}

  /// Adds the losses of one geometry.
  package mutating func note(_ remarks: WellKnownBinary.Remarks) {
    if remarks.isFlattened { flattened += 1 }
    droppedParts += remarks.droppedParts
  }

  /// Returns the warnings about the losses.
  package func warnings(closedRings: Int) -> [String] {
    var warnings: [String] = []
    if curves > 0 {
      warnings.append("\(counted(curves)): curves became lines, with a vertex every 4 degrees of an arc")
    }
    if flattened > 0 {
      warnings.append("\(counted(flattened)): coordinates beyond the second (Z, M) were dropped")
    }
    if droppedParts > 0 {
      warnings.append("geometry: \(droppedParts) lines of a single point or rings without area were left out")
    }
    if closedRings > 0 {
      warnings.append("geometry: \(closedRings) rings that do not end where they start were closed")
    }
    return warnings
  }

  private func counted(_ count: Int) -> String { count == 1 ? "1 geometry" : "\(count) geometries" }
}

/// The assumed spatial reference of coordinates without one: WGS 84 if they can be degrees, else Web Mercator.
package struct ReferenceGuess {
  /// The assumed spatial reference.
  package let reference: SpatialReference
  /// The warning about the assumption.
  package let warning: String

  /// Chooses the spatial reference by the extent of the coordinates.
  package init(_ envelopes: EnvelopeColumns) {
    let box = envelopes.union(of: 0..<envelopes.count)
    let isDegrees =
      !(abs(box.xMin) > 180 || abs(box.xMax) > 180 || abs(box.yMin) > 90 || abs(box.yMax) > 90)
    reference = isDegrees ? .wgs84 : .webMercator
    warning =
      "no spatial reference is given: coordinates were read as \(isDegrees ? "WGS 84 (4326)" : "Web Mercator (3857)")"
  }
}
