import MapFeatures
import MapFilter
import MapTestSupport
import Testing

/// Clauses of the case files, changed at random: each gives a filter or an error with an offset, and none
/// traps.
@Suite struct FilterFuzzTests {
  @Test("Mutated where clauses are read or refused with an offset and never trap")
  func mutations() throws {
    let table = try WhereConformanceFilterTests.table("sqlite-table").columns
    var clauses = try WhereConformanceFilterTests.lines("sqlite-cases.tsv").dropFirst().map { $0[0] }
    clauses = clauses.filter { $0.utf8.count < 160 }
    clauses += FunctionCatalog.functions.map(\.example)
    let pieces = [
      "(", ")", "'", "\"", ",", "-", "NOT ", " AND ", " OR ", "CASE ", " WHEN ", " THEN ", " ELSE ", " END",
      "NULL",
      " IN ", " IS ", "LIKE ", " ESCAPE ", "INTERVAL '1' DAY", "9223372036854775807", "-9223372036854775808",
      "1e308",
      "i", "s", "d", "m", "nosuch", "UPPER(", "CAST(", " AS INT)", "EXTRACT(YEAR FROM ", "TRIM(", " FROM ",
      "'é'",
      "DATE '2020-02-30'", "CURRENT_DATE", "%", "_", "\u{301}", "😀", "\n", "\0", ";", "--",
    ]
    var random = SeededGenerator(seed: 77)
    var (filters, syntaxErrors, errors) = (0, 0, [String: Int]())
    for round in 0..<100_000 {
      var text = Array((clauses.randomElement(using: &random) ?? "").unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, place + Int.random(in: 0...6, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text.removeSubrange(place..<end)
        case 1:
          text.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").unicodeScalars, at: place)
        case 2:
          text.insert(
            contentsOf: Array(text[place..<end]), at: Int.random(in: 0...text.count, using: &random))
        default:
          text.replaceSubrange(place..<end, with: (pieces.randomElement(using: &random) ?? "").unicodeScalars)
        }
      }
      let clause = String(String.UnicodeScalarView(text))
      do {
        guard let read = try FilterText(where: clause) else { continue }
        let filter = try CompiledFilter(
          read.expression, for: table, now: Instant(microseconds: 0), places: read.places)
        filters += 1
        if round % 4 == 0 { #expect(filter.rows(in: table).rowCount == 24) }
      } catch let error as FilterSyntaxError {
        syntaxErrors += 1
        if !(0...clause.utf8.count).contains(error.offset) { Issue.record("\(error.offset) in \(clause)") }
      } catch let error as FilterError {
        let offset = error.offset ?? -1
        guard (0..<clause.utf8.count).contains(offset) else {
          Issue.record("\(error): \(offset) in \(clause)")
          continue
        }
        let name = "\(error.reason)".prefix { $0 != "(" }
        errors[String(name), default: 0] += 1
        // The offset is exact: the field itself is there.
        if case .unknownField(let field, _) = error.reason, field.utf8.count < 20 {
          let rest = Array(clause.utf8)[offset...]
          if !rest.starts(with: field.utf8), !rest.starts(with: "\"".utf8) {
            Issue.record("\(field) at \(offset) in \(clause)")
          }
        }
      }
    }
    #expect(filters > 5000, "\(filters), \(syntaxErrors)")
    #expect(syntaxErrors > 20_000, "\(filters), \(syntaxErrors)")
    for name in ["unknownField", "incomparable", "wrongType"] {
      #expect(errors[name, default: 0] > 50, "\(errors)")
    }
  }
}
