import MapFeatures
import MapGeometry
import MapJSON

/// A spatial condition as parameters of a service's query.
enum ArcGISPlace {
  /// A condition that no feature satisfies.
  case nowhere
  /// The parameters for features that have the requested relationship to a geometry.
  case meeting(ArcGISResource.Parameters)

  /// Creates the condition that features meet one of the envelopes; nil if the service would evaluate another
  /// condition.
  ///
  /// - Parameter data: The extent of the features; the envelopes are queried in each world copy that contains some.
  init?(meeting envelopes: [Envelope], of schema: FeatureSchema, data: Envelope) {
    guard let reference = schema.spatialReference else { return nil }
    var areas: [Envelope] = []
    for envelope in envelopes where !envelope.isEmpty {
      guard let own = envelope.placed(in: reference), own.xMin <= own.xMax, own.yMin <= own.yMax else {
        return nil
      }
      areas += data.spatialReference == reference ? own.copies(in: data.worldsReached, touching: data) : [own]
    }
    guard var apart = Self.apart(areas) else { return nil }
    // Rings need a width; there are no features beyond the side of the world that the envelope ends on.
    if apart.count > 1 { apart = apart.map(\.widenedOnAntimeridian) }
    switch apart.count {
    case 0: self = .nowhere
    case 1: self = .asking("Envelope", Self.envelope(apart[0]), "Intersects", reference)
    default:
      guard apart.allSatisfy({ $0.width > 0 && $0.height > 0 }) else { return nil }
      self = .asking("Polygon", ["rings": .array(apart.map(Self.ring))], "Intersects", reference)
    }
  }

  /// Creates the condition of a spatial relationship to a geometry; nil if the service would evaluate another
  /// condition.
  init?(
    _ condition: SpatialCondition, of schema: FeatureSchema, data: Envelope, relations: Set<String>?
  ) {
    if condition.relationship == .intersects {
      var envelope: Envelope?
      if case .envelope(let box) = condition.geometry { envelope = box }
      if case .point(let point) = condition.geometry { envelope = point.extent }
      if let envelope {
        self.init(meeting: envelope.splitAtAntimeridian(), of: schema, data: data)
        return
      }
    }
    guard let reference = schema.spatialReference, let name = Self.names[condition.relationship] else {
      return nil
    }
    guard relations?.contains("esriSpatialRel\(name)") ?? (condition.relationship == .intersects) else {
      return nil
    }
    guard !condition.geometry.geometry.isEmpty else {
      if condition.relationship == .disjoint { return nil }
      self = .nowhere
      return
    }
    let source = condition.geometry.geometry.spatialReference ?? reference
    // Any other spatial reference needs a projection library, whose rounding differs from the service's.
    guard source == reference || (source.isBuiltIn && reference.isBuiltIn),
      let given = try? CoordinateBuffer(query: condition.geometry),
      let query = source == reference
        ? given : try? SpatialOperations.builtIn.projected(query: given, from: source, to: reference),
      query.vertexCount <= Self.vertexLimit, query.isWithinWorld(of: reference), data.worldsReached == 0...0
    else { return nil }
    guard case .meeting(var parameters) = Self.asking(query.esriType, query.esriGeometry, name, reference)
    else {
      return nil
    }
    if let pattern = condition.pattern { parameters.append(("relationParam", pattern)) }
    self = .meeting(parameters)
  }

  /// The services' names of the relationships; they have none for equals.
  private static let names: [SpatialRelationship: String] = [
    .intersects: "Intersects", .contains: "Contains", .within: "Within", .crosses: "Crosses",
    .overlaps: "Overlaps", .touches: "Touches", .envelopeIntersects: "EnvelopeIntersects",
    .indexIntersects: "IndexIntersects", .relate: "Relation", .disjoint: "Disjoint",
  ]
  /// The maximum number of vertices sent to a service; larger geometries are evaluated locally.
  private static let vertexLimit = 10_000

  private static func asking(
    _ type: String, _ geometry: JSONValue, _ relation: String, _ reference: SpatialReference
  ) -> ArcGISPlace {
    .meeting([
      ("geometry", geometry.text()), ("geometryType", "esriGeometry\(type)"),
      ("inSR", "\(reference.wkid)"), ("spatialRel", "esriSpatialRel\(relation)"),
    ])
  }

  /// Returns disjoint envelopes, by joining overlapping ones whose union is one envelope; nil if a union is not.
  private static func apart(_ areas: [Envelope]) -> [Envelope]? {
    var apart: [Envelope] = []
    for area in areas.sorted(by: { $0.xMin < $1.xMin }) {
      guard let place = apart.firstIndex(where: { $0.meets(area) }) else {
        apart.append(area)
        continue
      }
      let other = apart[place]
      if other.contains(area) { continue }
      guard other.yMin == area.yMin, other.yMax == area.yMax, apart.filter({ $0.meets(area) }).count == 1
      else {
        return nil
      }
      apart[place] = other.union(area)
    }
    return apart
  }

  private static func envelope(_ area: Envelope) -> JSONValue {
    [
      "xmin": number(area.xMin), "ymin": number(area.yMin), "xmax": number(area.xMax),
      "ymax": number(area.yMax),
    ]
  }

  /// Returns the ring of an envelope, clockwise as outer rings are.
  private static func ring(_ area: Envelope) -> JSONValue {
    let corners = [
      (area.xMin, area.yMin), (area.xMin, area.yMax), (area.xMax, area.yMax), (area.xMax, area.yMin),
      (area.xMin, area.yMin),
    ]
    return .array(corners.map { [number($0.0), number($0.1)] })
  }

  /// Returns a coordinate in JSON; an infinite one becomes ±1e9, beyond all data, because JSON has no infinity.
  private static func number(_ side: Double) -> JSONValue { .number(min(max(side, -1e9), 1e9)) }
}

extension CoordinateBuffer {
  /// Whether the only row lies in the main world copy of its spatial reference, so that one query is enough.
  fileprivate func isWithinWorld(of reference: SpatialReference) -> Bool {
    envelope(ofRow: 0).with(spatialReference: reference).worldsReached == 0...0
  }
}

extension Envelope {
  /// Returns the envelope in a spatial reference; nil if it is no envelope there.
  fileprivate func placed(in reference: SpatialReference) -> Envelope? {
    guard let spatialReference, spatialReference != reference else { return self }
    return projected(to: reference)
  }

  /// The envelope, with a width of a few centimetres beyond the world if it is a part of the antimeridian.
  fileprivate var widenedOnAntimeridian: Envelope {
    guard width == 0, let world = Self.worldWidth(of: spatialReference),
      (xMin / world).truncatingRemainder(dividingBy: 1).magnitude == 0.5
    else { return self }
    let outside = xMin * (1 + 1e-9)
    return Envelope(
      xMin: min(xMin, outside), yMin: yMin, xMax: max(xMin, outside), yMax: yMax,
      spatialReference: spatialReference)
  }
}
