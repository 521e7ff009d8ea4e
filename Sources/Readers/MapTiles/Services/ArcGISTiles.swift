import MapGeometry
import MapJSON
import MapModel

/// The grid of the tiles of an ArcGIS service.
///
/// - Source: ArcGIS REST API, map service, `tileInfo`; web map specification, `tileInfo` of `WebTiledLayer`.
enum ArcGISTiles {
  /// The greatest number of levels.
  private static let mostLevels = 100

  /// Returns a grid, and the texts of its levels in addresses if they are not their numbers.
  ///
  /// - Parameters:
  ///   - info: the member `tileInfo`.
  ///   - owner: the service or layer, with its extents and its range of scales.
  static func scheme(_ info: JSONValue, of owner: JSONValue) -> (TileScheme, levels: [Int: String])? {
    guard let origin = info["origin"], let x = origin["x"]?.double, let y = origin["y"]?.double,
      let size = info["rows"]?.integer, info["cols"]?.integer == size,
      let written = info["lods"]?.array, written.count <= mostLevels, let reference = reference(info)
    else { return nil }
    var names: [Int: String] = [:]
    var levels: [(level: TileScheme.Level, scale: Double)] = []
    for lod in written {
      guard let number = lod["level"]?.integer, 0 <= number, number <= mostLevels,
        let resolution = lod["resolution"]?.double
      else { continue }
      levels.append((TileScheme.Level(zoom: number, resolution: resolution), lod["scale"]?.double ?? 0))
      if let name = lod["levelValue"]?.string, name != "\(number)" { names[number] = name }
    }
    // A service lists levels beyond those that it has drawn.
    let (smallest, largest) = (owner["minScale"]?.double ?? 0, owner["maxScale"]?.double ?? 0)
    let drawn = levels.filter { level in
      level.scale <= 0
        || (smallest <= 0 || level.scale <= smallest * 1.001) && level.scale >= largest * 0.999
    }
    guard
      let scheme = TileScheme(
        reference: reference, originX: x, originY: y, tileSize: size,
        levels: (drawn.isEmpty ? levels : drawn).map(\.level), extent: extent(owner, reference))
    else { return nil }
    return (scheme, names)
  }

  private static func reference(_ json: JSONValue) -> SpatialReference? {
    let reference = json["spatialReference"]
    return (reference?["latestWkid"] ?? reference?["wkid"])?.integer.map { SpatialReference(wkid: $0) }
  }

  /// Returns the extent of a service in a spatial reference, or else the world; empty if neither is known.
  private static func extent(_ owner: JSONValue, _ reference: SpatialReference) -> Envelope {
    for name in ["fullExtent", "initialExtent"] {
      guard let extent = owner[name], Self.reference(extent) ?? reference == reference,
        let left = extent["xmin"]?.double, let bottom = extent["ymin"]?.double,
        let right = extent["xmax"]?.double, let top = extent["ymax"]?.double, left < right, bottom < top
      else { continue }
      return Envelope(xMin: left, yMin: bottom, xMax: right, yMax: top)
    }
    let half = WebMercator.halfWorld
    switch reference {
    case .webMercator: return Envelope(xMin: -half, yMin: -half, xMax: half, yMax: half)
    case .wgs84: return Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90)
    default: return .empty
    }
  }
}
