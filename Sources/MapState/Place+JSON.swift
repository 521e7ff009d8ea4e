import MapGeometry
public import MapJSON
import MapModel

extension ViewOptions.Place {
  /// A place as steps and snapshot cases write it: `center` and `scale`, `bounds`, or `fit`, with `padding` and
  /// `rotation`.
  ///
  /// - Throws: `JSONDecodingError` when it names none of them, or does not fit.
  public init(_ node: JSONNode) throws(JSONDecodingError) {
    let rotation = try node.double("rotation") ?? .nan
    let padding = try node.double("padding") ?? 0
    if let bounds = node["bounds"] {
      self = .bounds(try Envelope(bounds), rotation: rotation, padding: padding)
    } else if let center = node["center"] {
      let scale = try node.required("scale").double()
      guard ResolvedViewpoint.scaleLimits.contains(scale) else {
        throw node.invalid("scale \(scale) is impossible; 0.001 to 10,000,000,000 can be shown")
      }
      self = .viewpoint(Viewpoint(center: try Point(center), scale: scale, rotation: rotation))
    } else if let layer = try node.string("fit") {
      self = .fit(layer: layer, padding: padding)
    } else {
      throw node.invalid("expected \"center\" and \"scale\", \"bounds\" or \"fit\"")
    }
  }
}

extension Point {
  /// `latitude` and `longitude`, or an Esri point.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    guard node["latitude"] == nil else {
      self.init(
        latitude: try node.required("latitude").double(), longitude: try node.required("longitude").double())
      return
    }
    self.init(
      x: try node.required("x").double(), y: try node.required("y").double(),
      spatialReference: try SpatialReference(of: node))
  }
}

extension Envelope {
  /// An Esri extent.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    self.init(
      xMin: try node.required("xmin").double(), yMin: try node.required("ymin").double(),
      xMax: try node.required("xmax").double(), yMax: try node.required("ymax").double(),
      spatialReference: try SpatialReference(of: node))
  }
}

extension SpatialReference {
  /// The reference of a geometry; Web Mercator where it names none.
  fileprivate init(of node: JSONNode) throws(JSONDecodingError) {
    guard let reference = node["spatialReference"] else {
      self = .webMercator
      return
    }
    let wkid = try reference.required(reference["latestWkid"] == nil ? "wkid" : "latestWkid").integer()
    self.init(wkid: wkid)
    guard isBuiltIn else { throw reference.invalid("\(wkid) is not supported; use 4326 or 3857") }
  }
}
