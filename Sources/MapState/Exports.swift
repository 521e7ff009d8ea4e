// What one import brings. Re-exports and not type aliases, since MemberImportVisibility hides an alias's members.
@_exported public import MapDrawing
@_exported public import MapFeatures
@_exported public import MapFilter
@_exported public import MapGeometry
@_exported public import MapImages
@_exported public import MapJSON
@_exported public import MapModel
