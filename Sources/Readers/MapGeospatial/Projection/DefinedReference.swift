import CGeospatial
package import MapFeatures
package import MapGeometry
import MapReaders

/// A spatial reference that data define in full, without a code.
package struct DefinedReference {
  /// The registered spatial reference that is equal to it; nil without one.
  package let reference: SpatialReference?
  private let definition: (text: String, name: String)?

  /// Reads a definition: well-known text or PROJJSON.
  ///
  /// - Throws: ``VectorFileError`` for a text that is no definition, and without GDAL.
  package init(_ text: String) throws(VectorFileError) {
    do throws(LibraryError) {
      let library = try GDALLibrary.shared()
      let found = try library.listening(GDALMessages()) { () throws(LibraryError) -> LayerReference in
        let calls = library.calls
        // GDAL takes any other text for the name of a file.
        let isJSON = text.first == "{"
        guard text.contains(isJSON ? "CRS\"" : "["), text.utf8.count <= 1 << 20,
          let handle = calls.OSRNewSpatialReference(isJSON ? nil : text)
        else { throw LibraryError("its spatial reference cannot be read") }
        defer { calls.OSRRelease(handle) }
        if isJSON, calls.OSRSetFromUserInput(handle, text) != OGRERR_NONE {
          throw LibraryError("its spatial reference cannot be read")
        }
        return LayerReference(handle, calls, extents: [])
      }
      (reference, definition) = (found.reference, found.definition)
    } catch {
      throw VectorFileError(description: error.description)
    }
  }

  /// Returns the definition of a spatial reference in PROJJSON; nil without PROJ, and for an unknown one.
  package static func projJSON(of reference: SpatialReference) -> String? {
    (try? Transformation.projJSON(of: reference)) ?? nil
  }

  /// Returns a table with its coordinates, which are in this spatial reference, in WGS 84, with a warning.
  ///
  /// - Throws: ``VectorFileError`` for a spatial reference that PROJ cannot transform.
  package func inWGS84(_ table: FeatureColumns) throws(VectorFileError) -> FeatureColumns {
    guard let geometry = table.geometry else { return table }
    do throws(LibraryError) {
      let (buffers, warnings) = try Self.inWGS84([geometry] + table.otherGeometries, definition)
      return FeatureColumns(
        schema: FeatureSchema(
          fields: table.schema.fields, geometryKind: buffers.first?.kind, spatialReference: .wgs84,
          geometryName: table.schema.geometryName),
        columns: table.columns, geometry: buffers.first, otherGeometries: Array(buffers.dropFirst()),
        rowCount: table.rowCount, warnings: table.warnings + warnings, objectIDs: table.objectIDs,
        isComplete: table.isComplete)
    } catch {
      throw VectorFileError(description: error.description)
    }
  }

  /// Projects geometries from a spatial reference without a code to WGS 84, since a table needs a code.
  static func inWGS84(
    _ buffers: [CoordinateBuffer], _ definition: (text: String, name: String)?
  ) throws(LibraryError) -> ([CoordinateBuffer], [String]) {
    guard let definition else { throw LibraryError("its spatial reference cannot be read") }
    let transformation = try Transformation(from: definition.text, to: "EPSG:4326")
    var (projected, lost) = ([CoordinateBuffer](), 0)
    for buffer in buffers {
      var (x, y) = (buffer.x, buffer.y)
      transformation.project(x: &x, y: &y)
      let (moved, lostRows) = buffer.moved(x: x, y: y)
      projected.append(moved)
      lost += lostRows
    }
    let warning =
      "spatial reference \"\(definition.name)\" has no code: coordinates were projected to WGS 84 (4326)"
    return (projected, lost == 0 ? [warning] : [warning + "; \(lost) geometries have no position in WGS 84"])
  }
}
