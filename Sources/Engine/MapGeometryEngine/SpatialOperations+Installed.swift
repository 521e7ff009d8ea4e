package import MapFeatures

#if Geospatial
  import MapGeospatial
#endif

extension SpatialOperations {
  /// The operations of this build: projections by PROJ and relations by GEOS, or neither.
  package static var installed: SpatialOperations {
    #if Geospatial
      .libraries
    #else
      .builtIn
    #endif
  }
}
