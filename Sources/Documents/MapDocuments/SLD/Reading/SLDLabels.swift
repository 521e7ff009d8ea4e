import MapGeometry
import MapJSON
import MapModel
import MapSystem

/// The symbolizer of texts.
///
/// - Source: OGC 05-077r4, clause 11.4; OGC 02-070, clause 11.5; GeoServer, "Labeling" for vendor options.
extension SLDMapping {
  private static let labelNames: Set<String> = [
    "Name", "Description", "BaseSymbolizer", "Geometry", "Label", "Font", "LabelPlacement", "Halo", "Fill",
    "Graphic", "Priority", "VendorOption", "Abstract", "OtherText",
  ]
  private static let labelOptions: Set<String> = [
    "conflictResolution", "repeat", "group", "autoWrap", "maxDisplacement", "forceLeftToRight", "followLine",
    "partials", "spaceAround", "allowOverruns", "polygonAlign", "kerning", "labelAllGroup", "removeOverlaps",
    "inclusion",
  ]
  private static let undrawnLabelOptions: [String: String] = [
    "maxAngleDelta": "letters bend as the line does", "goodnessOfFit": "labels of areas may leave them",
    "underlineText": "letters are not underlined", "strikethroughText": "letters are not struck through",
    "charSpacing": "letters have the spaces of the font",
    "wordSpacing": "words have the spaces of the font",
    "minGroupDistance": "equal labels may lie close together", "displacementMode": "any side may be used",
    "graphic-resize": "there is no graphic", "graphic-margin": "there is no graphic",
    "graphicPlacement": "there is no graphic", "underlineMargin": "letters are not underlined",
    "fontShrinkSizeMin": "letters keep their size", "centroidInside": "labels are inside areas",
    "labelObstacle": "labels keep each other away",
  ]

  /// Reads a label; nil after a note.
  ///
  /// - Parameter radius: the distance from the middle of the symbol of points to its edge.
  mutating func label(
    _ element: SLDElement, radius: Double
  ) -> (definition: LabelDefinition, priority: Double?)? {
    check(element, Self.labelNames)
    let unit = unit(of: element)
    guard let own = element["Label"], let expression = labelExpression(own) else {
      note(
        element,
        element["Label"] == nil ? "has no Label" : "the label is left out, because its text is not read")
      return nil
    }
    if let graphic = element["Graphic"] { note(graphic, "labels have no graphic behind them") }
    if let geometry = element["Geometry"], geometry["Function"] != nil {
      note(geometry, "the geometry itself is labelled", .approximated)
    }
    var symbol = TextSymbol(color: .black, size: 10)
    if let fill = element["Fill"] {
      let read = self.fill(fill)
      if let graphic = read.graphic { note(graphic, "letters have one colour", .approximated) }
      symbol.color = read.color.value(or: .black)
      if read.color.expression != nil {
        note(fill, "all labels of the rule have one colour: black", .approximated)
      }
    }
    if let font = element["Font"] { self.font(font, unit, &symbol) }
    if let halo = element["Halo"] { self.halo(halo, unit, &symbol) }
    var definition = LabelDefinition(expression: expression, textSymbol: symbol)
    definition.stacking = LabelStacking()
    (definition.repeatsAlongLines, definition.joinsLines) = (false, false)
    definition.multipartLabeling = .labelPerFeature
    place(element["LabelPlacement"], unit, radius, &definition)
    let options = vendorOptions(element, drawn: Self.labelOptions, undrawn: Self.undrawnLabelOptions)
    apply(options, &definition)
    var priority: Double?
    if let own = element["Priority"], let value = value(own) {
      if case .property(let name) = value {
        definition.featurePriority = spelt(name, own).map { FeaturePriority(fieldName: $0) }
      } else if let number = value.constant.flatMap({ Double($0.trimmed) }), number.isFinite {
        priority = number
      } else {
        note(own, "only a field or a number orders labels")
      }
    }
    return (definition, priority)
  }

  private mutating func labelExpression(_ element: SLDElement) -> LabelExpressionForm? {
    guard let value = value(element) else { return nil }
    if case .property(let name) = value, !name.contains(where: { $0 == "[" || $0 == "]" }) {
      return spelt(name, element).map { .simple("[\($0)]") }
    }
    return arcade(value, as: .text, element).map { .arcade($0) }
  }

  // MARK: The symbol

  private mutating func font(
    _ element: SLDElement, _ unit: Unit, _ symbol: inout TextSymbol
  ) {
    check(element, ["CssParameter", "SvgParameter"])
    let values = parameters(element, ["font-family", "font-style", "font-weight", "font-size", "font-color"])
    if let family = values["font-family"] {
      symbol.fontFamily = value(family)?.constant ?? ""
      if symbol.fontFamily.isEmpty, !family.children.isEmpty {
        note(family, "a font that features decide", .approximated)
      } else if !symbol.fontFamily.isEmpty {
        families.append((symbol.fontFamily, family))
      }
    }
    symbol.size = max(fixed(values["font-size"], unit, or: 10), 0)
    if let style = values["font-style"], let word = word(style) {
      if let found = TextSymbol.FontStyle(rawValue: word) {
        symbol.fontStyle = found
      } else {
        note(style, "\"\(word.prefix(60))\" is no style of fonts; normal, italic and oblique are")
      }
    }
    if let weight = values["font-weight"], let word = word(weight) {
      switch word {
      case "bold", "600", "700", "800", "900": symbol.fontWeight = .bold
      case "normal", "medium", "100", "200", "300", "400", "500": break
      default: note(weight, "\"\(word.prefix(60))\" is no weight of fonts; normal and bold are")
      }
    }
    if let color = values["font-color"] { note(color, "the colour of letters is that of Fill") }
  }

  private mutating func halo(
    _ element: SLDElement, _ unit: Unit, _ symbol: inout TextSymbol
  ) {
    check(element, ["Radius", "Fill"])
    symbol.haloWidth = max(fixed(element["Radius"], unit, or: 1), 0)
    symbol.haloColor = .white
    guard let own = element["Fill"] else { return }
    let read = fill(own)
    symbol.haloColor = read.color.value(or: .white)
    if read.color.expression != nil || read.graphic != nil {
      note(own, "all halos have one colour", .approximated)
    }
  }

  // MARK: The place

  private mutating func place(
    _ element: SLDElement?, _ unit: Unit, _ radius: Double,
    _ definition: inout LabelDefinition
  ) {
    if let element { check(element, ["PointPlacement", "LinePlacement"]) }
    if let line = element?["LinePlacement"] {
      placeAlong(line, unit, &definition)
      return
    }
    if kind == .polyline {
      definition.placement = .lineCenterAlong
      definition.textLayout = .horizontal
      definition.allowsOverrun = true
    }
    if kind == .polygon {
      definition.placement = .polygonAlwaysHorizontal
    }
    guard kind != .polyline, kind != .polygon || element?["PointPlacement"] != nil else { return }
    var (anchor, dx, dy) = ((x: 0.0, y: 0.5), 0.0, 0.0)
    if let point = element?["PointPlacement"] {
      check(point, ["AnchorPoint", "Displacement", "Rotation"])
      if let own = point["AnchorPoint"] { anchor = self.anchor(own, default: (0, 0.5)) }
      if let own = point["Displacement"] {
        check(own, ["DisplacementX", "DisplacementY"])
        dx = fixed(own["DisplacementX"], unit, or: 0)
        dy = fixed(own["DisplacementY"], unit, or: 0)
      }
      if let own = point["Rotation"], let angle = number(own) {
        let text: String? =
          switch angle {
          case .constant(let degrees): degrees == 0 ? nil : "-(\(JSONWriter.text(of: degrees)))"
          case .arcade(let expression): "-(\(expression))"
          }
        definition.angle = text.map { LabelAngle(expression: .arcade($0), rotationType: .arithmetic) }
      }
      if kind == .polygon {
        let isCentred = abs(anchor.x - 0.5) < 0.3 && abs(anchor.y - 0.5) < 0.3 && abs(dx) + abs(dy) < 3
        if point["AnchorPoint"] != nil || point["Displacement"] != nil, !isCentred {
          note(point, "labels of areas are in their middle", .approximated)
        }
        return
      }
    }
    placeBeside(anchor, dx, dy, radius, &definition, element?["PointPlacement"])
  }

  /// Sets the side of a point where a label lies, and its distance from the symbol.
  private mutating func placeBeside(
    _ anchor: (x: Double, y: Double), _ dx: Double, _ dy: Double, _ radius: Double,
    _ definition: inout LabelDefinition, _ element: SLDElement?
  ) {
    func side(_ part: Double) -> Int { part < 0.25 ? 1 : part > 0.75 ? -1 : 0 }
    var (x, y) = (side(anchor.x), side(anchor.y))
    var distance = x != 0 ? Double(x) * dx : Double(y) * dy
    if x == 0, y == 0, abs(dx) + abs(dy) > 2 {
      // The middle of the text is moved.
      if abs(dx) > abs(dy) { x = dx > 0 ? 1 : -1 } else { y = dy > 0 ? 1 : -1 }
      distance = max(abs(dx), abs(dy)) - definition.textSymbol.size / 2
    }
    let name = "\(y > 0 ? "Above" : y < 0 ? "Below" : "Center")\(x > 0 ? "Right" : x < 0 ? "Left" : "Center")"
    definition.placement = LabelingPlacement(rawValue: "point\(name)")
    definition.offsetDistance = max(distance - radius, 0)
    let rest = x != 0 && y == 0 ? abs(dy) : x == 0 && y != 0 ? abs(dx) : 0
    if rest > 3 || distance < -3, let element {
      note(element, "the label is beside the symbol, not displaced across", .approximated)
    }
  }

  private mutating func placeAlong(
    _ element: SLDElement, _ unit: Unit, _ definition: inout LabelDefinition
  ) {
    check(
      element, ["PerpendicularOffset", "IsRepeated", "InitialGap", "Gap", "IsAligned", "GeneralizeLine"])
    if let own = element["GeneralizeLine"], ["true", "1"].contains(own.text) {
      note(own, "labels follow the line as it is", .approximated)
    }
    let offset = fixed(element["PerpendicularOffset"], unit, or: 0)
    definition.placement = offset > 0 ? .lineAboveAlong : offset < 0 ? .lineBelowAlong : .lineCenterAlong
    definition.offsetDistance = max(abs(offset) - definition.textSymbol.size / 2, 0)
    definition.repeatsAlongLines = element.text("IsRepeated") == "true"
    let gap = fixed(element["Gap"], unit, or: 0)
    if gap > 0 { definition.repeatDistance = gap }
    if element.text("IsAligned") == "false" { definition.textLayout = .horizontal }
    if let own = element["InitialGap"] { note(own, "labels are placed where there is room", .approximated) }
    guard kind == .polygon else { return }
    definition.placement = .polygonAlwaysHorizontal
    note(element, "labels of areas are in their middle, not along their edges", .approximated)
  }

  // MARK: Vendor options

  private mutating func apply(_ options: [String: SLDElement], _ definition: inout LabelDefinition) {
    func isOn(_ name: String) -> Bool? {
      options[name].map { ["true", "yes", "1"].contains($0.text.lowercased()) }
    }
    func number(_ name: String) -> Double? {
      options[name].flatMap { Double($0.text) }.flatMap { (-10_000...10_000).contains($0) ? $0 : nil }
    }
    definition.deconflictionStrategy = .static
    if let distance = number("maxDisplacement"), distance > 0 { definition.deconflictionStrategy = .dynamic }
    if isOn("conflictResolution") == false {
      definition.deconflictionStrategy = .none
      definition.labelOverlapStrategy = .allow
    }
    if let distance = number("repeat"), distance > 0 {
      (definition.repeatsAlongLines, definition.repeatDistance) = (true, distance)
    }
    if let group = isOn("group") {
      definition.joinsLines = group
      if group, kind != .polyline { definition.duplicateRemoval = .labelClass }
    }
    if let width = number("autoWrap"), width > 0 {
      // Letters are about half as wide as high.
      let letters = Int(clamping: (width / max(definition.textSymbol.size * 0.5, 1)).rounded())
      definition.stacking = LabelStacking(rowLength: max(letters, 1))
    }
    if isOn("forceLeftToRight") == false { definition.textOrientation = .direction }
    if let overruns = isOn("allowOverruns") { definition.allowsOverrun = overruns }
    if let kerning = isOn("kerning") { definition.textSymbol.isKerned = kerning }
    if let own = options["polygonAlign"], ["mbr", "ortho"].contains(own.text) {
      definition.textLayout = .straight
    }
    if let own = options["followLine"], isOn("followLine") == false {
      note(own, "letters follow the line", .approximated)
    }
    if let own = options["spaceAround"], number("spaceAround") ?? 0 != 0 {
      note(own, "labels keep no further distance from each other", .approximated)
    }
    if let own = options["partials"], isOn("partials") == true {
      note(own, "labels that the edge of the image cuts are left out", .approximated)
    }
    if isOn("labelAllGroup") == true { definition.multipartLabeling = .labelPerPart }
    if let own = options["removeOverlaps"], isOn("removeOverlaps") == true {
      note(own, "lines of a group may overlap", .approximated)
    }
  }
}
