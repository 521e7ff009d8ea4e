import MapGeometry
import MapJSON

/// Viewpoints, and the few geometries that they hold, from and to web map JSON.
enum EsriDocumentGeometry {
  static func spatialReference(_ node: JSONNode) throws(JSONDecodingError) -> SpatialReference {
    for name in ["latestWkid", "wkid"] {
      if let wkid = try node.integer(name) { return SpatialReference(wkid: wkid) }
    }
    throw node.invalid("expected a wkid; references by text are not supported")
  }

  /// The viewpoint; nil when it has no target geometry.
  static func viewpoint(_ node: JSONNode) throws(JSONDecodingError) -> Viewpoint? {
    guard let target = node["targetGeometry"] else { return nil }
    let envelope = try self.envelope(target)
    // Documents turn clockwise, the model counter-clockwise.
    let rotation = 360 - (try node.double("rotation") ?? 0)
    guard let scale = try node["scale"].map({ node throws(JSONDecodingError) in try positive(node) }) else {
      return Viewpoint(boundingGeometry: envelope, rotation: rotation)
    }
    return Viewpoint(center: envelope.center, scale: scale, rotation: rotation)
  }

  private static func positive(_ node: JSONNode) throws(JSONDecodingError) -> Double {
    let value = try node.double()
    guard value > 0 else { throw node.invalid("\(value) is no scale; it must be above 0") }
    return value
  }

  /// The envelope of an extent, point or polygon; without a reference it is Web Mercator.
  private static func envelope(_ node: JSONNode) throws(JSONDecodingError) -> Envelope {
    let reference =
      try node["spatialReference"].map { node throws(JSONDecodingError) in try spatialReference(node) }
      ?? .webMercator
    guard reference.isBuiltIn else {
      throw node.invalid("spatial reference \(reference.wkid) is not supported; use 4326 or 3857")
    }
    if node["xmin"] != nil {
      return Envelope(
        xMin: try node.required("xmin").double(), yMin: try node.required("ymin").double(),
        xMax: try node.required("xmax").double(), yMax: try node.required("ymax").double(),
        spatialReference: reference)
    }
    if node["x"] != nil {
      let point = Point(
        x: try node.required("x").double(), y: try node.required("y").double(), spatialReference: reference)
      return point.extent
    }
    var points: [Point] = []
    for ring in try node.required("rings").elements() {
      for vertex in try ring.elements() {
        let pair = try vertex.elements()
        guard pair.count >= 2 else { throw vertex.invalid("expected [x, y]") }
        points.append(Point(x: try pair[0].double(), y: try pair[1].double()))
      }
    }
    let envelope = Envelope(of: points, spatialReference: reference)
    guard !envelope.isEmpty else { throw node.invalid("a polygon without vertices shows nothing") }
    return envelope
  }

  static func json(_ viewpoint: Viewpoint) -> JSONValue {
    var members: [(String, JSONValue)] = []
    switch viewpoint.target {
    case .center(let point, let scale):
      members.append(("scale", .number(scale)))
      members.append(
        (
          "targetGeometry",
          ["x": .number(point.x), "y": .number(point.y), "spatialReference": json(point.spatialReference)]
        ))
    case .boundingGeometry(let envelope):
      members.append(
        (
          "targetGeometry",
          [
            "xmin": .number(envelope.xMin), "ymin": .number(envelope.yMin), "xmax": .number(envelope.xMax),
            "ymax": .number(envelope.yMax), "spatialReference": json(envelope.spatialReference),
          ]
        ))
    }
    let rotation = viewpoint.rotation.isNaN || viewpoint.rotation == 0 ? 0 : 360 - viewpoint.rotation
    members.append(("rotation", .number(rotation)))
    return EsriSymbolCodec.object(members)
  }

  private static func json(_ reference: SpatialReference?) -> JSONValue {
    reference == .wgs84 ? ["wkid": 4326] : ["wkid": 102100, "latestWkid": 3857]
  }
}
