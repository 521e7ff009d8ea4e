import MapGeometry
import MapJSON

extension Viewpoint: CustomStringConvertible {
  /// Centre and scale denominator, or the extent to show, and the rotation, if any.
  ///
  /// Such as `Viewpoint(latitude: 50, longitude: 12, scale: 20000000)`.
  public var description: String {
    let words =
      switch target {
      case .center(let point, let scale) where point.spatialReference == .wgs84:
        "latitude: \(JSONWriter.text(of: point.y)), longitude: \(JSONWriter.text(of: point.x)), "
          + "scale: \(JSONWriter.text(of: scale))"
      case .center(let point, let scale): "\(point), scale: \(JSONWriter.text(of: scale))"
      case .boundingGeometry(let envelope): envelope.description
      }
    return "Viewpoint(\(words)\(rotation.isNaN ? "" : ", rotation: \(JSONWriter.text(of: rotation))"))"
  }
}

extension ResolvedViewpoint: CustomStringConvertible {
  /// Centre, scale denominator and rotation.
  public var description: String {
    "ResolvedViewpoint(\(center), scale: \(JSONWriter.text(of: scale)), "
      + "rotation: \(JSONWriter.text(of: rotation)))"
  }
}

extension Bookmark: CustomStringConvertible {
  /// Name and viewpoint.
  public var description: String { "Bookmark(\"\(name)\", \(viewpoint))" }
}

extension TimeValue: CustomStringConvertible {
  /// Duration and unit, such as `5 days`.
  public var description: String { "\(JSONWriter.text(of: duration)) \(unit)" }
}
