// The modules that `import MapState` includes. They are re-exported, because MemberImportVisibility hides the
// members of type aliases. Each declares types of the signatures of MapState and MapModel, or public members of their
// types; MapGeometryEngine has the operations on geometries.
@_exported public import MapDocuments
@_exported public import MapDrawing
@_exported public import MapExpressions
@_exported public import MapFeatures
@_exported public import MapFilter
@_exported public import MapGeometry
@_exported public import MapGeometryEngine
@_exported public import MapImages
@_exported public import MapJSON
@_exported public import MapLayout
@_exported public import MapModel
@_exported public import MapReaders
@_exported public import MapSystem
@_exported public import MapVector
