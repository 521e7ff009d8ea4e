package import MapFeatures
import MapGeometry

extension VectorFile {
  /// A format that GDAL writes.
  package enum WrittenFormat: String, CaseIterable, Sendable {
    /// GeoPackage: object ids are the feature ids.
    case geoPackage = "gpkg"
    /// FlatGeobuf; object ids are a field, and dates become timestamps.
    case flatGeobuf = "fgb"

    /// GDAL's short name of the driver.
    var driver: String {
      switch self {
      case .geoPackage: "GPKG"
      case .flatGeobuf: "FlatGeobuf"
      }
    }
  }

  /// Returns the bytes of a file with one layer of features in their own spatial reference, and a warning for each
  /// loss.
  ///
  /// Timestamps are in UTC, to the millisecond. A table without rows gives a file with an empty layer.
  ///
  /// - Parameter keepsOrder: Whether FlatGeobuf has the order of the rows and no index; otherwise it has the order of its
  ///   index, by which questions about extents read a part of the file.
  /// - Cost: one pass over the features; the file is created in memory.
  /// - Throws: ``VectorFileError`` without GDAL, or for a value that the format cannot hold.
  package static func bytes(
    of features: FeatureRows, format: WrittenFormat, layer name: String, keepsOrder: Bool = true
  ) throws(VectorFileError) -> (bytes: [UInt8], warnings: [String]) {
    do throws(LibraryError) {
      let file = try MemoryFile(format)
      var writer = try VectorLayerWriter(features, in: file, layer: name, keepsOrder: keepsOrder)
      try writer.write()
      return (try file.finished(), writer.warnings)
    } catch {
      throw VectorFileError(description: error.description)
    }
  }
}
