import CGeospatial
import MapFeatures
import MapGeometry

extension Transformation {
  /// Returns the shape of a spatial reference's projection, from its PROJ string; nil when the shape is unknown.
  ///
  /// - Throws: ``LibraryError`` without PROJ or for an unknown spatial reference.
  /// - Source: PROJ's list of projections.
  static func shape(of reference: SpatialReference) throws(LibraryError) -> ProjectionShape? {
    let text = try reading(reference) { system in
      system.calls.proj_as_proj_string(system.context, system.handle, PJ_PROJ_5, nil).map {
        String(cString: $0)
      }
    }
    return text.flatMap(shape(ofDefinition:))
  }

  /// Returns the definition of a spatial reference in PROJJSON; nil if PROJ cannot write it.
  ///
  /// - Throws: ``LibraryError`` without PROJ or for an unknown spatial reference.
  static func projJSON(of reference: SpatialReference) throws(LibraryError) -> String? {
    try reading(reference) { system in
      system.calls.proj_as_projjson(system.context, system.handle, nil).map { String(cString: $0) }
    }
  }

  /// Returns the shape of the projection that a PROJ string defines.
  static func shape(ofDefinition text: String) -> ProjectionShape? {
    var values: [Substring: Substring] = [:]
    for word in text.split(separator: " ") where word.hasPrefix("+") {
      let parts = word.dropFirst().split(separator: "=", maxSplits: 1)
      values[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
    func number(_ name: Substring) -> Double { values[name].flatMap { Double(String($0)) } ?? 0 }
    guard let projection = values["proj"] else { return nil }
    let prime = values["pm"].flatMap { meridians[String($0)] ?? Double(String($0)) } ?? 0
    let (longitude, latitude) = (number("lon_0") + prime, number("lat_0"))
    switch projection {
    case "utm":
      return ProjectionShape(.transverse, longitude: number("zone") * 6 - 183, latitude: 0)
    case "tmerc", "etmerc", "gstmerc", "cass":
      return ProjectionShape(.transverse, longitude: longitude, latitude: 0)
    case "ups":
      return ProjectionShape(
        .azimuthal(radius: 150), longitude: 0, latitude: values["south"] == nil ? 90 : -90)
    case "stere", "sterea":
      return ProjectionShape(.azimuthal(radius: 150), longitude: longitude, latitude: latitude)
    case "laea", "aeqd":
      return ProjectionShape(.azimuthal(radius: 179.5), longitude: longitude, latitude: latitude)
    case "ortho":
      return ProjectionShape(.azimuthal(radius: 89.9), longitude: longitude, latitude: latitude)
    case "gnom":
      return ProjectionShape(.azimuthal(radius: 80), longitude: longitude, latitude: latitude)
    case "merc", "tcc", "mill", "gall", "comill", "patterson":
      let limit = projection == "merc" ? 85.06 : 90
      return ProjectionShape(.meridian(south: -limit, north: limit), longitude: longitude, latitude: 0)
    case "lcc":
      let isNorth = number("lat_1") + number("lat_2") + latitude >= 0
      return ProjectionShape(
        .meridian(south: isNorth ? -80 : -90, north: isNorth ? 90 : 80), longitude: longitude, latitude: 0)
    case "igh":
      return ProjectionShape(
        .interrupted(north: [-40], south: [-100, -20, 80]), longitude: longitude, latitude: 0)
    // These projections are oblique, interrupted in other ways or perspective, so they need other cuts.
    case "omerc", "somerc", "krovak", "mod_krovak", "nsper", "tpers", "geos", "igh_o", "ob_tran",
      "labrd", "nzmg", "healpix", "rhealpix", "qsc", "s2", "isea", "imw_p", "geocent", "bertin1953":
      return nil
    default:
      return ProjectionShape(.meridian(south: -90, north: 90), longitude: longitude, latitude: 0)
    }
  }

  /// The prime meridians that PROJ strings name, in degrees east of Greenwich.
  ///
  /// - Source: PROJ, `proj -lm`.
  private static let meridians: [String: Double] = [
    "greenwich": 0, "lisbon": -9.131906111111, "paris": 2.337229166667, "bogota": -74.080916666667,
    "madrid": -3.687938888889, "rome": 12.452333333333, "bern": 7.439583333333,
    "jakarta": 106.807719444444, "ferro": -17.666666666667, "brussels": 4.367975,
    "stockholm": 18.058277777778, "athens": 23.7163375, "oslo": 10.722916666667,
  ]
}
