import MapFeatures
import MapGeometry
import MapReaders
import MapSystem

#if Geospatial
  import MapGeospatial
#endif

/// A file format for writing features, chosen by the file name extension.
package enum FeatureFile: Hashable, Sendable {
  case geoJSON, ndjson, csv, geoPackage, flatGeobuf, arrow, arrowStream, parquet

  /// The file name extensions and their formats.
  ///
  /// - Source: RFC 7946 (.geojson), OGC 12-128 (.gpkg), GDAL's drivers (.geojsonl, .fgb), Arrow's media types (.arrow,
  ///   .arrows), GeoParquet (.parquet).
  package static let endings: [(ending: String, format: FeatureFile)] = [
    ("geojson", .geoJSON), ("json", .geoJSON), ("ndjson", .ndjson), ("geojsonl", .ndjson), ("csv", .csv),
    ("gpkg", .geoPackage), ("fgb", .flatGeobuf), ("arrow", .arrow), ("arrows", .arrowStream),
    ("parquet", .parquet),
  ]

  /// Creates the format for a path by its extension, ignoring case.
  ///
  /// - Throws: ``MapStateError`` of kind usage that lists the extensions.
  package init(path: String) throws(MapStateError) {
    let ending = FilePath.pathExtension(of: path)
    guard let known = Self.endings.first(where: { $0.ending == ending }) else {
      let list = Self.endings.map { ".\($0.ending)" }.joined(separator: " ")
      let found = ending.isEmpty ? "a file without extension" : ".\(ending)"
      throw MapStateError(.usage, "\(path): \(found) cannot be written; available: \(list)")
    }
    self = known.format
  }

  /// Whether the format is written row by row.
  package var isWrittenByRows: Bool { !namesReference }

  /// Whether the format stores any spatial reference; the others use WGS 84.
  package var namesReference: Bool {
    switch self {
    case .geoPackage, .flatGeobuf, .arrow, .arrowStream, .parquet: true
    case .geoJSON, .ndjson, .csv: false
    }
  }

  /// Returns the bytes of a file of features, and a warning for each loss.
  ///
  /// GeoJSON and CSV use WGS 84 unless `keepsReference` is true. The other formats use the features' spatial
  /// reference.
  /// - Parameters:
  ///   - layer: the name of the layer, for formats that have one.
  ///   - keepsOrder: whether the order of the features matters; otherwise Parquet and FlatGeobuf are in that of a curve,
  ///     and FlatGeobuf has an index.
  /// - Throws: ``MapStateError``.
  package func bytes(
    of features: FeatureRows, keepsReference: Bool, layer: String, keepsOrder: Bool = false
  ) throws(MapStateError) -> (bytes: [UInt8], warnings: [String]) {
    do {
      switch self {
      case .geoJSON, .ndjson, .csv:
        return (try rowWriter(of: features, keepsReference: keepsReference)?.document() ?? [], [])
      case .arrow: return (ArrowWriter(features).file(), [])
      case .arrowStream: return (ArrowWriter(features).stream(), [])
      case .parquet:
        let (definition, warnings) = Self.definition(of: features)
        return (
          try ParquetWriter(features, projJSON: definition, keepsOrder: keepsOrder).file(), warnings
        )
      case .geoPackage, .flatGeobuf:
        #if Geospatial
          return try VectorFile.bytes(
            of: features, format: self == .geoPackage ? .geoPackage : .flatGeobuf, layer: layer,
            keepsOrder: keepsOrder)
        #else
          throw MapStateError(
            .input, "GeoPackage and FlatGeobuf need GDAL, which this build does not include")
        #endif
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the writer of a format that is written row by row; nil for other formats.
  ///
  /// - Throws: ``MapStateError``.
  package func rowWriter(
    of features: FeatureRows, keepsReference: Bool
  ) throws(MapStateError) -> (any RowWriter)? {
    do throws(OutputError) {
      switch self {
      case .geoJSON, .ndjson:
        return try GeoJSONWriter(features, keepsReference: keepsReference, isCollection: self == .geoJSON)
      case .csv: return try DelimitedWriter(features, keepsReference: keepsReference)
      case .geoPackage, .flatGeobuf, .arrow, .arrowStream, .parquet: return nil
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the definition of the features' spatial reference in PROJJSON; nil for WGS 84, and with a warning for one
  /// that PROJ does not define.
  private static func definition(of features: FeatureRows) -> (String?, [String]) {
    guard features.hasGeometry, let reference = features.table.schema.spatialReference, reference != .wgs84
    else { return (nil, []) }
    #if Geospatial
      if let definition = DefinedReference.projJSON(of: reference) { return (definition, []) }
    #endif
    return (
      nil, ["the file states no spatial reference: \(reference.wkid) has no definition without PROJ"]
    )
  }
}
