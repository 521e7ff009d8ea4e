import MapDocuments
import MapFeatures
public import MapGeometry
import MapJSON
import MapModel
public import MapState
import MapSystem

/// The members of Esri geometries in requests, so that others are not ignored.
enum EsriMembers {
  static let geometry = [
    "xmin", "ymin", "xmax", "ymax", "zmin", "zmax", "mmin", "mmax", "x", "y", "z", "m", "points", "paths",
    "rings",
    "curvePaths", "curveRings", "hasZ", "hasM", "type", "spatialReference",
  ]
  /// The members of a centre in degrees.
  static let degrees = ["latitude", "longitude"]
}

/// Extents in options, steps and snapshot cases, in degrees unless they name a spatial reference.
///
/// - Source: OGC API Features 1.0, 7.15.3 (`bbox` is in CRS84 without `bbox-crs`).
public enum RequestedExtent {
  /// Reads `XMIN,YMIN,XMAX,YMAX[,WKID]`.
  ///
  /// In WGS 84 and Web Mercator, xmin above xmax crosses the antimeridian.
  /// - Throws: `MapStateError`: of kind input for malformed text, of kind usage for values that are not degrees and
  ///   for an unknown spatial reference.
  public static func envelope(text: String) throws(MapStateError) -> Envelope {
    guard let numbers = DecimalNumbers.read(text, counts: 4...5) else { throw malformed }
    return try envelope(numbers)
  }

  private static func envelope(_ numbers: [Double]) throws(MapStateError) -> Envelope {
    guard (4...5).contains(numbers.count) else { throw malformed }
    var reference: SpatialReference?
    if numbers.count == 5 {
      guard let wkid = Int(exactly: numbers[4]) else { throw malformed }
      reference = SpatialReference(wkid: wkid)
    }
    guard numbers[1] <= numbers[3] else {
      throw MapStateError(.input, "ymin \(written(numbers[1])) is above ymax \(written(numbers[3]))")
    }
    let envelope = Envelope(
      xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3],
      spatialReference: reference ?? .wgs84)
    if reference == nil { try checkDegrees(envelope) }
    try check(envelope)
    return envelope
  }

  /// Returns a note about an extent that crosses the antimeridian and is wider than half the world, so that west and
  /// east are probably swapped; nil for others.
  package static func widthNote(_ envelope: Envelope) -> String? {
    let reference = envelope.spatialReference ?? .wgs84
    guard envelope.xMin > envelope.xMax, let world = Envelope.worldWidth(of: reference) else { return nil }
    let width = (envelope.xMax - envelope.xMin).truncatingRemainder(dividingBy: world) + world
    guard width > world / 2 else { return nil }
    let numbers = [envelope.xMax, envelope.yMin, envelope.xMin, envelope.yMax].map(written)
    let suffix = reference == .wgs84 ? "" : ",\(reference.wkid)"
    return
      "the west side \(written(envelope.xMin)) is east of \(written(envelope.xMax)), so the area crosses the "
      + "antimeridian and is \(written((width / world * 360).rounded())) degrees wide; for the area between them write "
      + numbers.joined(separator: ",") + suffix
  }

  private static let malformed = MapStateError(
    .input, "expected xmin,ymin,xmax,ymax[,wkid] with decimal points, for example 5.5,45,15,55")

  /// Refuses an extent without spatial reference that cannot be in degrees; the message shows the form with one.
  private static func checkDegrees(_ envelope: Envelope) throws(MapStateError) {
    let isDegrees =
      [envelope.xMin, envelope.xMax].allSatisfy { (-360...360).contains($0) }
      && [envelope.yMin, envelope.yMax].allSatisfy { (-90...90).contains($0) }
    guard !isDegrees else { return }
    func form(_ numbers: [Double]) -> String { numbers.map(written).joined(separator: ",") }
    let numbers = [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
    let swapped = [envelope.yMin, envelope.xMin, envelope.yMax, envelope.xMax]
    let isSwapped = zip(swapped, [180, 90, 180, 90]).allSatisfy { abs($0) <= $1 }
    throw MapStateError(
      .usage,
      "values outside -360..360 and -90..90 are not degrees; "
        + (isSwapped ? "the order is west,south,east,north: write \(form(swapped)), or " : "write ")
        + "\(form(numbers)),3857, or the WKID of their spatial reference instead of 3857",
      suggestion: isSwapped ? form(swapped) : nil)
  }

  /// Refuses an unknown spatial reference, and xmin above xmax where the world does not repeat.
  private static func check(_ envelope: Envelope) throws(MapStateError) {
    if envelope.spatialReference == .wgs84, envelope.yMin < -90 || envelope.yMax > 90 {
      throw MapStateError(
        .usage, "latitude \(written(envelope.yMin < -90 ? envelope.yMin : envelope.yMax)); -90 to 90 exist")
    }
    guard let reference = envelope.spatialReference, !reference.isBuiltIn else { return }
    guard envelope.xMin <= envelope.xMax else {
      throw MapStateError(.usage, "xmin \(written(envelope.xMin)) is above xmax \(written(envelope.xMax))")
    }
    if let reason = reference.impossibility { throw MapStateError(.usage, reason) }
  }

  private static func written(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(clamping: number))" : "\(number)"
  }

  /// Reads the text form, a list of its numbers, or an Esri extent.
  ///
  /// - Throws: `MapStateError` or `JSONDecodingError`.
  static func envelope(_ node: JSONNode) throws -> Envelope {
    switch node.value {
    case .string(let text): return try envelope(text: text)
    case .array: return try envelope(node.elements().map { try $0.double() })
    default:
      try node.refuseUnknown(EsriMembers.geometry)
      var envelope = try EsriViewpointCodec.envelope(node)
      if node["spatialReference"] == nil {
        envelope = envelope.with(spatialReference: .wgs84)
        try checkDegrees(envelope)
      }
      try check(envelope)
      return envelope
    }
  }
}
