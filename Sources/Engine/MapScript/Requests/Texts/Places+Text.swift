import MapDocuments
import MapGeometry
import MapJSON
import MapModel
package import MapState
import MapSystem

extension ViewSize: RequestText {
  /// Reads two numbers of view pixels, or a size of paper; see ``PaperSize``.
  package init(text: String) throws(MapStateError) {
    if let paper = PaperSize.size(text) {
      self = paper
      return
    }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else {
      throw MapStateError(
        .input,
        "expected two whole numbers above 0, or a size of paper; for example 800x600, A4-landscape or 210x297mm",
        suggestion: NearestName.of(text, among: PaperSize.names))
    }
    self.init(width: Double(width), height: Double(height))
  }

  /// Reads `[width, height]`, or the text form.
  init(_ node: JSONNode) throws {
    if let text = node.value.string {
      try self.init(text: text)
    } else {
      let sides = try node.elements()
      guard sides.count == 2 else { throw node.invalid("expected [width, height] or \"WxH\"") }
      self.init(width: try sides[0].double(), height: try sides[1].double())
    }
  }
}

/// A viewpoint in its text form, `LAT,LON,SCALE[,ROTATION]`.
package struct ViewpointText: RequestText, Sendable {
  let center: Point
  /// The scale denominator; NaN for a text without one, which needs a zoom.
  let scale: Double
  package let rotation: Double?

  /// Whether the text has a scale.
  package var hasScale: Bool { !scale.isNaN }

  package init(text: String) throws(MapStateError) {
    guard let numbers = DecimalNumbers.read(text, counts: 2...4) else {
      throw MapStateError(.input, "expected lat,lon,scale[,rotation], for example 50,12,20000000")
    }
    guard abs(numbers[0]) <= 90 else {
      throw MapStateError(.usage, "latitude \(numbers[0]) is impossible; it must be -90 to 90")
    }
    if numbers.count > 2 { try Self.check(scale: numbers[2]) }
    center = Point(latitude: numbers[0], longitude: numbers[1])
    scale = numbers.count > 2 ? numbers[2] : .nan
    rotation = numbers.count == 4 ? numbers[3] : nil
  }

  /// Refuses a scale denominator that no view has.
  static func check(scale: Double) throws(MapStateError) {
    guard ResolvedViewpoint.scaleLimits.contains(scale) else {
      throw MapStateError(.input, "scale \(scale) is impossible; 0.001 to 10,000,000,000 can be shown")
    }
  }
}

extension Point {
  /// Reads `[latitude, longitude]`, `latitude` and `longitude`, or an Esri point.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    if node.value.array != nil {
      let degrees = try node.elements().map { element throws(JSONDecodingError) in try element.double() }
      guard degrees.count == 2, abs(degrees[0]) <= 90 else {
        throw node.invalid("expected [latitude, longitude] in degrees, for example [50, 12]")
      }
      self.init(latitude: degrees[0], longitude: degrees[1])
      return
    }
    guard node["latitude"] == nil else {
      try node.refuseUnknown(EsriMembers.degrees)
      self.init(
        latitude: try node.required("latitude").double(), longitude: try node.required("longitude").double())
      return
    }
    try node.refuseUnknown(EsriMembers.geometry)
    self = try EsriViewpointCodec.envelope(node).center
  }
}

extension SpatialReference: RequestText {
  /// Reads a WKID, or a text with a code or a definition.
  init(written node: JSONNode) throws {
    try self.init(text: node.value.string ?? "\(node.integer())")
  }
}
