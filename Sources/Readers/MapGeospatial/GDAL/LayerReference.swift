import CGeospatial
import Glibc
import MapFeatures
import MapGeometry
import MapReaders

/// The spatial reference of a layer as an identifier, read or guessed.
struct LayerReference {
  let reference: SpatialReference?
  /// The spatial reference as well-known text, and its name, when it has no code.
  private(set) var definition: (text: String, name: String)?
  private(set) var warnings: [String] = []

  /// Reads a spatial reference owned by GDAL; without one, guesses it from the coordinates in `extents`.
  init(_ handle: OGRSpatialReferenceH?, _ calls: cgeospatial_gdal, extents: [EnvelopeColumns]) {
    guard let handle else {
      let guess = ReferenceGuess(extents)
      (reference, warnings) = (guess.reference, [guess.warning])
      return
    }
    if let known = Self.identifier(handle, calls) {
      reference = known
      return
    }
    // Vertical systems are ignored, and files from other programs may have no code.
    if let copy = calls.OSRClone(handle) {
      defer { calls.OSRRelease(copy) }
      _ = calls.OSRStripVertical(copy)
      if let known = Self.identifier(copy, calls) ?? Self.match(copy, calls) ?? Self.named(copy, calls) {
        reference = known
        return
      }
    }
    reference = nil
    definition = Self.definition(handle, calls)
  }

  /// Whether another spatial reference is the same, as far as tables tell them apart.
  func isSame(as other: LayerReference) -> Bool {
    reference == other.reference && definition?.text == other.definition?.text
  }

  private static func definition(
    _ handle: OGRSpatialReferenceH, _ calls: cgeospatial_gdal
  ) -> (text: String, name: String)? {
    let option = strdup("FORMAT=WKT2_2019")
    defer { free(option) }
    var options: [UnsafePointer<CChar>?] = [UnsafePointer(option), nil]
    var text: UnsafeMutablePointer<CChar>?
    guard calls.OSRExportToWktEx(handle, &text, &options) == OGRERR_NONE, let text else { return nil }
    defer { calls.VSIFree(text) }
    let name = calls.OSRGetName(handle).map { String(cString: $0) } ?? "unnamed"
    return (String(cString: text), name)
  }

  private static func identifier(_ handle: OGRSpatialReferenceH, _ calls: cgeospatial_gdal)
    -> SpatialReference?
  {
    guard let authority = calls.OSRGetAuthorityName(handle, nil).map({ String(cString: $0) }),
      let code = calls.OSRGetAuthorityCode(handle, nil).map({ String(cString: $0) })
    else { return nil }
    // All tables store longitude first; 4979 is WGS 84 with Z values.
    if authority == "OGC", code == "CRS84" { return .wgs84 }
    guard authority == "EPSG" || authority == "ESRI", let number = Int(code) else { return nil }
    return SpatialReference(wkid: number == 4979 ? 4326 : number)
  }

  /// Returns the system that a name states: WGS 84 and ETRS89 with their UTM zones, and Web Mercator.
  ///
  /// Programs write these names with their own definitions of the same system. A name does not count if the numbers of
  /// the definition are others.
  private static func named(_ handle: OGRSpatialReferenceH, _ calls: cgeospatial_gdal) -> SpatialReference? {
    guard let name = calls.OSRGetName(handle).map({ String(cString: $0) }),
      let known = SpatialReference(knownName: name), let registered = calls.OSRNewSpatialReference(nil)
    else { return nil }
    defer { calls.OSRRelease(registered) }
    guard calls.OSRImportFromEPSG(registered, Int32(clamping: known.wkid)) == OGRERR_NONE else { return nil }
    let (own, expected) = (numbers(of: handle, calls), numbers(of: registered, calls))
    return zip(own, expected).allSatisfy { abs($0 - $1) <= 1e-6 * max(1, abs($1)) } ? known : nil
  }

  /// Returns the numbers that define a system: of the ellipsoid, prime meridian, units and projection.
  private static func numbers(of handle: OGRSpatialReferenceH, _ calls: cgeospatial_gdal) -> [Double] {
    let projection = [
      "central_meridian", "latitude_of_origin", "false_easting", "false_northing", "scale_factor",
    ].map { calls.OSRGetNormProjParm(handle, $0, $0 == "scale_factor" ? 1 : 0, nil) }
    let isProjected = calls.OSRIsProjected(handle)
    return [
      Double(isProjected), calls.OSRGetSemiMajor(handle, nil), calls.OSRGetInvFlattening(handle, nil),
      calls.OSRGetPrimeMeridian(handle, nil), calls.OSRGetAngularUnits(handle, nil),
      isProjected == 1 ? calls.OSRGetLinearUnits(handle, nil) : 1,
    ] + projection
  }

  /// Returns the registered system that is equal to one without a code.
  private static func match(_ handle: OGRSpatialReferenceH, _ calls: cgeospatial_gdal) -> SpatialReference? {
    if calls.OSRAutoIdentifyEPSG(handle) == OGRERR_NONE, let known = identifier(handle, calls) {
      return known
    }
    var count: Int32 = 0
    var confidences: UnsafeMutablePointer<Int32>?
    guard let matches = calls.OSRFindMatches(handle, nil, &count, &confidences) else { return nil }
    defer {
      calls.OSRFreeSRSArray(matches)
      calls.VSIFree(confidences)
    }
    // A confidence of 90 means the same system under another name. The list is sorted, best match first.
    guard count > 0, let confidences, confidences[0] >= 90, let best = matches[0] else { return nil }
    return identifier(best, calls)
  }
}
