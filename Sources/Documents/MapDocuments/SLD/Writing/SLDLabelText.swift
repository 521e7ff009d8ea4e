import MapExpressions
import MapFeatures
import MapGeometry
import MapModel

/// A label class as a text symbolizer, with what it says otherwise.
///
/// - Source: OGC 05-077r4, clause 11.4. Vendor options are those of GeoServer.
struct SLDLabelText {
  /// The element; nil for a label that is not written.
  private(set) var text: SLDText?
  /// The parts that are written in another way, or not at all.
  private(set) var losses: [(reason: String, outcome: DocumentOutcome)] = []
  private let label: LabelDefinition
  private let kind: GeometryKind?

  /// Writes the labels of features of a kind.
  ///
  /// - Parameter radius: the distance from the middle of the symbols of points to their edges.
  init(_ label: LabelDefinition, kind: GeometryKind?, radius: Double) {
    (self.label, self.kind) = (label, kind)
    guard let template = try? label.expression.parsed() else {
      losses.append(("the label \"\(label.expression.text)\" is not written", .dropped))
      return
    }
    var content = SLDText()
    for part in template.parts {
      switch part {
      case .text(let text): content.element("ogc:Literal", text: text)
      case .field(let name): content.element("ogc:PropertyName", text: name)
      case .arcade:
        losses.append(
          ("the label \"\(label.expression.text)\" is an expression, which is not written", .dropped))
        return
      }
    }
    let written = symbolizer(content, radius)
    text = written
    let names = differences(from: read(written, radius))
    guard !names.isEmpty else { return }
    losses.append(
      (
        "styles do not say all of the label \"\(label.expression.text)\": \(names.joined(separator: ", "))",
        .approximated
      ))
  }

  private func symbolizer(_ content: SLDText, _ radius: Double) -> SLDText {
    let symbol = label.textSymbol
    var text = SLDText()
    text.element("se:TextSymbolizer") { text in
      // White space between the parts of a label would be part of it.
      text.raw("se:Label", content.lines.joined())
      text.element("se:Font") { text in
        text.parameter("font-family", symbol.fontFamily.isEmpty ? "Noto Sans" : symbol.fontFamily)
        text.parameter("font-size", SLDText.text(symbol.size))
        if symbol.fontStyle != .normal { text.parameter("font-style", symbol.fontStyle.rawValue) }
        if symbol.fontWeight == .bold { text.parameter("font-weight", "bold") }
      }
      text.element("se:LabelPlacement") { placement(radius, &$0) }
      if let color = symbol.haloColor, symbol.haloWidth > 0 {
        text.element("se:Halo") { text in
          text.element("se:Radius", number: symbol.haloWidth)
          SLDSymbolText.fill(color, &text)
        }
      }
      SLDSymbolText.fill(symbol.color ?? .clear, &text)
      if let priority = label.featurePriority, priority.largestFirst {
        text.element("se:Priority") { $0.element("ogc:PropertyName", text: priority.fieldName) }
      }
      for (name, value) in options { text.element("VendorOption", "name=\"\(name)\"", text: value) }
    }
    return text
  }

  // MARK: The place

  /// The placement, which is that of the kind of geometries where the label has none.
  private static func placement(of label: LabelDefinition, _ kind: GeometryKind?) -> LabelingPlacement {
    if let own = label.placement, kind.map({ own.suits($0) }) ?? true { return own }
    return switch kind {
    case .polyline: .lineAboveAlong
    case .polygon: .polygonAlwaysHorizontal
    case .point, .multipoint, nil: .pointAboveRight
    }
  }

  private func placement(_ radius: Double, _ text: inout SLDText) {
    let placement = Self.placement(of: label, kind)
    if let line = placement.line {
      text.element("se:LinePlacement") { text in
        if line.side != 0 {
          let offset = label.offsetDistance + label.textSymbol.size / 2
          text.element("se:PerpendicularOffset", number: -line.side * offset)
        }
        if label.repeatsAlongLines {
          text.element("se:IsRepeated", text: "true")
          text.element("se:Gap", number: label.repeatDistance)
        }
        if label.textLayout == .horizontal { text.element("se:IsAligned", text: "false") }
      }
      return
    }
    let side = placement.side ?? (x: 0, y: 0)
    let distance = label.offsetDistance + radius
    text.element("se:PointPlacement") { text in
      text.element("se:AnchorPoint") { text in
        text.element("se:AnchorPointX", number: (1 - side.x) / 2)
        text.element("se:AnchorPointY", number: (1 + side.y) / 2)
      }
      if side.x != 0 || side.y != 0 {
        text.element("se:Displacement") { text in
          text.element("se:DisplacementX", number: side.x * distance)
          text.element("se:DisplacementY", number: -side.y * distance)
        }
      }
    }
  }

  /// The vendor options with their values.
  private var options: [(name: String, value: String)] {
    var options: [(name: String, value: String)] = []
    let isLine = kind == .polyline
    switch label.deconflictionStrategy {
    case .static: break
    case .none: options.append(("conflictResolution", "false"))
    // The distance in which GeoServer looks for room.
    case .dynamic, .dynamicNeverRemove: options.append(("maxDisplacement", "40"))
    }
    if isLine ? label.joinsLines : label.duplicateRemoval == .labelClass { options.append(("group", "yes")) }
    if isLine, label.joinsLines, label.multipartLabeling == .labelPerPart {
      options.append(("labelAllGroup", "true"))
    }
    if isLine, label.repeatsAlongLines { options.append(("repeat", SLDText.text(label.repeatDistance))) }
    if let length = label.stacking?.rowLength {
      options.append(("autoWrap", SLDText.text(Double(length) * max(label.textSymbol.size * 0.5, 1))))
    }
    if let overruns = label.allowsOverrun { options.append(("allowOverruns", "\(overruns)")) }
    if label.textOrientation == .direction { options.append(("forceLeftToRight", "false")) }
    if kind == .polygon, label.textLayout == .straight || label.textLayout == .followFeature {
      options.append(("polygonAlign", "mbr"))
    }
    if !label.textSymbol.isKerned { options.append(("kerning", "false")) }
    return options
  }

  // MARK: The differences

  /// Reads the element back.
  private func read(_ text: SLDText, _ radius: Double) -> LabelDefinition? {
    let bytes = Array("<a>\(text.lines.joined(separator: "\n"))</a>".utf8)
    guard let element = (try? SLDElement.read(bytes))?.root.children.first else { return nil }
    var mapping = SLDMapping(
      fields: nil, geometryName: FeatureSchema.defaultGeometryName, kind: kind, bytes: bytes
    ) { _ in .failure(SymbolPictureError("no images")) }
    return mapping.label(element, radius: radius)?.definition
  }

  /// Returns the names of the properties of labels that differ in what was read back.
  private func differences(from other: LabelDefinition?) -> [String] {
    guard let other else { return [] }
    var found: [String] = []
    func note(_ name: String, _ isSame: Bool) { if !isSame { found.append(name) } }
    func isNear(_ first: Double, _ second: Double) -> Bool { abs(first - second) < 1e-6 }
    let (isLine, isArea) = (kind == .polyline, kind == .polygon)
    let placement = Self.placement(of: label, kind)
    let isCentred = placement.side.map { $0 == (0, 0) } ?? (placement.line?.side ?? 0 == 0)
    note("placement", placement == Self.placement(of: other, kind))
    note("distance from the symbol", isCentred || isNear(label.offsetDistance, other.offsetDistance))
    note(
      "treatment of overlaps",
      label.deconflictionStrategy == other.deconflictionStrategy
        && (label.deconflictionStrategy == .none || label.labelOverlapStrategy == other.labelOverlapStrategy)
        && label.featureInteriorOverlapStrategy == other.featureInteriorOverlapStrategy
        && label.featureBoundaryOverlapStrategy == other.featureBoundaryOverlapStrategy)
    if isLine {
      note(
        "repetition",
        label.repeatsAlongLines == other.repeatsAlongLines
          && (!label.repeatsAlongLines || isNear(label.repeatDistance, other.repeatDistance)))
      note("joining of lines", label.joinsLines == other.joinsLines)
      note(
        "junctions of lines", !label.joinsLines || label.joinsLinesAtJunctions == other.joinsLinesAtJunctions)
      note("side of lines", label.lineOrientation == other.lineOrientation)
    }
    if isLine || isArea {
      note(
        "parts of features",
        label.labelsOnePart && other.labelsOnePart || label.multipartLabeling == other.multipartLabeling)
      note("overrun", (label.allowsOverrun ?? isArea) == (other.allowsOverrun ?? isArea))
    }
    note(
      "direction of letters",
      label.textOrientation == other.textOrientation && layout(of: label) == layout(of: other))
    note("angle", label.angle == other.angle)
    note(
      "removal of equal labels",
      label.duplicateRemoval == other.duplicateRemoval
        && (label.duplicateRemoval == .none
          || isNear(label.duplicateRemovalDistance, other.duplicateRemovalDistance))
    )
    note("line breaks", Self.breaks(label.stacking) == Self.breaks(other.stacking))
    note("priority", label.priority == other.priority)
    note("order", label.featurePriority == other.featurePriority)
    note("names of codes", !label.usesCodedValues || label.domains.isEmpty && label.subtypes == nil)
    note("text symbol", isSame(other.textSymbol))
    return found
  }

  /// Returns the direction of letters, the same one for those that are drawn alike.
  private func layout(of label: LabelDefinition) -> LabelDefinition.TextLayout {
    switch (label.textLayout, kind) {
    case (.horizontal, .polyline?): .horizontal
    case (.horizontal, _): .standard
    case (.followFeature, .polygon?): .straight
    case (let layout, _): layout
    }
  }

  /// Returns the rules for line breaks; nil for rules that break no line.
  private static func breaks(_ stacking: LabelStacking?) -> LabelStacking? {
    guard let stacking, stacking.rowLength != nil || stacking.separators.contains(where: \.isForced) else {
      return nil
    }
    return stacking
  }

  /// Whether a text symbol that was read back is drawn as that of the label.
  private func isSame(_ other: TextSymbol) -> Bool {
    var own = label.textSymbol
    if own.fontFamily.isEmpty { own.fontFamily = "Noto Sans" }
    own.color = own.color ?? .clear
    if own.haloColor == nil || own.haloWidth <= 0 {
      (own.haloColor, own.haloWidth) = (other.haloColor, other.haloWidth)
    }
    guard abs(own.size - other.size) < 1e-6, abs(own.haloWidth - other.haloWidth) < 1e-6 else { return false }
    (own.size, own.haloWidth, own.text) = (other.size, other.haloWidth, other.text)
    return own == other
  }
}
