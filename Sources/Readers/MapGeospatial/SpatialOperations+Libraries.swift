package import MapFeatures
import MapGeometry

extension SpatialOperations {
  /// The operations with projections by PROJ and spatial relations by GEOS; each library is loaded on first use.
  package static let libraries = SpatialOperations(
    projection: { x, y, source, target throws(SpatialOperationError) in
      do throws(LibraryError) { try Transformation.project(x: &x, y: &y, from: source, to: target) } catch {
        throw SpatialOperationError(error)
      }
    },
    comparison: { comparison throws(SpatialOperationError) in
      do throws(LibraryError) { return try TopologicalRelations.rows(comparison) } catch {
        throw SpatialOperationError(error)
      }
    },
    validation: { polygon throws(SpatialOperationError) in
      do throws(LibraryError) { try TopologicalRelations.validate(polygon) } catch {
        throw SpatialOperationError(error)
      }
    },
    units: { try? Transformation.unit(of: $0) }, areasOfUse: { try? Transformation.areaOfUse(of: $0) },
    shapes: { try? Transformation.shape(of: $0) },
    cut: { polygon, area throws(SpatialOperationError) in
      do throws(LibraryError) {
        return try TopologyOperations.overlay(.intersection, polygon, area).first { $0.kind == .polygon }
      } catch {
        throw SpatialOperationError(error)
      }
    })
}

extension SpatialOperationError {
  init(_ error: LibraryError) { self.init("\(error)", isMissingLibrary: error.isMissing) }
}
