import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapState
import MapTestSupport
import Testing

/// Counts by class, against counts with the condition of each class as a where clause.
@Suite struct ClassCountTests {
  private static let words = ["a", "b", "O'Hara", "é", "null", ""]

  /// Points on the whole earth with a text, a whole number, a number and a divisor, all with nulls.
  private static func table(_ count: Int, _ random: inout SeededGenerator) -> InMemorySource {
    func values(_ body: (inout SeededGenerator) -> AttributeValue) -> [AttributeValue] {
      (0..<count).map { _ in Int.random(in: 0..<8, using: &random) == 0 ? .null : body(&random) }
    }
    let fields: [(name: String, type: FieldType, values: [AttributeValue])] = [
      ("t", .text, values { .text(words.randomElement(using: &$0) ?? "") }),
      ("n", .int32, values { .integer(.random(in: 0...9, using: &$0)) }),
      ("r", .float64, values { .real(Double(Int.random(in: -40...40, using: &$0)) / 4) }),
      ("d", .float64, values { .real(Double(Int.random(in: 0...4, using: &$0))) }),
    ]
    var geometry = CoordinateBuffer(kind: .point)
    for _ in 0..<count {
      geometry.appendPoint(
        x: .random(in: -2e7...2e7, using: &random), y: .random(in: -1e7...1e7, using: &random))
    }
    return InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(
          fields: fields.map { Field(name: $0.name, type: $0.type) }, geometryKind: .point,
          spatialReference: .webMercator),
        columns: fields.map { Column(of: $0.values, type: $0.type) }, geometry: geometry, rowCount: count))
  }

  private static let symbol = SimpleMarkerSymbol(size: 5).form

  /// A renderer, and the condition of each of its classes if it stood alone.
  private static func renderer(
    _ random: inout SeededGenerator
  ) -> (form: RendererForm, conditions: [String]) {
    let defaultSymbol = Int.random(in: 0..<5, using: &random) < 3 ? nil : symbol
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return (SimpleRenderer(symbol: SimpleMarkerSymbol(size: 5), label: "all").form, ["1 = 1"])
    case 1...3:
      // The same text may be in two classes; the first applies.
      let classes = (0..<Int.random(in: 3...6, using: &random)).map { _ in
        (0..<Int.random(in: 1...2, using: &random)).map { _ in
          Int.random(in: 0..<6, using: &random) == 0 ? "<Null>" : words.randomElement(using: &random) ?? ""
        }
      }
      let form = UniqueValueRenderer(
        fieldNames: ["t"],
        uniqueValues: classes.enumerated().map { .init(values: $1, label: "class \($0)", symbol: symbol) },
        defaultSymbol: defaultSymbol
      ).form
      let hasNull = classes.joined().contains("<Null>")
      return (
        form,
        classes.map { texts in
          texts.map {
            // Without a class for it, null is tried as the text "null".
            $0 == "<Null>"
              ? "t IS NULL"
              : "t = '\($0.replacing("'", with: "''"))'" + ($0 == "null" && !hasNull ? " OR t IS NULL" : "")
          }.joined(separator: " OR ")
        }
      )
    case 4:
      let numbers = (0..<4).map { _ in Int.random(in: 0...9, using: &random) }
      let form = UniqueValueRenderer(
        fieldNames: ["n"], uniqueValues: numbers.map { .init(values: ["\($0)"], label: "", symbol: symbol) },
        defaultSymbol: defaultSymbol, defaultLabel: "rest"
      ).form
      return (form, numbers.map { "n = \($0)" })
    default: return breaks(defaultSymbol, &random)
    }
  }

  private static func breaks(
    _ defaultSymbol: SymbolForm?, _ random: inout SeededGenerator
  ) -> (form: RendererForm, conditions: [String]) {
    let (normalization, value): (ClassBreaksRenderer.Normalization?, String) =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: (.field("d"), "r / d")
      case 1: (.percentOfTotal(40), "r / 40.0 * 100")
      case 2: (nil, "n")
      default: (nil, "r")
      }
    let isPercent = normalization == .percentOfTotal(40)
    // Ranges may overlap, touch or leave gaps.
    let ranges = (0..<Int.random(in: 2...6, using: &random)).map { _ in
      let start = Double(Int.random(in: -10...9, using: &random)) * (isPercent ? 2.5 : 1)
      return (start, start + Double(Int.random(in: 0...6, using: &random)) * (isPercent ? 2.5 : 1))
    }
    var renderer = ClassBreaksRenderer(
      fieldName: value == "n" ? "n" : "r", normalization: normalization,
      classBreaks: ranges.map { .init(minimum: $0.0, maximum: $0.1, label: "\($0)", symbol: symbol) },
      includesLowestMinimum: Bool.random(using: &random), defaultSymbol: defaultSymbol)
    if Int.random(in: 0..<5, using: &random) == 0 {
      renderer.visualVariables.size = SizeVariable(
        input: .field("d"), rule: .bounded(minimum: 0, maximum: 4, smallest: .fixed(2), largest: .fixed(9)))
    }
    var conditions = ranges.map { "(\(value)) > \($0.0) AND (\(value)) <= \($0.1)" }
    if renderer.includesLowestMinimum, let lowest = ranges.map(\.0).min(),
      let first = ranges.firstIndex(where: { $0.0 == lowest })
    {
      // The lowest minimum belongs to its class only if no other class contains it.
      let others = conditions.map { "NOT (\($0))" }.joined(separator: " AND ")
      conditions[first] = "(\(conditions[first])) OR ((\(value)) = \(lowest) AND \(others))"
    }
    return (renderer.form, conditions)
  }

  @Test("The counts of 300 random renderers equal counts with the conditions of their classes")
  func randomRenderers() async throws {
    var random = SeededGenerator(seed: 27)
    var (rich, withoutClass, classes) = (0, 0, 0)
    for index in 0..<300 {
      let (form, alone) = Self.renderer(&random)
      let layer = FeatureLayer(source: Self.table(.random(in: 300...500, using: &random), &random))
      layer.renderer = form.renderer
      if index % 3 == 0 { layer.definitionExpression = "n <> 3" }
      if index % 4 == 0 {
        layer.displayFilterDefinition = ManualDisplayFilterDefinition(
          activeFilter: DisplayFilter(name: "large", whereClause: "n > 2"), availableFilters: [])
      }
      let state = try MapReferenceTests.view(
        .webMercator, [layer],
        Viewpoint(
          latitude: .random(in: -50...50, using: &random), longitude: .random(in: -180...180, using: &random),
          scale: .random(in: 3e8...4e8, using: &random),
          rotation: index % 5 == 0 ? .random(in: 0...360, using: &random) : 0)
      ).freeze()
      var options = CountOptions()
      if index % 6 == 1 { options.question.area = .everywhere }
      if index % 6 == 2 { options.question.whereClause = "n > 0" }
      options.byClass = true
      let answer = try #require(try await state.counts(options).layers.first)
      let found = try #require(answer.classes)
      #expect(try await state.countsByClass(of: state.layers[0], options.question) == found)
      #expect(found.reduce(0) { $0 + $1.count } == answer.count)
      #expect(found.last?.label == "(no class)")
      #expect(found.last?.classIndex == nil)
      // Each class excludes those before it; the rest is of the default symbol, or has no class.
      var rest = try await Self.ids("1 = 1", state, options.question)
      for (place, condition) in alone.enumerated() {
        let ids = try await Self.ids(condition, state, options.question).intersection(rest)
        #expect(found[place].count == ids.count, "\(index): \(condition)")
        rest.subtract(ids)
      }
      let hasDefault = form.defaultSymbol != nil
      #expect(found.count == alone.count + (hasDefault ? 2 : 1))
      if hasDefault { #expect(found[alone.count].count == rest.count) }
      #expect(found[found.count - 1].count == (hasDefault ? 0 : rest.count), "\(index)")

      options.funnel = true
      let staged = try #require(try await state.counts(options).layers.first)
      #expect(staged.classes?.map(\.count) == found.map(\.count))
      #expect(staged.classes?.reduce(0) { $0 + ($1.drawn ?? -1) } == staged.funnel?.drawn)
      for item in staged.classes ?? [] { #expect(item.drawn ?? -1 <= item.count) }
      #expect(staged.classes?.last?.drawn == 0)
      if found.dropLast().count(where: { $0.count > 0 }) >= 3 { rich += 1 }
      if (found.last?.count ?? 0) > 0 { withoutClass += 1 }
      classes += found.count
    }
    #expect(rich >= 200, "\(rich)")
    #expect(withoutClass >= 100, "\(withoutClass)")
    #expect(classes > 1000)
  }

  /// The rows of a question that satisfy a condition.
  private static func ids(
    _ condition: String, _ state: ViewState, _ question: FeatureQuestion
  ) async throws -> Set<Int64> {
    var question = question
    question.whereClause =
      question.whereClause.isEmpty ? condition : "(\(question.whereClause)) AND (\(condition))"
    let rows = try await state.features(of: state.layers[0], question, hasGeometry: false)
    let count = try await state.count(of: state.layers[0], question)
    #expect(rows.objectIDs.count == count)
    return Set(rows.objectIDs)
  }

  @Test("Counts by class of a hidden layer have no drawn features")
  func hidden() async throws {
    var random = SeededGenerator(seed: 1)
    let layer = FeatureLayer(source: Self.table(50, &random))
    layer.isVisible = false
    var options = CountOptions()
    (options.byClass, options.funnel, options.question.area) = (true, true, .everywhere)
    let state = try MapReferenceTests.view(.webMercator, [layer]).freeze()
    let classes = try #require(try await state.counts(options).layers.first?.classes)
    #expect(classes.map(\.count) == [50, 0])
    #expect(classes.map(\.drawn) == [0, 0])
    #expect(classes.map(\.label) == ["(no label)", "(no class)"])
  }
}
