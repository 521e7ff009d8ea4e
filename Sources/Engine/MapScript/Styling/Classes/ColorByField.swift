import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapModel
import MapState

/// A renderer derived from the data: classes of numbers, or one colour per text.
struct ColorByField {
  /// The number of classes of numbers by default.
  private static let classCount = 5
  /// The number of classes of texts by default.
  ///
  /// - Source: design decision; colours of more classes are confused with colour blindness.
  private static let textClassCount = 9
  /// The number of values that a warning names.
  private static let longestList = 10

  /// The renderer on light ground.
  private(set) var renderer: RendererForm
  /// The renderer on dark ground.
  private(set) var darkRenderer: RendererForm
  /// The features and values that have no colour of their own.
  let warnings: [String]
  /// The painting order, which has features without a number below all others; empty if all have one.
  private(set) var drawingOrder: [DrawingOrder] = []

  /// Derives the renderer for a field of a table.
  ///
  /// Text: the most frequent values get colours; ties are broken by Unicode scalar order. All other values are grey.
  /// Numbers: classes by the requested method. Features without a number are grey.
  /// - Parameters:
  ///   - kind: the kind of geometries that the renderer draws.
  ///   - own: the symbol of the layer, which classes have in their colours; nil for the standard one.
  /// - Throws: `MapStateError` for an unknown field, a field of another type, and options for numbers with text.
  init(
    _ field: String, _ request: StyleRequest, _ data: StyledRows, _ kind: GeometryKind,
    symbol own: SymbolForm? = nil
  ) throws(MapStateError) {
    let schema = data.table.schema
    let index = try schema.known(field, of: "--color-by")
    let name = schema.fields[index].name
    let texts = data.texts(ofColumn: index)
    let numbers = data.numbers(ofColumn: index)
    let classes: RendererForm
    var colors: [Color]?
    if let other = request.crossBy {
      let crossed = try CrossedClasses(name, other, request, data)
      (classes, colors, warnings) = (crossed.renderer, crossed.colors, [])
    } else if let (codes, dictionary) = texts {
      let options = [
        ("--normalize-by", request.normalizeBy != nil), ("--method", request.method != nil),
        ("--breaks", request.breaks != nil), ("--edges", request.edges != nil),
        ("--midpoint", request.midpoint != nil),
      ]
      if let (option, _) = options.first(where: { $0.1 }) {
        throw MapStateError(.input, "\(option) needs numbers, but field \"\(name)\" is text")
      }
      (classes, warnings) = try Self.values(name, codes, dictionary, request, schema)
    } else {
      guard let numbers else {
        throw MapStateError(
          .input,
          "field \"\(name)\" holds \(data.table.columns[index].type.rawValue) values; only text and numbers can be "
            + "coloured")
      }
      (classes, colors, warnings) = try Self.breaks(name, numbers, request, data)
    }
    func painted(_ ground: GroundTone) throws(MapStateError) -> RendererForm {
      try ClassPalette(request, kind: kind, on: ground, symbol: own, colors: colors)
        .painted(classes, data.table)
    }
    (renderer, darkRenderer) = (try painted(.light), try painted(.dark))
    guard texts == nil, request.crossBy == nil, let numbers else { return }
    // Nulls are painted first; larger values are on top, so that a divisor of 0 is below them. Markers overlap, and so the
    // larger values are on top there, too.
    if kind.isPoints || numbers.contains(nil) {
      drawingOrder = [DrawingOrder(fieldName: name, direction: .descending)]
    } else if let divisor = request.normalizeBy {
      let index = try schema.known(divisor, of: "--normalize-by")
      guard data.numbers(ofColumn: index)?.contains(where: { $0 == nil || $0 == 0 }) ?? false else { return }
      drawingOrder = [DrawingOrder(fieldName: schema.fields[index].name, direction: .descending)]
    }
  }

  /// Takes classes without a feature in a part of the table out of the legend of that part.
  ///
  /// The classes themselves stay, because those of all parts are one list.
  mutating func listClasses(of part: StyledRows) {
    renderer = Self.listingClasses(of: part, renderer)
    darkRenderer = Self.listingClasses(of: part, darkRenderer)
  }

  private static func listingClasses(of part: StyledRows, _ renderer: RendererForm) -> RendererForm {
    switch renderer {
    case .classBreaks(var classes):
      guard let index = part.table.schema.index(ofField: classes.fieldName) else { return renderer }
      var divisors: [Double?]?
      if case .field(let name) = classes.normalization {
        divisors = part.table.schema.index(ofField: name).flatMap { part.numbers(ofColumn: $0) }
      }
      let used = Set(
        part.values(ofColumn: index).enumerated().compactMap {
          classes.classIndex(of: $1, divisor: divisors?[$0])
        })
      for index in classes.classBreaks.indices {
        classes.classBreaks[index].showsInLegend = used.contains(index)
      }
      return .classBreaks(classes)
    case .uniqueValue(var classes):
      guard let index = classes.fieldNames.first.flatMap({ part.table.schema.index(ofField: $0) }),
        let (codes, dictionary) = part.texts(ofColumn: index)
      else { return renderer }
      let used = Set(Set(codes).filter { $0 >= 0 }.map { dictionary[Int($0)] })
      for index in classes.uniqueValues.indices {
        classes.uniqueValues[index].showsInLegend = classes.uniqueValues[index].values.contains {
          used.contains($0)
        }
      }
      return .uniqueValue(classes)
    case .simple, .heatmap, .dotDensity, .pieChart, .rules: return renderer
    }
  }

  // MARK: Numbers

  /// Returns the classes, their colours if a midpoint divides them, and warnings.
  private static func breaks(
    _ field: String, _ numbers: [Double?], _ request: StyleRequest, _ data: StyledRows
  ) throws(MapStateError) -> (RendererForm, [Color]?, [String]) {
    var warnings: [String] = []
    var prototype = ClassBreaksRenderer(fieldName: field, classBreaks: [])
    var divisors: [Double?]?
    if let divisor = request.normalizeBy {
      let index = try data.table.schema.known(divisor, of: "--normalize-by")
      let name = data.table.schema.fields[index].name
      guard let found = data.numbers(ofColumn: index) else {
        let type = data.table.columns[index].type.rawValue
        throw MapStateError(.input, "--normalize-by: field \"\(name)\" holds \(type) values, not numbers")
      }
      (divisors, prototype.normalization) = (found, .field(name))
    }
    var values: [Double] = []
    values.reserveCapacity(numbers.count)
    for row in numbers.indices {
      let value = numbers[row].flatMap { prototype.normalized($0, divisor: divisors?[row]) }
      if let value, value.isFinite { values.append(value) }
    }
    // Classes and labels sort the values again, which takes little time then.
    values.sort()
    let missing = numbers.count { $0 != nil } - values.count
    if let divisor = request.normalizeBy, missing > 0 {
      warnings.append(
        "--normalize-by \(divisor): \(missing) \(missing == 1 ? "feature has" : "features have") no rate, because the "
          + "divisor is 0 or missing; drawn as \"No data\"")
    }
    if values.isEmpty { warnings.append("--color-by \(field): no feature has a number") }
    var least = values.first
    var (upper, isOfWholeNumbers, openCount) = ([Double](), false, 0)
    let isLower = request.edges == .lower
    if let breaks = request.breaks {
      upper = breaks
      if isLower { openCount = breaks.count }
      // Values beyond the last bound have a class, too; a first class without values has no lower bound.
      let last = breaks[breaks.count - 1]
      if let greatest = values.last, greatest > last || isLower && greatest == last { upper.append(greatest) }
      if let known = least, known >= breaks[0] { least = nil }
    } else {
      let usual = request.midpoint == nil ? classCount : MidpointClasses.classCount
      let count = request.classCount ?? usual
      let whole = request.method == nil && request.normalizeBy == nil ? fewWholeNumbers(values, count) : nil
      isOfWholeNumbers = whole != nil
      // A class whose bounds are equal would look empty.
      if let whole { least = whole[0] - max(1, whole[0].ulp) }
      let method = request.method ?? .quantile
      upper = whole ?? method.upperBounds(of: values, count: count)
      if isLower, let reason = whole != nil ? "each value is a class" : method.edgesReason {
        warnings.append("--edges has no effect on \(field): \(reason)")
      } else if isLower, request.midpoint == nil {
        upper = ClassEdges.lowerBounds(of: values, count: count, method)
        openCount = upper.count - 1
      }
      if let midpoint = request.midpoint, whole == nil {
        upper = MidpointClasses.upperBounds(
          of: values, around: midpoint, count: count, method, request.edges ?? .upper)
        if isLower { openCount = max(upper.count - 1, 0) }
      }
      if let asked = request.classes, request.midpoint == nil, upper.count < asked, !values.isEmpty {
        warnings.append(
          "--classes \(asked): the values of \(field) allow only \(upper.count) "
            + (upper.count == 1 ? "class" : "classes"))
      }
    }
    if request.normalizeBy == nil, let range = data.wholeRange(ofField: field), let last = upper.last {
      // Of whole numbers beyond 2^53, the nearest double may lie inside their range.
      if ValueOrdering(integer: range.upperBound, real: last) == .greater {
        if upper.count > request.breaks?.count ?? 0 { upper.removeLast() }
        upper.append(last.nextUp)
      }
      if let known = least, ValueOrdering(integer: range.lowerBound, real: known) == .less {
        least = known.nextDown
      }
    }
    try check(request.ramp, hasColorsFor: upper.count)
    if let own = request.colors, own.count < upper.count {
      throw MapStateError(
        .usage,
        "--colors has \(own.count) \(own.count == 1 ? "colour" : "colours") for \(upper.count) classes")
    }
    var renderer = ClassBreaksRenderer.classified(
      fieldName: field, normalization: prototype.normalization, least: least, upperBounds: upper,
      colors: upper.map { _ in .gray }, symbol: CompositeSymbol(), openCount: openCount,
      hasExactLabels: request.breaks != nil,
      values: values)
    if isOfWholeNumbers {
      for (index, text) in ClassLabels.texts(ofWholeNumbers: upper).enumerated() {
        renderer.classBreaks[index].label = text
      }
    }
    renderer.legendOptions.title =
      request.heading
      ?? FieldTitle.text(of: [field, request.normalizeBy].compactMap { $0 }, in: data.table.schema.fields)
    var colors: [Color]?
    if let midpoint = request.midpoint {
      warnings += [MidpointClasses.warning(midpoint, values, of: field)].compactMap { $0 }
      colors = MidpointClasses.colors(
        of: renderer, around: midpoint, request.ramp ?? .diverging, areValues: isOfWholeNumbers)
    }
    return (.classBreaks(renderer), colors, warnings)
  }

  /// Returns the distinct values of sorted numbers if these are whole numbers, and at most as many as the classes; else
  /// nil.
  ///
  /// Such numbers are mostly codes or ranks, which ranges would hide.
  private static func fewWholeNumbers(_ sorted: [Double], _ count: Int) -> [Double]? {
    var found: [Double] = []
    for value in sorted where value != found.last {
      // Larger doubles may be several whole numbers of the data.
      guard found.count < count, value.magnitude < 0x1p53, value == value.rounded() else { return nil }
      found.append(value)
    }
    return found.isEmpty ? nil : found
  }

  // MARK: Text

  private static func values(
    _ field: String, _ codes: [Int32], _ dictionary: [String], _ request: StyleRequest,
    _ schema: FeatureSchema
  ) throws(MapStateError) -> (RendererForm, [String]) {
    var counts = [Int](repeating: 0, count: dictionary.count)
    for code in codes where code >= 0 { counts[Int(code)] += 1 }
    let order = dictionary.indices.filter { counts[$0] > 0 }.sorted { a, b in
      counts[a] != counts[b]
        ? counts[a] > counts[b]
        : dictionary[a].unicodeScalars.lexicographicallyPrecedes(dictionary[b].unicodeScalars)
    }
    let most = request.classCount ?? request.ramp?.largestCount ?? textClassCount
    let own = order.prefix(most)
    try check(request.ramp, hasColorsFor: own.count)
    if let colors = request.colors, colors.count < own.count {
      throw MapStateError(
        .usage,
        "--colors has \(colors.count) \(colors.count == 1 ? "colour" : "colours") for \(own.count) classes")
    }
    let classes = own.map { code in
      UniqueValueRenderer.UniqueValue(
        values: [dictionary[code]], label: words(dictionary[code]), symbol: CompositeSymbol().form)
    }
    let others = order.dropFirst(own.count)
    let hasNull = codes.contains { $0 < 0 }
    var label = others.isEmpty ? (hasNull ? "No data" : "Other") : "Other (\(values(others.count)))"
    if !others.isEmpty, hasNull { label += " and no data" }
    var renderer = UniqueValueRenderer(fieldNames: [field], uniqueValues: classes, defaultLabel: label)
    renderer.legendOptions.title = request.heading ?? FieldTitle.text(of: [field], in: schema.fields)
    guard !others.isEmpty else { return (.uniqueValue(renderer), []) }
    let names = others.prefix(longestList).map { "\"\(dictionary[$0].prefix(40))\"" }
    let more = others.count - names.count
    let tone = request.noDataColor.map { $0.color == nil ? "not drawn" : "in one colour" } ?? "grey"
    let remedy = request.classCount == nil ? classesForAll(order.count, request.ramp) : ""
    return (
      .uniqueValue(renderer),
      [
        "--color-by \(field): the \(own.count) most frequent of \(values(order.count)) have colours; \(tone) as "
          + "\"\(label)\": \(names.joined(separator: ", "))" + (more > 0 ? " and \(more) more" : "") + remedy
      ]
    )
  }

  /// Returns a value as words if it is an identifier of small letters and `_`, such as `minor_construction`.
  private static func words(_ value: String) -> String {
    value.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }
      ? value.replacing("_", with: " ") : value
  }

  /// The number of classes with which all texts have colours, as advice; empty if no number of classes has enough.
  private static func classesForAll(_ count: Int, _ ramp: ColorRamp?) -> String {
    guard ramp?.largestCount == nil, count <= StyleRequest.classLimit.upperBound else { return "" }
    return "; --classes \(count) colours all"
  }

  /// Checks that a ramp has a colour for each class.
  private static func check(_ ramp: ColorRamp?, hasColorsFor count: Int) throws(MapStateError) {
    guard let ramp, let most = ramp.largestCount, most < count else { return }
    throw MapStateError(
      .usage,
      "--ramp \(ramp.name) has \(most) colours for \(count) classes; give --classes \(most) or another ramp")
  }

  private static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }
}
