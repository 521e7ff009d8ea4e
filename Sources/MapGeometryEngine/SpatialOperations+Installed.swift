public import MapFeatures

#if MAPSTATE_GEOSPATIAL
  import MapGeospatial
#endif

extension SpatialOperations {
  /// The operations of this build: projections by PROJ and relations by GEOS, or neither.
  public static var installed: SpatialOperations {
    #if MAPSTATE_GEOSPATIAL
      .libraries
    #else
      .builtIn
    #endif
  }
}
