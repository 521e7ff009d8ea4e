/// Members of a map, and of its viewpoints, bookmarks, spatial references and geometries.
extension DocumentObject {
  static let mapMembers: [DocumentMember] = .of(
    .read(.list(.members(.layer)), "operationalLayers"),
    .read(.members(.baseMap), "baseMap"),
    .read(.members(.initialState), "initialState"),
    .read(.members(.background), "background"),
    .read(.members(.spatialReference), "spatialReference"),
    .read(.number, "minScale", "maxScale", "referenceScale"),
    .aside(.list(.members(.layer)), "tables"),
    .aside(.list(.members(.bookmark)), "bookmarks"),
    .aside(.text, "version"),
    .noEffect(.members(.mapRangeInfo), "mapRangeInfo"),
    .noEffect(.text, "$schema", "authoringApp", "authoringAppVersion", "timeZone"),
    .noEffect(.object, "widgets", "applicationProperties", "presentation", "geotriggersInfo", "ground"),
    .noEffect(.array, "transportationNetworks", "utilityNetworks"))

  static let initialStateMembers: [DocumentMember] = .of(
    .read(.members(.viewpoint), "viewpoint"),
    .read(.list(.number), "timeExtent"),
    .noEffect(.object, "environment"))

  static let viewpointMembers: [DocumentMember] = .of(
    .read(.members(.geometry), "targetGeometry"),
    .read(.number, "scale", "rotation"),
    .noEffect(.object, "camera"))

  static let bookmarkMembers: [DocumentMember] = .of(
    .aside(.text, "name"),
    .aside(.members(.geometry), "extent"),
    .aside(.members(.viewpoint), "viewpoint"),
    .noEffect(.list(.number), "timeExtent"),
    .noEffect(.object, "thumbnail"))

  /// Members of a basemap; `style`, the name of a bundled basemap, `tiles`, vector tiles of streets for it, `language`, that
  /// of their names, `names` and `graticule` are design decisions.
  static let baseMapMembers: [DocumentMember] = .of(
    .read(.list(.members(.layer)), "baseMapLayers"),
    .read(.text, "title", "style", "tiles", "language"),
    .read(.boolean, "names", "graticule"),
    .noEffect(.text, "id"))

  static let mapRangeInfoMembers: [DocumentMember] = .of(
    .noEffect(.text, "activeRangeName"),
    .noEffect(.list(.number), "currentRangeExtent", "fullRangeExtent"))

  static let spatialReferenceMembers: [DocumentMember] = .of(
    .read(.number, "wkid", "latestWkid"),
    .read(.text, "wkt"),
    .noEffect(.text, "wkt2"),
    .noEffect(
      .number, "vcsWkid", "latestVcsWkid", "xyTolerance", "zTolerance", "mTolerance", "falseX", "falseY",
      "xyUnits", "falseZ", "zUnits", "falseM", "mUnits"))

  static let geometryMembers: [DocumentMember] = .of(
    .read(.coordinate, "x", "y", "z", "m", "xmin", "ymin", "xmax", "ymax", "zmin", "zmax", "mmin", "mmax"),
    .read(.array, "points", "paths", "rings", "curvePaths", "curveRings"),
    .read(.boolean, "hasZ", "hasM"),
    .read(.members(.spatialReference), "spatialReference"),
    .noEffect(.text, "type"),
    .noEffect(.array, "ids"))
}
