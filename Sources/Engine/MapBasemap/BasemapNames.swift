package import MapFeatures
import MapGeometry
import MapModel
import MapSystem

/// The names of waters, countries and places, which `Scripts/make/basemap` writes with the smallest scale of each.
package enum BasemapNames {
  /// The kind of a name, as written in the table.
  private enum Kind: Int, CaseIterable {
    case water, country, capital, place
  }

  private static let schema = FeatureSchema(
    fields: [
      Field(name: "KIND", type: .int32), Field(name: "SCALE", type: .int32),
      Field(name: "NAME", type: .text),
    ], geometryKind: .point, spatialReference: .wgs84)

  /// The view pixels within which a label with the same text names the same water or country, or the same city.
  ///
  /// - Source: design decision; the name of an area may be anywhere in it, and a world copy is farther away.
  private static let (areaDistance, placeDistance) = (200.0, 50.0)

  /// The scale denominator in thousands above which capitals are the only places, so that the names stay in the
  /// background.
  ///
  /// - Source: design decision.
  private static let capitalsOnly = 10_000

  /// All names, the most important of each kind first.
  private static let source = InMemorySource(table(BundledBytes.names))

  /// Reads lines of kind, smallest scale in thousands, longitude and latitude in hundredths, and name.
  package static func table(_ bytes: [UInt8]) -> FeatureColumns {
    var geometry = CoordinateBuffer(kind: .point)
    var (kinds, scales): ([Int64], [Int64]) = ([], [])
    var (codes, names): ([Int32], [String]) = ([], [])
    var known: [String: Int32] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let cells = line.split(separator: "\t")
      let numbers = cells.prefix(4).compactMap { Int64($0) }
      guard cells.count == 5, numbers.count == 4 else { continue }
      kinds.append(numbers[0])
      scales.append(numbers[1])
      let name = String(cells[4].map { $0 == "|" ? "\n" : $0 })
      let code = known[name] ?? Int32(names.count)
      if known.updateValue(code, forKey: name) == nil { names.append(name) }
      codes.append(code)
      geometry.appendVertex(x: Double(numbers[2]) / 100, y: Double(numbers[3]) / 100)
      geometry.endPart()
      geometry.endRow()
    }
    return FeatureColumns(
      schema: schema,
      columns: [
        Column(.integers(kinds)), Column(.integers(scales)), Column(.text(codes: codes, dictionary: names)),
      ],
      geometry: geometry, rowCount: codes.count)
  }

  /// Returns the layer of the names at a scale denominator.
  static func layer(
    _ palette: BasemapPalette, scale: Double, operations: SpatialOperations
  ) -> LayerState {
    let thousands = Int(clamping: min(max((scale / 1000).rounded(.up), 1), 1e8))
    let none = SimpleMarkerSymbol(style: .circle, color: .clear, size: 0)
    var dots: [UniqueValueRenderer.UniqueValue] = []
    for kind in Kind.allCases {
      let symbol: SimpleMarkerSymbol =
        switch kind {
        case .water, .country: none
        case .capital: dot(palette, size: 5)
        case .place: dot(palette, size: 3.5)
        }
      dots.append(
        UniqueValueRenderer.UniqueValue(
          values: ["\(kind.rawValue)"], label: "\(kind.rawValue)", symbol: symbol.form))
    }
    var layer = LayerState(
      id: "basemap-names", title: "basemap: names", source: source.using(operations),
      renderer: UniqueValueRenderer(fieldNames: ["KIND"], uniqueValues: dots).form)
    // A country is not named in a view that shows a small part of it.
    var condition =
      "SCALE >= \(thousands) AND (KIND <> \(Kind.country.rawValue) OR SCALE <= \(40 * thousands))"
    if thousands > capitalsOnly { condition += " AND KIND <> \(Kind.place.rawValue)" }
    layer.definition.definitionExpression = condition
    layer.scalesSymbols = false
    layer.labelsAreEnabled = true
    layer.labelDefinitions = Kind.allCases.flatMap { classes(of: $0, palette, thousands) }
    return layer
  }

  private static func dot(_ palette: BasemapPalette, size: Double) -> SimpleMarkerSymbol {
    SimpleMarkerSymbol(
      style: .circle, color: palette.names.place, size: size,
      outline: SimpleLineSymbol(color: palette.names.halo, width: 1))
  }

  /// Returns the label classes of a kind: names that appear at much smaller scales are larger.
  private static func classes(of kind: Kind, _ palette: BasemapPalette, _ thousands: Int) -> [LabelDefinition]
  {
    let steps: [(from: Int, to: Int?, size: Double)] = [(5, nil, 2), (2, 5, 1), (1, 2, 0)]
    return steps.map { step in
      var symbol = TextSymbol()
      symbol.haloColor = palette.names.halo
      symbol.haloWidth = 1.2
      var label = LabelDefinition(labelExpression: SimpleLabelExpression(simpleExpression: "[NAME]"))
      label.deconflictionStrategy = .dynamic
      // A layer may label the same thing; its label is placed first.
      label.duplicateRemoval = .all
      label.duplicateRemovalDistance = kind == .water || kind == .country ? areaDistance : placeDistance
      switch kind {
      case .water:
        symbol.color = palette.names.water
        symbol.haloColor = nil
        symbol.fontStyle = .italic
        symbol.size = 11.5 + 1.5 * step.size
        label.placement = .pointCenterCenter
        // Before places, for which a sea leaves room.
        label.priority = 21
      case .country:
        symbol.color = palette.names.country
        symbol.fontWeight = .bold
        symbol.size = 11.5 + 1.5 * step.size
        label.placement = .pointCenterCenter
        // A country's name that is moved would name its neighbour.
        label.deconflictionStrategy = .static
        label.priority = 20
      case .capital, .place:
        symbol.color = palette.names.place
        symbol.size = 11 + step.size
        label.placement = .pointAboveRight
        label.priority = kind == .capital ? 22 : 23
      }
      label.textSymbol = symbol
      label.name = "\(kind)"
      let upper = step.to.map { " AND SCALE < \($0 * thousands)" } ?? ""
      label.whereClause = "KIND = \(kind.rawValue) AND SCALE >= \(step.from * thousands)\(upper)"
      return label
    }
  }
}
