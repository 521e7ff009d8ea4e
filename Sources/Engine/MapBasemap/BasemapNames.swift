package import MapFeatures
import MapGeometry
import MapModel
import MapSystem

/// The names of waters, countries and places, which `Scripts/make/basemap` writes with the smallest scale of each.
package enum BasemapNames {
  /// The kind of a name, as written in the table.
  enum Kind: Int, CaseIterable {
    case water, country, capital, place
    /// A name along a curve through a wide sea.
    case curve
  }

  /// The id of the layer of dots and names; that of the curves ends otherwise.
  package static let layerID = "basemap-names"
  private static let curvesID = "basemap-names-curves"

  /// The denominator in thousands above which only capitals have names and dots among the places.
  ///
  /// - Source: design decision, so that the names stay in the background.
  private static let capitalsOnly = 10_000

  /// The names at positions and those along curves, the most important of each kind first.
  private static let sources: (points: InMemorySource, curves: InMemorySource) = {
    let tables = Self.tables(BundledBytes.names)
    return (InMemorySource(tables.points), InMemorySource(tables.curves))
  }()

  /// Reads lines of names at positions, and lines of names along curves, which have several positions.
  ///
  /// Each line has the kind, the smallest scale in thousands, longitudes and latitudes in hundredths, and the name. Other
  /// lines are left out.
  package static func tables(_ bytes: [UInt8]) -> (points: FeatureColumns, curves: FeatureColumns) {
    var (points, curves) = (Table(.point), Table(.polyline))
    var numbers: [Int] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      defer { start = end + 1 }
      numbers.removeAll(keepingCapacity: true)
      var place = start
      while let tab = bytes[place..<end].firstIndex(of: UInt8(ascii: "\t")) {
        guard let number = number(bytes[place..<tab]) else { break }
        numbers.append(number)
        place = tab + 1
      }
      let name = bytes[place..<end]
      guard !name.isEmpty, !name.contains(UInt8(ascii: "\t")), numbers.count >= 4,
        numbers.count.isMultiple(of: 2),
        let kind = Kind(rawValue: numbers[0])
      else { continue }
      let isCurve = kind == .curve
      guard isCurve ? numbers.count >= 6 : numbers.count == 4 else { continue }
      let text = String(
        decoding: name.map { $0 == UInt8(ascii: "|") ? UInt8(ascii: "\n") : $0 }, as: UTF8.self)
      if isCurve { curves.append(kind, numbers, text) } else { points.append(kind, numbers, text) }
    }
    return (points.columns, curves.columns)
  }

  /// Reads a whole number of at most nine digits.
  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    guard !digits.isEmpty, digits.count <= 9 else { return nil }
    var number = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return isNegative ? -number : number
  }

  /// A table of names that is being read.
  private struct Table {
    private var geometry: CoordinateBuffer
    private var (kinds, scales): ([Int64], [Int64]) = ([], [])
    /// The positions of the names, in hundredths of degrees; of a curve, its start.
    private var (x, y): ([Int64], [Int64]) = ([], [])
    private var (codes, names): ([Int32], [String]) = ([], [])
    private var known: [String: Int32] = [:]

    init(_ kind: GeometryKind) { geometry = CoordinateBuffer(kind: kind) }

    /// Appends a name; `numbers` are those of its line.
    mutating func append(_ kind: Kind, _ numbers: [Int], _ name: String) {
      kinds.append(Int64(kind.rawValue))
      scales.append(Int64(numbers[1]))
      x.append(Int64(numbers[2]))
      y.append(Int64(numbers[3]))
      let code = known[name] ?? Int32(names.count)
      if known.updateValue(code, forKey: name) == nil { names.append(name) }
      codes.append(code)
      for index in stride(from: 2, to: numbers.count, by: 2) {
        geometry.appendVertex(x: Double(numbers[index]) / 100, y: Double(numbers[index + 1]) / 100)
      }
      geometry.endPart()
      geometry.endRow()
    }

    var columns: FeatureColumns {
      let schema = FeatureSchema(
        fields: [
          Field(name: "KIND", type: .int32), Field(name: "SCALE", type: .int32),
          Field(name: "NAME", type: .text), Field(name: "X", type: .int32), Field(name: "Y", type: .int32),
        ], geometryKind: geometry.kind, spatialReference: .wgs84)
      return FeatureColumns(
        schema: schema,
        columns: [
          Column(.integers(kinds)), Column(.integers(scales)),
          Column(.text(codes: codes, dictionary: names)), Column(.integers(x)), Column(.integers(y)),
        ],
        geometry: geometry, rowCount: codes.count)
    }
  }

  /// Returns the layers of the names at a scale denominator, from the bottom.
  ///
  /// - Parameters:
  ///   - hasWater: whether the water of the palette is below; other ground needs halos around names of waters.
  ///   - area: an area in degrees, whose names are left out; nil for none.
  static func layers(
    _ palette: BasemapPalette, scale: Double, operations: SpatialOperations, hasWater: Bool,
    outside area: Envelope? = nil
  ) -> [LayerState] {
    let thousands = Int(clamping: min(max((scale / 1000).rounded(.up), 1), 1e8))
    let none = SimpleMarkerSymbol(style: .circle, color: .clear, size: 0)
    let dots = Kind.allCases.filter { $0 != .curve }.map { kind in
      let symbol: SimpleMarkerSymbol =
        switch kind {
        case .water, .country, .curve: none
        case .capital: dot(palette, size: 5)
        case .place: dot(palette, size: 3.5)
        }
      return UniqueValueRenderer.UniqueValue(
        values: ["\(kind.rawValue)"], label: "\(kind.rawValue)", symbol: symbol.form)
    }
    var points = LayerState(
      id: layerID, title: "basemap: names", source: sources.points.using(operations),
      renderer: UniqueValueRenderer(fieldNames: ["KIND"], uniqueValues: dots).form)
    var curves = LayerState(
      id: curvesID, title: "basemap: names of seas", source: sources.curves.using(operations),
      renderer: SimpleRenderer(symbol: SimpleLineSymbol(color: .clear, width: 1)).form)
    points.definition.definitionExpression =
      "SCALE >= \(thousands)"
      + (thousands > capitalsOnly ? " AND KIND <> \(Kind.place.rawValue)" : "") + condition(outside: area)
    curves.definition.definitionExpression = "SCALE >= \(thousands)" + condition(outside: area)
    points.labelDefinitions = Kind.allCases.filter { $0 != .curve }
      .flatMap { classes(of: $0, palette, thousands) }
    curves.labelDefinitions = classes(of: .curve, palette, thousands)
    return [curves, points].map { layer in
      var layer = layer
      for index in layer.labelDefinitions.indices
      where !hasWater && layer.labelDefinitions[index].textSymbol.haloColor == nil {
        layer.definition.labelDefinitions[index].textSymbol.haloColor = palette.water
      }
      layer.scalesSymbols = false
      layer.labelsAreEnabled = true
      return layer
    }
  }

  /// Returns the end of an expression for the names outside an area in degrees; empty for nil.
  private static func condition(outside area: Envelope?) -> String {
    guard let area, !area.isEmpty else { return "" }
    func hundredths(_ degrees: Double) -> Int { Int(clamping: (degrees * 100).rounded()) }
    return " AND (X < \(hundredths(area.xMin)) OR X > \(hundredths(area.xMax))"
      + " OR Y < \(hundredths(area.yMin)) OR Y > \(hundredths(area.yMax)))"
  }

  private static func dot(_ palette: BasemapPalette, size: Double) -> SimpleMarkerSymbol {
    SimpleMarkerSymbol(
      style: .circle, color: palette.names.place, size: size,
      outline: SimpleLineSymbol(color: palette.names.halo, width: 1))
  }

  /// Returns the label classes of a kind: names that appear at much smaller scales are larger.
  private static func classes(of kind: Kind, _ palette: BasemapPalette, _ thousands: Int) -> [LabelDefinition]
  {
    // No name stands twice in a world: half its width in pixels of 1/96 inch.
    let distance = WebMercator.halfWorld * 39.37 * 96 / (1000 * Double(thousands))
    let steps: [(from: Int, to: Int?, size: Double)] = [(5, nil, 2), (2, 5, 1), (1, 2, 0)]
    return steps.map { step in
      var symbol = TextSymbol()
      symbol.haloColor = palette.names.halo
      symbol.haloWidth = 1.2
      var label = LabelDefinition(labelExpression: SimpleLabelExpression(simpleExpression: "[NAME]"))
      label.deconflictionStrategy = .dynamic
      label.avoidsAllMarkers = true
      // A layer may label the same thing; its label is placed first.
      label.duplicateRemoval = .all
      label.duplicateRemovalDistance = distance
      switch kind {
      case .water, .curve:
        symbol.color = palette.names.water
        symbol.haloColor = nil
        label.avoidsLand = true
        symbol.fontStyle = .italic
        symbol.size = 11.5 + 1.5 * step.size
        label.placement = kind == .water ? .pointCenterCenter : .lineCenterAlong
        // Before places, for which a sea leaves room.
        label.priority = kind == .water ? 22 : 21
        label.repeatsAlongLines = false
      case .country:
        symbol.color = palette.names.country
        symbol.fontWeight = .bold
        symbol.size = 11.5 + 1.5 * step.size
        label.placement = .pointCenterCenter
        // A country's name that is moved would name its neighbour; the table has several positions.
        label.deconflictionStrategy = .static
        label.priority = 20
      case .capital, .place:
        symbol.color = palette.names.place
        symbol.size = 11 + step.size
        label.placement = .pointAboveRight
        label.priority = kind == .capital ? 23 : 24
      }
      label.textSymbol = symbol
      label.name = "\(kind)"
      let upper = step.to.map { " AND SCALE < \($0 * thousands)" } ?? ""
      label.whereClause = "KIND = \(kind.rawValue) AND SCALE >= \(step.from * thousands)\(upper)"
      return label
    }
  }
}
