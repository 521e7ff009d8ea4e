import MapDocuments
import MapFeatures
public import MapGeometry
package import MapJSON
import MapModel
public import MapState
import MapSystem

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
    var numbers: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      // Double("0x1p3") and Double("nan") succeed, but such input is not intended.
      guard let number = Double(String(part.drop { $0 == " " })), number.isFinite,
        !part.lowercased().contains("x")
      else { throw malformed }
      numbers.append(number)
    }
    guard numbers.count == 4 || numbers.count == 5 else { throw malformed }
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

  private static let malformed = MapStateError(
    .input, "expected xmin,ymin,xmax,ymax[,wkid] with decimal points, for example 5.5,45,15,55")

  /// Refuses an extent without spatial reference that cannot be in degrees; the message shows the form with one.
  private static func checkDegrees(_ envelope: Envelope) throws(MapStateError) {
    let isDegrees =
      [envelope.xMin, envelope.xMax].allSatisfy { (-360...360).contains($0) }
      && [envelope.yMin, envelope.yMax].allSatisfy { (-90...90).contains($0) }
    guard !isDegrees else { return }
    let form = [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax].map(written).joined(
      separator: ",")
    throw MapStateError(
      .usage,
      "values outside -360..360 and -90..90 are not degrees; write \(form),3857 or another WKID")
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
    do { try SpatialOperations.installed.check(reference) } catch {
      // Without PROJ the reference may be right; the first use of the extent reports what is missing.
      guard error.isMissingLibrary else {
        throw MapStateError(.usage, "unknown spatial reference: WKID \(reference.wkid)")
      }
    }
  }

  private static func written(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(clamping: number))" : "\(number)"
  }

  /// Reads an Esri extent, or a list `[xmin, ymin, xmax, ymax]` with an optional WKID.
  static func envelope(_ node: JSONNode) throws(JSONDecodingError) -> Envelope {
    if case .array = node.value {
      let numbers = try node.elements().map { element throws(JSONDecodingError) in try element.double() }
      guard numbers.count == 4 || numbers.count == 5, numbers[1] <= numbers[3] else {
        throw node.invalid("expected [xmin, ymin, xmax, ymax] with an optional WKID")
      }
      let reference =
        numbers.count == 5 ? Int(exactly: numbers[4]).map { SpatialReference(wkid: $0) } : .wgs84
      guard let reference else { throw node.invalid("\(numbers[4]) is not a WKID") }
      return Envelope(
        xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3], spatialReference: reference)
    }
    let envelope = try EsriViewpointCodec.envelope(node)
    return node["spatialReference"] == nil ? envelope.with(spatialReference: .wgs84) : envelope
  }

  /// Refuses the extents of a step or case that options would also refuse.
  ///
  /// - Throws: `MapStateError` of kind usage; malformed extents are left to ``envelope(_:)``.
  package static func checkDegrees(of step: JSONNode) throws(MapStateError) {
    for name in ["bounds", "extent"] {
      guard let node = step[name], let envelope = try? envelope(node) else { continue }
      do {
        if node["spatialReference"] == nil, node[4] == nil { try checkDegrees(envelope) }
        try check(envelope)
      } catch {
        throw MapStateError(.usage, "\(node.path): \(error)", path: node.path.description)
      }
    }
  }
}

extension JSONNode {
  fileprivate subscript(index: Int) -> JSONValue? { value[index] }
}
