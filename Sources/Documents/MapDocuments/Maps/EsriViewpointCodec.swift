package import MapGeometry
package import MapJSON
import MapModel

/// A codec for viewpoints in web map JSON.
package enum EsriViewpointCodec {
  /// Reads a viewpoint; nil when it has no target geometry.
  static func viewpoint(_ node: JSONNode) throws(JSONDecodingError) -> Viewpoint? {
    guard let target = node["targetGeometry"] else { return nil }
    let envelope = try self.envelope(target)
    // Documents count rotation clockwise, the model counter-clockwise.
    let rotation = 360 - (try node.double("rotation") ?? 0)
    guard let scale = try node["scale"].map({ node throws(JSONDecodingError) in try positive(node) }) else {
      return Viewpoint(boundingGeometry: envelope, rotation: rotation)
    }
    return Viewpoint(center: envelope.center, scale: scale, rotation: rotation)
  }

  private static func positive(_ node: JSONNode) throws(JSONDecodingError) -> Double {
    let value = try node.double()
    guard value > 0 else { throw node.invalid("\(value) is not a scale; it must be above 0") }
    return value
  }

  /// Reads the envelope of an extent, point or other geometry; the default spatial reference is Web Mercator.
  package static func envelope(_ node: JSONNode) throws(JSONDecodingError) -> Envelope {
    guard let envelope = try EsriGeometryJSON.geometry(node)?.extent, !envelope.isEmpty else {
      throw node.invalid("an empty geometry shows nothing")
    }
    guard envelope.yMin <= envelope.yMax else {
      throw node.invalid("ymin \(envelope.yMin) is above ymax \(envelope.yMax)")
    }
    // A viewpoint has no Z and M values.
    return Envelope(
      xMin: envelope.xMin, yMin: envelope.yMin, xMax: envelope.xMax, yMax: envelope.yMax,
      spatialReference: envelope.spatialReference ?? .webMercator)
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
    return EsriMembers.object(members)
  }

  private static func json(_ reference: SpatialReference?) -> JSONValue {
    (reference ?? .webMercator).json
  }
}
