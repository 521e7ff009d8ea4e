package import MapJSON
public import MapSystem

extension EsriGeometryJSON {
  /// Returns a geometry as Esri JSON, with Z and M values when it has any; missing values are null.
  package static func json(_ geometry: any Geometry) -> JSONValue {
    let (hasZ, hasM) = (geometry.hasZ, geometry.hasM)
    func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
    func list(_ points: [Point]) -> JSONValue {
      .array(
        points.map { point in
          .array(
            [.number(point.x), .number(point.y)] + (hasZ ? [number(point.z)] : [])
              + (hasM ? [number(point.m)] : []))
        })
    }
    var object: JSONObject =
      switch geometry.form {
      case .point(let point): ["x": .number(point.x), "y": .number(point.y)]
      case .multipoint(let multipoint): ["points": list(multipoint.points)]
      case .polyline(let line): ["paths": .array(line.parts.map(list))]
      case .polygon(let polygon): ["rings": .array(polygon.parts.map(list))]
      case .envelope(let envelope):
        [
          "xmin": .number(envelope.xMin), "ymin": .number(envelope.yMin), "xmax": .number(envelope.xMax),
          "ymax": .number(envelope.yMax),
        ]
      }
    switch geometry.form {
    case .point(let point):
      if hasZ { object["z"] = number(point.z) }
      if hasM { object["m"] = number(point.m) }
    case .envelope(let envelope):
      if hasZ { (object["zmin"], object["zmax"]) = (number(envelope.zMin), number(envelope.zMax)) }
      if hasM { (object["mmin"], object["mmax"]) = (number(envelope.mMin), number(envelope.mMax)) }
    case .multipoint, .polyline, .polygon:
      if hasZ { object["hasZ"] = true }
      if hasM { object["hasM"] = true }
    }
    if let reference = geometry.spatialReference { object["spatialReference"] = reference.json }
    return .object(object)
  }
}

extension SpatialReference {
  /// The spatial reference as Esri JSON.
  package var json: JSONValue {
    self == .webMercator ? ["wkid": 102100, "latestWkid": 3857] : ["wkid": .number(wkid)]
  }
}

extension Geometry {
  /// Returns the geometry as the text of Esri JSON.
  public func toJSON() -> String { EsriGeometryJSON.json(self).text() }

  /// Reads a geometry of this type from the text of Esri JSON.
  ///
  /// - Throws: ``MapStateError`` for text that is not JSON, and for another kind of geometry.
  public static func fromJSON(_ json: String) throws(MapStateError) -> Self {
    do { return try reading(json) } catch { throw MapStateError(error) }
  }

  private static func reading(_ json: String) throws -> Self {
    let node = JSONNode(try JSONValue(parsing: json))
    let geometry = try EsriGeometryJSON.geometry(node) ?? EsriGeometryJSON.emptyGeometry(node)
    guard let own = geometry as? Self else { throw node.invalid("not a \(Self.self)") }
    return own
  }
}
