import MapJSON
import MapModel
import MapSystem

/// A codec for strokes of CIM symbols with several colours.
enum CIMStrokeCodec {
  /// The largest number of parallel lines of a gradient.
  ///
  /// - Source: design decision.
  private static let mostLines = 32

  /// Reads a stroke whose colours change across it, as parallel lines, each of one colour; the first colour is on the
  /// left of the line, and outside a polygon.
  ///
  /// - Source: Esri CIM specification, `CIMGradientStroke`. Design decisions: the side of the first colour, and for
  ///   absent members those of gradient fills. Colours along a line are reported, and the middle one is drawn.
  static func gradient(
    _ layer: JSONNode, _ stops: [ColorGradient.Stop], line: SimpleLineSymbol, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    var line = line
    CIMMembers.reportUnread(
      layer,
      known: CIMMembers.ofLayers.union([
        "width", "capStyle", "joinStyle", "miterLimit", "colorRamp", "gradientMethod", "gradientSize",
        "gradientSizeUnits", "gradientType", "interval",
      ]), &report)
    guard layer["colorRamp"] != nil else {
      report.note(layer.path["colorRamp"], "missing: the gradient is not drawn")
      return []
    }
    let gradient = ColorGradient(form: .linear, stops: stops)
    guard !gradient.stops.isEmpty else { return [] }
    let isAlong =
      try CIMMembers.word(layer, "gradientMethod", ["AcrossLine": false, "AlongLine": true], &report) ?? false
    guard !isAlong, line.width > 0 else {
      if isAlong {
        report.note(
          layer.path["gradientMethod"], "approximated: the line has the middle colour of the gradient",
          .approximated)
      }
      line.color = gradient.color(at: 0.5)
      return [.line(line)]
    }
    let isDiscrete =
      try CIMMembers.word(layer, "gradientType", ["Discrete": true, "Continuous": false], &report) ?? false
    let bands = isDiscrete ? try layer.double("interval") ?? 5 : (2 * line.width).rounded(.up)
    guard bands >= 1 else { throw layer.invalid("an interval of \(bands) is below 1") }
    let count = min(Int(clamping: bands.rounded()), mostLines)
    let step = line.width / Double(count)
    return (0..<count).map { index in
      var band = line
      // Neighbours overlap a little, because a seam would be left between them otherwise.
      band.width = index + 1 < count ? min(step * 1.5, line.width) : step
      let shift = line.width / 2 - step * Double(index) - band.width / 2
      if shift != 0 { band.effects.append(.offset(shift, corners: .mitered)) }
      band.color = gradient.color(at: count > 1 ? Double(index) / Double(count - 1) : 0.5)
      return .line(band)
    }
  }
}
