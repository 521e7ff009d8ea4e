package import MapGeometry

/// The losses of geometries while a table is read, counted.
package struct GeometryLosses: Sendable {
  /// The step in degrees at which an arc becomes a line: within 1/8 pixel up to a radius of 3,280 pixels.
  package static let arcStep = 1.0

  /// The number of curves that became lines.
  package var curves = 0
  /// The number of geometries with coordinates beyond the second.
  package var flattened = 0
  /// The number of dropped parts: lines of a single position and rings without area.
  package var droppedParts = 0

  /// The number of collections of several kinds of geometry, which are rows without geometry.
  package var mixedCollections = 0

  /// The number of collections of one kind, which are geometries of several parts.
  package var joinedCollections = 0

  /// The SRIDs that geometries state, which the reader applies or reports.
  private(set) var srids: Set<Int> = []
  /// The number of geometries that state no SRID.
  private(set) var withoutSRID = 0

  /// The message about curves.
  static let curved = "curves became lines, with a vertex every degree of an arc"
  /// The message about collections of one kind.
  static let joined = "collections of one kind of geometry were read as geometries of several parts"
  /// The message about collections of several kinds.
  static let collections = "collections of several kinds of geometry were read as rows without geometry"

  /// Creates counts of zero.
  package init() {}

  /// Adds the losses of one geometry.
  package mutating func note(_ remarks: WellKnownBinary.Remarks) {
    if remarks.isFlattened { flattened += 1 }
    droppedParts += remarks.droppedParts
    if remarks.isJoined { joinedCollections += 1 }
    if remarks.isOfSeveralKinds { mixedCollections += 1 }
    note(srid: remarks.srid)
  }

  /// Adds the SRID of one geometry; nil for one without.
  mutating func note(srid: Int?) {
    if let srid { srids.insert(srid) } else { withoutSRID += 1 }
  }

  /// Adds the losses of a later part.
  mutating func append(_ part: GeometryLosses) {
    curves += part.curves
    flattened += part.flattened
    droppedParts += part.droppedParts
    mixedCollections += part.mixedCollections
    joinedCollections += part.joinedCollections
    srids.formUnion(part.srids)
    withoutSRID += part.withoutSRID
  }

  /// Returns the warnings about the losses, and about what the builder of the geometries changed.
  package func warnings(of geometry: CoordinateBuilder) -> [String] {
    var warnings: [String] = []
    if curves > 0 {
      warnings.append("\(Self.counted(curves)): \(Self.curved)")
    }
    if flattened > 0 {
      warnings.append("\(Self.counted(flattened)): coordinates beyond the second (Z, M) were dropped")
    }
    if droppedParts > 0 {
      warnings.append("geometry: \(droppedParts) lines of a single point or rings without area were left out")
    }
    if joinedCollections > 0 { warnings.append("\(Self.counted(joinedCollections)): \(Self.joined)") }
    if mixedCollections > 0 { warnings.append("\(Self.counted(mixedCollections)): \(Self.collections)") }
    if geometry.closedRings > 0 {
      warnings.append("geometry: \(geometry.closedRings) rings that do not end where they start were closed")
    }
    return warnings + geometry.overlapWarnings
  }

  static func counted(_ count: Int) -> String { count == 1 ? "1 geometry" : "\(count) geometries" }
}

/// The assumed spatial reference of coordinates without one: WGS 84 if they can be degrees, else Web Mercator.
package struct ReferenceGuess {
  /// The assumed spatial reference.
  package let reference: SpatialReference
  /// The warning about the assumption.
  package let warning: String

  /// Chooses the spatial reference by the extent of the coordinates.
  package init(_ envelopes: EnvelopeColumns) { self.init([envelopes]) }

  /// Chooses the spatial reference by the extents of the coordinates of several kinds.
  package init(_ envelopes: [EnvelopeColumns]) {
    let box = envelopes.reduce(Envelope.empty) { $0.union($1.union(of: 0..<$1.count)) }
    let isDegrees =
      !(abs(box.xMin) > 180 || abs(box.xMax) > 180 || abs(box.yMin) > 90 || abs(box.yMax) > 90)
    reference = isDegrees ? .wgs84 : .webMercator
    warning = Self.warning(reference)
  }

  /// Returns the warning about an assumed spatial reference.
  static func warning(_ reference: SpatialReference) -> String {
    let name = reference == .wgs84 ? "WGS 84 (4326)" : "Web Mercator (3857)"
    return
      "no spatial reference is given: coordinates were read as \(name); name another with --source-reference"
  }
}

extension SpatialReference {
  /// Creates the spatial reference of a name such as `WGS 84 / UTM zone 32N`, as written by GDAL, Esri and others; nil for
  /// a name without a known meaning.
  ///
  /// - Source: the names of EPSG and of Esri's projection engine.
  package init?(knownName name: String) {
    let key = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    switch key {
    case "wgs84", "gcswgs1984", "wgs1984": self = .wgs84
    case "wgs84pseudomercator", "wgs1984webmercatorauxiliarysphere", "googlemapsglobalmercator":
      self = .webMercator
    case "etrs89", "gcsetrs1989": self = SpatialReference(wkid: 4258)
    case "nad83", "gcsnorthamerican1983": self = SpatialReference(wkid: 4269)
    default:
      let bases: [(names: [String], north: Int, south: Int?, zones: ClosedRange<Int>)] = [
        (["wgs84utmzone", "wgs1984utmzone"], 32600, 32700, 1...60),
        (["etrs89utmzone", "etrs1989utmzone"], 25800, nil, 28...38),
        (["nad83utmzone", "nad1983utmzone"], 26900, nil, 1...23),
      ]
      for base in bases {
        guard let prefix = base.names.first(where: key.hasPrefix), let hemisphere = key.last,
          let zone = Int(key.dropFirst(prefix.count).dropLast()), base.zones.contains(zone)
        else { continue }
        if hemisphere == "n" {
          self = SpatialReference(wkid: base.north + zone)
          return
        }
        if hemisphere == "s", let south = base.south {
          self = SpatialReference(wkid: south + zone)
          return
        }
      }
      return nil
    }
  }
}
