import FoundationEssentials
import MapGeometry
import MapGeometryEngine
import MapJSON
import MapModel

extension MapView: CustomStringConvertible {
  /// Size in view pixels and viewpoint.
  public var description: String {
    "MapView(\(JSONWriter.text(of: width))x\(JSONWriter.text(of: height)), \(viewpoint))"
  }
}

extension LayerViewState: CustomStringConvertible {
  /// The status, and the error or warning, if any.
  public var description: String { "\(status)\(error.map { ": \($0)" } ?? "")" }
}

extension LayerViewState.Status: CustomStringConvertible {
  /// The members, such as `active, warning`.
  public var description: String {
    let names: [(Self, String)] = [
      (.active, "active"), (.notVisible, "notVisible"), (.outOfScale, "outOfScale"),
      (.loading, "loading"), (.error, "error"), (.warning, "warning"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

extension InteractionModes: CustomStringConvertible {
  /// The members, such as `pan, zoom`; `none` for an empty set.
  public var description: String {
    let names: [(Self, String)] = [(.pan, "pan"), (.zoom, "zoom"), (.rotate, "rotate")]
    return isEmpty ? "none" : names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

extension ScreenPoint: CustomStringConvertible {
  /// The position in view pixels, such as `ScreenPoint(400, 300)`.
  public var description: String { "ScreenPoint(\(JSONWriter.text(of: x)), \(JSONWriter.text(of: y)))" }
}

extension ScreenRect: CustomStringConvertible {
  /// Corner and size in view pixels, such as `ScreenRect(0, 0, 800x600)`.
  public var description: String {
    "ScreenRect(\(JSONWriter.text(of: x)), \(JSONWriter.text(of: y)), "
      + "\(JSONWriter.text(of: width))x\(JSONWriter.text(of: height)))"
  }
}

extension EdgeInsets: CustomStringConvertible {
  /// Top, leading, bottom and trailing inset in view pixels, such as `EdgeInsets(0, 10, 0, 10)`.
  public var description: String {
    "EdgeInsets(\([top, leading, bottom, trailing].map { JSONWriter.text(of: $0) }.joined(separator: ", ")))"
  }
}

extension AreaUnit: CustomStringConvertible {
  /// The name of the unit, such as `hectares`; for a unit without a name its size in square metres.
  public var description: String {
    switch self {
    case .squareMeters: "square meters"
    case .squareKilometers: "square kilometers"
    case .hectares: "hectares"
    case .squareFeet: "square feet"
    case .squareYards: "square yards"
    case .acres: "acres"
    case .squareMiles: "square miles"
    default: "units of \(JSONWriter.text(of: squareMeters)) square meters"
    }
  }
}

extension GeometryBuilder: CustomStringConvertible {
  /// The kind of geometry and its extent.
  public var description: String { "GeometryBuilder<\(Shape.self)>(\(isEmpty ? "empty" : "\(extent)"))" }
}

extension GeoPackage: CustomStringConvertible {
  /// The file, such as `GeoPackage("/data/cities.gpkg")`.
  public var description: String { "GeoPackage(\"\(fileURL.path)\")" }
}

extension Geodatabase: CustomStringConvertible {
  /// The file, such as `Geodatabase("/data/cities.gdb")`.
  public var description: String { "Geodatabase(\"\(fileURL.path)\")" }
}

extension Portal: CustomStringConvertible {
  /// The address, such as `Portal(https://www.arcgis.com)`.
  public var description: String { "Portal(\(SourceAddress.shown(url)))" }
}

extension PortalItem: CustomStringConvertible {
  /// The item ID.
  public var description: String { "PortalItem(\(id))" }
}

extension ServiceFeatureTable: CustomStringConvertible {}
extension OGCFeatureCollectionTable: CustomStringConvertible {}
extension WFSFeatureTable: CustomStringConvertible {}
