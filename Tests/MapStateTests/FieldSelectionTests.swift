import Foundation
import MapFeatures
import MapJSON
import MapScript
import MapState
import MapTestSupport
import Testing

/// A map that reads only the needed fields of files gives the same answers as one with all fields.
@Suite struct FieldSelectionTests {
  private static let styles = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Styles")

  /// The compared results of a view: its image, its report and its counts.
  private struct Answer: Equatable {
    let picture: [UInt8]
    let funnels: [FilterFunnel?]
    let labels: JSONValue
    let counts: JSONValue
  }

  private static func answer(
    _ document: MapDocument, _ options: ViewRequest, _ question: FeatureQuestion, layer: Int
  ) async throws -> Answer {
    let state = try await document.view(options).freeze()
    let rendered = try await state.render()
    var counted = CountOptions()
    (counted.question, counted.layers) = (question, [layer])
    return Answer(
      picture: try rendered.bitmap.pngData(), funnels: rendered.report.layers.map(\.funnel),
      labels: rendered.report.labels.json, counts: try await state.counts(counted).json)
  }

  /// A condition on a field of a table: one of its values, or null.
  private static func clause(_ table: FeatureColumns, _ random: inout SeededGenerator) -> String {
    let field = Int.random(in: table.columns.indices, using: &random)
    let name = table.schema.fields[field].name
    let value = table.columns[field].value(at: Int.random(in: 0..<table.rowCount, using: &random))
    switch value {
    case .integer(let number): return "\(name) <= \(number)"
    case .real(let number): return "\(name) > \(number)"
    case .text(let text): return "UPPER(\(name)) >= '\(text.uppercased().replacing("'", with: "''"))'"
    default: return "\(name) IS NULL"
    }
  }

  /// Also checks how many columns each document needs, out of those in its files.
  @Test(
    "A document opened with selected fields gives the same answers",
    arguments: [
      ("us-counties", [0, 2], [3, 5]), ("world-cities", [4], [7]),
      ("san-francisco-incidents", [0, 2], [2, 5]),
      ("world-rivers", [2], [2]),
    ])
  func documents(_ name: String, _ needed: [Int], _ there: [Int]) async throws {
    func columns(_ document: MapDocument) -> [Int] { document.layers.map(\.layer.source.schema.fields.count) }
    var random = SeededGenerator(seed: UInt64(name.utf8.count))
    let path = Self.styles.appendingPathComponent("\(name).json").path
    let whole = try await MapDocument.open(path)
    #expect(columns(whole) == there)
    let filtered = whole.layers.count - 1
    let table = try await whole.layers[filtered].layer.source.whole().columns()
    for round in 0..<4 {
      var (options, question) = (ViewRequest(), FeatureQuestion())
      options.size = ViewSize(width: 300, height: 200)
      options.filterMode = FilterMode.allCases.randomElement(using: &random) ?? .none
      options.layer = "\(filtered)"
      // The first round uses only the document's own conditions.
      let clauses = (0..<3).map { _ in
        round > 0 && Bool.random(using: &random) ? Self.clause(table, &random) : nil
      }
      (options.definitions, options.displayFilters) = (
        clauses[0].map { [LayerClause($0)] } ?? [], clauses[1].map { [LayerClause($0)] } ?? []
      )
      question.whereClause = clauses[2] ?? ""
      question.area = .everywhere
      let fields = clauses.compactMap { $0 }.reduce(FieldSelection([String]())) {
        $0.union(FieldSelection(filter: ParsedFilter($1)))
      }
      let part = try await MapDocument.open(path, fields: fields)
      if round == 0 { #expect(columns(part) == needed) }
      let answer = try await Self.answer(part, options, question, layer: filtered)
      #expect(try await Self.answer(whole, options, question, layer: filtered) == answer, "\(clauses)")
    }
  }

  @Test("A misspelt field gives the same error when only some fields are read")
  func sameErrors() async throws {
    let path = Self.styles.appendingPathComponent("us-counties.json").path
    for clause in ["unemploymentrate > 3", "nothing_like_it = 1", "STATE_NAME > 4"] {
      var options = ViewRequest()
      (options.definitions, options.layer) = ([LayerClause(clause)], "Counties")
      var errors: [String] = []
      for fields in [FieldSelection.all, FieldSelection(filter: ParsedFilter(clause))] {
        let document = try await MapDocument.open(path, fields: fields)
        let error = await #expect(throws: MapStateError.self) { _ = try await document.view(options) }
        errors.append("\(try #require(error))")
      }
      #expect(errors[0] == errors[1])
    }
  }
}
