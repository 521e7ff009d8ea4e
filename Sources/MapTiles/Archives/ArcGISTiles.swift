import MapGeometry
package import MapJSON
package import MapModel

/// The description of the tiles of an ArcGIS service.
///
/// - Source: ArcGIS REST API, map service, `tileInfo`.
package enum ArcGISTiles {
  /// Returns the grid and the description of a service's tiles; nil for a service without tiles.
  package static func scheme(_ json: JSONValue) -> (TileScheme, TileMetadata)? {
    guard let info = json["tileInfo"], let origin = info["origin"], let x = origin["x"]?.double,
      let y = origin["y"]?.double, let size = info["rows"]?.integer, info["cols"]?.integer == size,
      let lods = info["lods"]?.array, lods.count <= 100,
      let wkid = (info["spatialReference"]?["latestWkid"] ?? info["spatialReference"]?["wkid"])?.integer
    else { return nil }
    let levels = lods.compactMap { lod in
      lod["level"]?.integer.flatMap { level in
        lod["resolution"]?.double.map { TileScheme.Level(zoom: level, resolution: $0) }
      }
    }
    func side(_ name: String) -> Double {
      (json["fullExtent"] ?? json["initialExtent"])?[name]?.double ?? .nan
    }
    guard
      let scheme = TileScheme(
        reference: SpatialReference(wkid: wkid), originX: x, originY: y, tileSize: size, levels: levels,
        extent: Envelope(xMin: side("xmin"), yMin: side("ymin"), xMax: side("xmax"), yMax: side("ymax")))
    else { return nil }
    var metadata = TileMetadata()
    metadata.name = json["mapName"]?.string ?? ""
    metadata.attribution = TileMetadata.plain(json["copyrightText"]?.string ?? "")
    return (scheme, metadata)
  }
}
