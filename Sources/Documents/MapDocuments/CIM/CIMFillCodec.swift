import MapJSON
import MapModel
import MapSystem

/// A reader of the hatches, gradients and images of CIM symbols.
enum CIMFillCodec {
  static func hatch(
    _ layer: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    CIMMembers.reportRest(
      of: layer,
      known: [
        "lineSymbol", "rotation", "separation", "offsetX", "offsetY",
      ], &report)
    // - Source: the ArcGIS Maps SDK for JavaScript for the default of 4 points.
    let points = try layer.double("separation") ?? 4
    guard points > 0, points <= EsriMembers.largestLength else {
      throw layer.invalid("a separation of \(points) is impossible; more than 0 to 720 points can be drawn")
    }
    for name in ["offsetX", "offsetY"] where try layer.double(name) ?? 0 != 0 {
      report.note(layer.path[name], "not applied: the lines start at the image's corner")
    }
    guard let symbol = layer["lineSymbol"] else {
      report.note(layer.path["lineSymbol"], "missing: the hatch is not drawn")
      return []
    }
    var parts: [SymbolForm] = []
    for stroke in try symbol.elements("symbolLayers").reversed() where try stroke.boolean("enable") ?? true {
      guard try stroke.string("type") == "CIMSolidStroke" else {
        report.note(stroke.path, "not drawn: the lines of a hatch are solid strokes")
        continue
      }
      var line = try CIMSymbolCodec.stroke(stroke, &report)
      if !line.dashTemplate.isEmpty || !line.effects.isEmpty {
        report.note(stroke.path["effects"], "not applied: the lines of a hatch are solid")
        (line.dashTemplate, line.effects) = ([], [])
      }
      parts.append(
        .pattern(
          PatternFillSymbol(
            pattern: .lines(
              line, separation: points * EsriMembers.pixelsPerPoint,
              angle: try layer.double("rotation") ?? 0))))
    }
    return parts
  }

  /// Reads a picture fill; the image keeps its proportion unless `scaleX` changes it.
  static func picture(
    _ layer: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    CIMMembers.reportRest(
      of: layer,
      known: [
        "url", "URL", "offsetX", "offsetY", "rotation", "scaleX", "height", "textureFilter", "tintColor",
        "colorSubstitutions",
      ], &report)
    let picture = try CIMMarkerCodec.image(layer, height: try layer.double("height"), &report)
    var symbol = picture
    if let scale = try layer.double("scaleX"), scale > 0, scale != 1, let size = symbol.drawnSize {
      (symbol.width, symbol.height) = (size.width * scale, size.height)
    }
    let turn = try layer.double("rotation") ?? 0
    symbol.angle = turn == 0 ? 0 : -turn
    symbol.offsetX = try EsriMembers.offset(layer, "offsetX")
    symbol.offsetY = try EsriMembers.offset(layer, "offsetY")
    return [.pattern(PatternFillSymbol(pattern: .picture(symbol)))]
  }

  // MARK: Gradients

  /// Reads a gradient fill.
  ///
  /// - Source: Esri CIM specification. Design decisions for absent members, as ArcGIS Pro writes them: linear from the
  ///   top, over 75 percent, in 5 bands if discrete.
  static func gradient(
    _ layer: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    CIMMembers.reportRest(
      of: layer,
      known: [
        "angle", "colorRamp", "gradientMethod", "gradientSize", "gradientSizeUnits", "gradientType",
        "interval",
      ], &report)
    guard let ramp = layer["colorRamp"] else {
      report.note(layer.path["colorRamp"], "missing: the gradient is not drawn")
      return []
    }
    let stops = try self.stops(ramp, depth: 0, &report)
    guard !stops.isEmpty else { return [] }
    var gradient = ColorGradient(form: .linear, stops: stops)
    gradient.form =
      try CIMMembers.word(
        layer, "gradientMethod",
        ["Linear": .linear, "Rectangular": .rectangular, "Circular": .circular, "Buffered": .buffered],
        &report) ?? .linear
    gradient.angle = try layer.double("angle") ?? 90
    let size = try layer.double("gradientSize") ?? 75
    guard size >= 0 else { throw layer.invalid("a gradientSize of \(size) is below 0") }
    let isAbsolute =
      try CIMMembers.word(
        layer, "gradientSizeUnits", ["Relative": false, "Absolute": true], &report) ?? false
    gradient.size =
      isAbsolute
      ? .absolute(min(size, 100 * EsriMembers.largestLength) * EsriMembers.pixelsPerPoint)
      : .relative(min(size / 100, 1))
    if try CIMMembers.word(layer, "gradientType", ["Discrete": true, "Continuous": false], &report)
      ?? false
    {
      let count = try layer.double("interval") ?? 5
      guard count >= 1, let bands = Int(exactly: min(count, 256).rounded()) else {
        throw layer.invalid("an interval of \(count) is impossible; a gradient has at least one band")
      }
      gradient.bandCount = bands
    }
    return [.pattern(PatternFillSymbol(pattern: .gradient(gradient)))]
  }

  /// Reads a colour ramp; empty, with a warning, for one that is not drawn.
  ///
  /// - Source: Esri CIM specification, color ramps.
  static func stops(
    _ ramp: JSONNode, depth: Int, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [ColorGradient.Stop] {
    let type = try ramp.string("type") ?? ""
    switch type {
    case "CIMLinearContinuousColorRamp", "CIMPolarContinuousColorRamp", "CIMLinearColorRamp":
      guard let from = try CIMColor.color(ramp["fromColor"], &report),
        let to = try CIMColor.color(ramp["toColor"], &report)
      else {
        report.note(ramp.path, "not drawn: a color ramp has a fromColor and a toColor")
        return []
      }
      guard type == "CIMPolarContinuousColorRamp" else {
        return [.init(offset: 0, color: from), .init(offset: 1, color: to)]
      }
      return try polarStops(ramp, from: from, to: to, &report)
    case "CIMFixedColorRamp":
      var colors: [Color] = []
      for color in try ramp.elements("colors") {
        if let color = try CIMColor.color(color, &report) { colors.append(color) }
      }
      return colors.enumerated().map { index, color in
        .init(offset: colors.count > 1 ? Double(index) / Double(colors.count - 1) : 0, color: color)
      }
    case "CIMMultipartColorRamp" where depth < 4:
      let parts = try ramp.elements("colorRamps")
      guard !parts.isEmpty, parts.count <= 256 else { throw ramp.invalid("a ramp has 1 to 256 parts") }
      var weights: [Double] = []
      for weight in try ramp.elements("weights") { weights.append(max(try weight.double(), 0)) }
      if weights.count != parts.count || weights.reduce(0, +) <= 0 {
        weights = Array(repeating: 1, count: parts.count)
      }
      let sum = weights.reduce(0, +)
      var (stops, start) = ([ColorGradient.Stop](), 0.0)
      for (part, weight) in zip(parts, weights) {
        let own = try self.stops(part, depth: depth + 1, &report)
        stops += own.map { .init(offset: (start + $0.offset * weight) / sum, color: $0.color) }
        start += weight
      }
      return stops
    default:
      report.note(ramp.path["type"], "not drawn: a color ramp of type \"\(type.prefix(200))\"")
      return []
    }
  }

  /// Returns the stops of a ramp whose hue turns on the color wheel, with 16 straight pieces.
  ///
  /// - Source: Esri CIM specification, `CIMPolarContinuousColorRamp`: the direction `Auto` is the shorter way.
  ///   Design decision: a grey has the hue of the other colour.
  private static func polarStops(
    _ ramp: JSONNode, from: Color, to: Color, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [ColorGradient.Stop] {
    if let space = try ramp.string("interpolationSpace"), space != "HSV" {
      report.note(
        ramp.path["interpolationSpace"], "approximated: the colors change by hue, saturation and value",
        .approximated)
    }
    var (start, end) = (CIMColor.hsv(from), CIMColor.hsv(to))
    if start.saturation == 0 { start.hue = end.hue }
    if end.saturation == 0 { end.hue = start.hue }
    var turn = end.hue - start.hue
    let words = ["Auto": 0, "Clockwise": 1, "Counterclockwise": 2, "CounterClockwise": 2]
    switch try CIMMembers.word(ramp, "polarDirection", words, &report) ?? 0 {
    // Hues run counter-clockwise on the wheel.
    case 1: if turn > 0 { turn -= 360 }
    case 2: if turn < 0 { turn += 360 }
    default:
      if turn > 180 { turn -= 360 }
      if turn < -180 { turn += 360 }
    }
    let pieces = 16
    return (0...pieces).map { piece in
      let share = Double(piece) / Double(pieces)
      func between(_ first: Double, _ last: Double) -> Double { first + (last - first) * share }
      func channel(_ value: Double) -> UInt8 { UInt8(clamping: Int(clamping: value.rounded())) }
      let rgb = CIMColor.rgb(
        hue: (start.hue + turn * share + 360).truncatingRemainder(dividingBy: 360),
        saturation: between(start.saturation, end.saturation), value: between(start.value, end.value))
      return .init(
        offset: share,
        color: Color(
          red: channel(rgb.0), green: channel(rgb.1), blue: channel(rgb.2),
          alpha: channel(between(start.alpha, end.alpha))))
    }
  }
}
