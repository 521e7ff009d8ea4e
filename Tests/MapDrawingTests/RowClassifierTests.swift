import MapDrawing
import MapExpressions
import MapFeatures
import MapGeometry
import MapModel
import Testing

/// The class of each row.
///
/// Source: Esri web map specification 2.x.
@Suite struct RowClassifierTests {
  private static func symbol(_ index: Int) -> SymbolForm { SimpleMarkerSymbol(size: Double(index)).form }

  private static func table(_ names: [String], _ rows: [String]) throws -> FeatureColumns {
    try Scene.table(
      "Point",
      rows.map { row in
        let values = zip(names, row.split(separator: "|")).map { "\"\($0)\":\($1)" }
        return "{\"attributes\":{\(values.joined(separator: ","))}}"
      })
  }

  private static func unique(
    _ fields: [String], _ delimiter: String, _ values: [[String]], hasDefault: Bool = false
  ) -> RendererForm {
    UniqueValueRenderer(
      fieldNames: fields, delimiter: delimiter,
      uniqueValues: values.enumerated().map { .init(values: $1, label: "", symbol: symbol($0)) },
      defaultSymbol: hasDefault ? symbol(99) : nil
    ).form
  }

  /// The class of every row; every other row alone gets the same classes.
  private static func classes(_ form: RendererForm, _ table: FeatureColumns) throws -> [Int32] {
    let classes = try RowClassifier(form, table: table).classes
    let rows = RowSet(rowCount: table.rowCount, rows: stride(from: 1, to: table.rowCount, by: 2))
    let some = classes.indices.map { rows.contains($0) ? classes[$0] : none }
    #expect(try RowClassifier(form, table: table, rows: rows).classes == some)
    return classes
  }

  private static let none = RowClassifier.notDrawn

  @Test("Class breaks classify numbers and texts that write them, and all else matches none")
  func classBreaks() throws {
    let breaks = [(0.0, 100.0), (100, 500)].map {
      ClassBreaksRenderer.ClassBreak(minimum: $0.0, maximum: $0.1, label: "", symbol: Self.symbol(1))
    }
    let renderer = ClassBreaksRenderer(fieldName: "KV", classBreaks: breaks, includesLowestMinimum: true)
    let rows = ["0", "100", "100.01", "500.1", "null", "-1", "500"]
    let expected: [Int32] = [0, 0, 1, Self.none, Self.none, Self.none, 1]
    #expect(try Self.classes(renderer.form, Self.table(["KV"], rows)) == expected)
    #expect(try Self.classes(renderer.form, Self.table(["KV"], ["0", "100", "101"])) == [0, 0, 1])
    #expect(
      try Self.classes(renderer.form, Self.table(["KV"], ["\"50\"", "\"x\""])) == [0, Self.none])
    var rest = renderer
    rest.defaultSymbol = Self.symbol(9)
    let withDefault = try Self.classes(rest.form, Self.table(["KV"], rows))
    #expect(withDefault == expected.map { $0 == Self.none ? RowClassifier.defaultClass : $0 })
  }

  @Test("The class of an expression's value does not depend on the other rows")
  func expressions() throws {
    let expression = try ArcadeExpression("IIf($feature.A > 9, 'many', $feature.A * 2)")
    var breaks = ClassBreaksRenderer(
      fieldName: "",
      classBreaks: [(0.0, 4.0), (4, 20)].map {
        ClassBreaksRenderer.ClassBreak(minimum: $0.0, maximum: $0.1, label: "", symbol: Self.symbol(1))
      })
    breaks.valueExpression = expression
    let rows = ["1", "2", "3", "9", "10", "null", "11", "4"]
    // In all rows, the values are numbers and texts; in some of them alone, they are numbers.
    #expect(
      try Self.classes(breaks.form, Self.table(["A"], rows)) == [
        0, 0, 1, 1, Self.none, Self.none, Self.none, 1,
      ])
    #expect(try Self.classes(breaks.form, Self.table(["A"], ["1", "2", "3"])) == [0, 0, 1])
    guard case .uniqueValue(var unique) = Self.unique([], "", [["2"], ["many"], ["6"]]) else { return }
    unique.valueExpression = expression
    #expect(
      try Self.classes(unique.form, Self.table(["A"], rows)) == [
        0, Self.none, 2, Self.none, 1, Self.none, 1, Self.none,
      ])
    #expect(try Self.classes(unique.form, Self.table(["A"], ["1", "2", "3"])) == [0, Self.none, 2])
  }

  @Test("Unique values of one field match exact text, and the first class wins")
  func oneField() throws {
    let form = Self.unique(["A"], "", [["x"], ["X", "y"], ["x", "z"]])
    let rows = ["\"x\"", "\"X\"", "\"y\"", "\"z\"", "\"Y\"", "\"x \"", "null", "\"\""]
    #expect(
      try Self.classes(form, Self.table(["A"], rows)) == [
        0, 1, 1, 2, Self.none, Self.none, Self.none, Self.none,
      ])
  }

  @Test("Unique values match numbers however they are written, and texts exactly")
  func numbers() throws {
    let form = Self.unique(["A"], "", [["5"], ["2.5"], ["-0"], ["1e+20"]], hasDefault: true)
    let other = RowClassifier.defaultClass
    #expect(try Self.classes(form, Self.table(["A"], ["5", "6"])) == [0, other])
    #expect(try Self.classes(form, Self.table(["A"], ["5.0", "2.5", "0.0", "1e20"])) == [0, 1, 2, 3])
    #expect(try Self.classes(form, Self.table(["A"], ["\"5\"", "\"5.0\""])) == [0, other])
  }

  @Test("Unique values match null as <Null> or null", arguments: ["<Null>", "null"])
  func nulls(_ text: String) throws {
    let form = Self.unique(["A"], "", [["x"], [text]])
    #expect(try Self.classes(form, Self.table(["A"], ["\"x\"", "null"])) == [0, 1])
    #expect(try Self.classes(form, Self.table(["A"], ["7", "null"])) == [Self.none, 1])
    let pair = Self.unique(["A", "B"], ",", [["x,\(text)"]])
    #expect(try Self.classes(pair, Self.table(["A", "B"], ["\"x\"|null", "\"x\"|1"])) == [0, Self.none])
  }

  @Test("Unique values of several fields are joined by the renderer's delimiter")
  func severalFields() throws {
    let rows = ["\"a\"|1|\"c\"", "\"a\"|2|\"c\"", "\"a1\"|null|\"c\"", "\"a\"|1|\"C\""]
    let table = try Self.table(["A", "B", "C"], rows)
    #expect(
      try Self.classes(Self.unique(["A", "B"], ", ", [["a, 1"]]), table) == [0, Self.none, Self.none, 0])
    #expect(
      try Self.classes(Self.unique(["C", "B", "A"], "|", [["c|1|a"], ["c|2|a"]]), table) == [
        0, 1, Self.none, Self.none,
      ])
    #expect(try Self.classes(Self.unique(["a", "b"], "", [["a1"]]), table) == [0, Self.none, Self.none, 0])
  }

  @Test("A simple renderer matches every row, and an unknown field is an error that lists the fields")
  func others() throws {
    let table = try Self.table(["A"], ["1", "null"])
    #expect(try Self.classes(SimpleRenderer(symbol: SimpleMarkerSymbol()).form, table) == [0, 0])
    let error = #expect(throws: RendererFieldError.self) {
      try Self.classes(Self.unique(["B"], "", []), table)
    }
    #expect(error?.field == "B")
    #expect(error?.available == ["A"])
  }
}
