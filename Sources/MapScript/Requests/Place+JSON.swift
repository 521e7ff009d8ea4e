import MapDocuments
import MapGeometry
public import MapJSON
import MapModel

extension ViewOptions.Place {
  /// Reads a position from a step or snapshot case: `center` and `scale`, `bounds`, or `fit`.
  ///
  /// `padding` and `rotation` are optional.
  ///
  /// - Throws: `JSONDecodingError` if none of them is given, or if a value is invalid.
  public init(_ node: JSONNode) throws(JSONDecodingError) {
    let rotation = try node.double("rotation") ?? .nan
    let padding = try node.double("padding") ?? 0
    guard padding >= 0 else {
      throw node.invalid("a padding of \(padding) is impossible; it must be 0 or more")
    }
    let ways = ["center", "bounds", "fit"].filter { node[$0] != nil }
    guard ways.count <= 1 else {
      throw node.invalid("\(ways.joined(separator: " and ")) exclude each other; give one of them")
    }
    if let bounds = node["bounds"] {
      self = .bounds(try RequestedExtent.envelope(bounds), rotation: rotation, padding: padding)
    } else if let center = node["center"] {
      let scale = try node.required("scale").double()
      guard ResolvedViewpoint.scaleLimits.contains(scale) else {
        throw node.invalid("scale \(scale) is impossible; 0.001 to 10,000,000,000 can be shown")
      }
      self = .viewpoint(Viewpoint(center: try Point(center), scale: scale, rotation: rotation))
    } else if let layer = try node.string("fit") {
      self = .fit(layer: layer, rotation: rotation, padding: padding)
    } else {
      throw node.invalid("expected \"center\" and \"scale\", \"bounds\" or \"fit\"")
    }
  }
}

extension Point {
  /// Reads `latitude` and `longitude`, or an Esri point.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    guard node["latitude"] == nil else {
      self.init(
        latitude: try node.required("latitude").double(), longitude: try node.required("longitude").double())
      return
    }
    self = try EsriViewpointCodec.envelope(node).center
  }
}
