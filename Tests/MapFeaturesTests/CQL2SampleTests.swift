import MapFeatures
import MapFilter
import Testing

/// The filters of the sample "Query with CQL filters" over a layer of roads like the sample's, whose dates
/// are text.
@Suite struct CQL2SampleTests {
  private static let table = FilterTable(
    names: ["F_CODE", "ZI001_SDV"], types: [.text, .text],
    rows: [
      [.text("AP010"), .text("2011-06-14T00:00:00Z")], [.text("AP010"), .text("2012-12-31T23:59:59Z")],
      [.text("AP010"), .text("2013-01-01T00:00:00Z")], [.text("AP010"), .text("2012-06-01")],
      [.text("AP010"), .text("unknown")], [.text("AP010"), .null], [.text("AQ040"), .text("2011-06-13")],
      [.text("AQ%"), .text("2012-01-07T12:00:00Z")], [.text("aq040"), .null],
      [.null, .text("2012-01-08T00:00:00Z")],
    ]
  ).columns

  /// Source: the sample's own where clauses, its time extent as a filter, and variants of them.
  @Test(
    "The sample's CQL2 clauses select the expected rows",
    arguments: [
      ("F_CODE = 'AP010'", [0, 1, 2, 3, 4, 5]),
      (#"{ "op": "=", "args": [ { "property": "F_CODE" }, "AP010" ] }"#, [0, 1, 2, 3, 4, 5]),
      ("F_CODE LIKE 'AQ%'", [6, 7]), ("F_CODE LIKE 'AQ\\%'", [7]),
      (
        #"{"op":"and","args":[{"op":"=","args":[{"property":"F_CODE"},"AP010"]},{"op":"t_before","args":[{"property":"ZI001_SDV"},"2013-01-01"]}]}"#,
        [0, 1, 3]
      ),
      (
        #"{"op":"and","args":[{"op":"=","args":[{"property":"F_CODE"},"AP010"]},{"op":"t_before","args":[{"property":"ZI001_SDV"},{"date":"2013-01-01"}]}]}"#,
        [0, 1, 3]
      ),
      ("F_CODE = 'AP010' AND T_BEFORE(ZI001_SDV, '2013-01-01')", [0, 1, 3]),
      (#"{"op":"t_after","args":["2013-01-01",{"property":"ZI001_SDV"}]}"#, [0, 1, 3, 6, 7, 9]),
      ("T_INTERSECTS(ZI001_SDV, INTERVAL('2011-06-13','2012-01-07'))", [0, 6, 7]),
      ("NOT T_INTERSECTS(ZI001_SDV, INTERVAL('2011-06-13','2012-01-07'))", [1, 2, 3, 9]), ("", Array(0..<10)),
      ("  ", Array(0..<10)),
    ])
  func clauses(_ text: String, _ rows: [Int]) throws {
    let read = try FilterText(cql2: text)
    let filter = try read.map {
      try CompiledFilter($0.expression, for: Self.table, places: $0.places, names: .ofCQL2)
    }
    let found = filter.map { Array($0.rows(in: Self.table)) } ?? Array(0..<10)
    #expect(found == rows)
    // Written as JSON, the date is marked as a date.
    if let read, text.contains("t_before") {
      #expect(try read.expression.text(in: .cql2JSON).contains(#"{"date":"2013-01-01"}"#))
    }
  }

  @Test(
    "Invalid CQL2 clauses are refused",
    arguments: [
      "{}", #"{"op":"t_befor","args":[{"property":"ZI001_SDV"},"2013-01-01"]}"#, "F_CODE =", "f_code = 'x'",
      "T_BEFORE(ZI001_SDV, 'soon')",
    ])
  func refused(_ text: String) throws {
    #expect(throws: (any Error).self) {
      let read = try #require(try FilterText(cql2: text))
      _ = try CompiledFilter(read.expression, for: Self.table, places: read.places, names: .ofCQL2)
    }
  }
}
