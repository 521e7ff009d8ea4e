public import MapJSON

extension EsriGeometryJSON {
  /// A geometry as Esri's JSON; NaN coordinates of an empty one are null.
  public static func json(_ geometry: any Geometry) -> JSONValue {
    func list(_ points: [Point]) -> JSONValue { .array(points.map { [.number($0.x), .number($0.y)] }) }
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
    switch geometry.spatialReference {
    case SpatialReference.webMercator?: object["spatialReference"] = ["wkid": 102100, "latestWkid": 3857]
    case let reference?: object["spatialReference"] = ["wkid": .number(reference.wkid)]
    case nil: break
    }
    return .object(object)
  }
}

extension Geometry {
  /// The geometry as the text of Esri's JSON.
  public func toJSON() -> String { EsriGeometryJSON.json(self).text() }

  /// Reads a geometry of this kind from the text of Esri's JSON.
  ///
  /// - Throws: ``JSONSyntaxError``, ``JSONDecodingError`` for another kind of geometry, and for an empty one of a kind
  ///   that has no empty value.
  public static func fromJSON(_ json: String) throws -> Self {
    let node = JSONNode(try JSONValue(parsing: json))
    guard let geometry = try EsriGeometryJSON.geometry(node) else { throw node.invalid("an empty geometry") }
    guard let own = geometry as? Self else { throw node.invalid("not a \(Self.self)") }
    return own
  }
}
