import MapFeatures
import MapFilter
import Testing

/// No CQL2 filter overflows the stack, and its cost depends on its length only.
@Suite struct CQL2LimitTests {
  private static let table = FilterTable(
    names: ["a", "t"], types: [.integer, .text], rows: [[.integer(1), .text("x")], [.null, .null]]
  ).columns

  private static func count(_ text: String, _ language: FilterLanguage) throws -> Int {
    let read = try #require(try FilterText(text, in: language))
    return try CompiledFilter(
      read.expression, for: table, places: read.places, names: language.names
    ).rows(in: table).count
  }

  private static func nested(_ open: String, _ core: String, _ close: String, _ count: Int) -> String {
    String(repeating: open, count: count) + core + String(repeating: close, count: count)
  }

  @Test(
    "A CQL2 filter is read to the nesting limit and refused beyond it",
    arguments: [
      ("(", "a = 1", ")", 256, 1, FilterLanguage.cql2Text), ("NOT (", "a = 1", ")", 128, 1, .cql2Text),
      ("A_EQUALS(", "(1)", ",(1))", 1, 2, .cql2Text), ("-(", "a", ") < 2", 1, 1, .cql2Text),
      ("CASEI(", "t", ")", 256, 0, .cql2Text),
      (#"{"op":"not","args":["#, #"{"op":"=","args":[{"property":"a"},1]}"#, "]}", 254, 1, .cql2JSON),
      (#"{"op":"and","args":[true,"#, "true", "]}", 256, 2, .cql2JSON),
    ])
  func depth(
    _ open: String, _ core: String, _ close: String, _ limit: Int, _ rows: Int, _ language: FilterLanguage
  )
    throws
  {
    let tail = open == "CASEI(" ? " = 'y'" : ""
    #expect(try Self.count(Self.nested(open, core, close, limit) + tail, language) == rows)
    guard limit > 1 else { return }
    for count in [limit + 3, 5000] {
      let error = #expect(throws: FilterSyntaxError.self) {
        try FilterText(Self.nested(open, core, close, count) + tail, in: language)
      }
      switch error?.reason {
      case .nestingTooDeep, .invalidJSON: break
      default: Issue.record("\(String(describing: error))")
      }
    }
  }

  /// Covers arrays in both encodings, and sums, whose trees are as deep as they are long.
  @Test("Nested arrays and long sums are read to their limits")
  func values() throws {
    let deep = Self.nested("(", "1, 2", ")", 200)
    #expect(try Self.count("A_EQUALS(\(deep), \(deep))", .cql2Text) == 2)
    let json = Self.nested("[", "1", "]", 500)
    #expect(try Self.count(#"{"op":"a_equals","args":[\#(json),\#(json)]}"#, .cql2JSON) == 2)
    #expect(try Self.count(String(repeating: "a+", count: 990) + "a = 991", .cql2Text) == 1)
    #expect(throws: FilterSyntaxError.self) {
      try FilterText(String(repeating: "a+", count: 1000) + "a = 991", in: .cql2Text)
    }
  }

  @Test("Long chains and lists are read up to the limit of a text")
  func chains() throws {
    let terms = 40_000
    let text = Array(repeating: "a = 1", count: terms).joined(separator: " AND ")
    #expect(try Self.count(text, .cql2Text) == 1)
    let json = Array(repeating: #"{"op":"=","args":[{"property":"a"},1]}"#, count: 20_000).joined(
      separator: ",")
    #expect(try Self.count(#"{"op":"or","args":[\#(json)]}"#, .cql2JSON) == 1)
    let elements = (1...100_000).map(String.init).joined(separator: ",")
    #expect(try Self.count("A_CONTAINS((\(elements)), (a))", .cql2Text) == 1)
    #expect(try Self.count("a IN (\(elements))", .cql2Text) == 1)
    let error = #expect(throws: FilterSyntaxError.self) {
      try FilterText(String(repeating: " ", count: 1 << 20) + "TRUE", in: .cql2Text)
    }
    #expect(error?.reason == .tooLong(limit: 1 << 20))
  }

  @Test(
    "A filter ten times as long needs ten times the parts, steps and parameters",
    arguments: [
      ("a = 1", " AND ", "", "", FilterLanguage.cql2Text),
      ("NOT (t LIKE '%x_%' OR a IN (1, 2))", " OR ", "", "", .cql2Text),
      ("T_AFTER(DATE('2020-01-01'), DATE('2019-01-01'))", " AND ", "", "", .cql2Text),
      ("ABS(a - 1) * 2 > 0", " OR ", "", "", .cql2Text),
      (#"{"op":"=","args":[{"property":"a"},1]}"#, ",", #"{"op":"and","args":["#, "]}", .cql2JSON),
    ])
  func workIsLinear(
    _ term: String, _ word: String, _ open: String, _ close: String, _ language: FilterLanguage
  ) throws {
    func work(_ count: Int) throws -> [Int] {
      let text = open + Array(repeating: term, count: count).joined(separator: word) + close
      let read = try #require(try FilterText(text, in: language))
      let fields = Self.table.filterFields(names: language.names)
      return [
        read.places.count, try read.expression.text(in: .cql2Text).utf8.count,
        try read.expression.text(in: .cql2JSON).utf8.count,
        try read.expression.sql(for: .postGIS, fields: fields).parameters.count,
        read.expression.outline.utf8.count,
      ]
    }
    for (few, many) in zip(try work(100), try work(1000)) {
      #expect(abs(many - 10 * few) < 200, "\(few) \(many)")
    }
  }

  @Test("A damaged CQL2 filter is read or refused with an offset and never traps")
  func damaged() throws {
    var (read, refused) = (0, 0)
    for (language, folder) in [(FilterLanguage.cql2Text, "examples/text"), (.cql2JSON, "examples/json")] {
      for (_, text) in try CQL2ExampleTests.files(folder).sorted(by: { $0.key < $1.key }) {
        let bytes = Array(text.utf8)
        for place in stride(from: 0, to: bytes.count, by: 7) {
          var changed = bytes
          changed[place] = changed[place] == 0x28 ? 0x29 : 0x28
          for damaged in [Array(bytes[..<place]), changed] {
            let text = String(decoding: damaged, as: UTF8.self)
            do throws(FilterSyntaxError) {
              _ = try FilterText(text, in: language)
              read += 1
            } catch {
              #expect((0...text.utf8.count).contains(error.offset))
              #expect(!"\(error)".isEmpty)
              refused += 1
            }
          }
        }
      }
    }
    #expect(read > 100, "\(read) \(refused)")
    #expect(refused > 5000, "\(read) \(refused)")
  }
}
