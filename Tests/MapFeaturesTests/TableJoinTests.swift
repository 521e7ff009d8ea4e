import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders
import Testing

/// Tables whose columns are added to those of a layer by equal keys.
@Suite("Joined tables") struct TableJoinTests {
  private static func table(_ csv: String) throws -> FeatureColumns { try CSVReader.read(Array(csv.utf8)) }

  private static func join(
    _ layer: String, _ table: String, key: String = "k", field: String = "k", first: Bool = false
  ) throws -> (FeatureColumns, JoinReport) {
    try TableJoin(
      table: Self.table(table), name: "t", key: key, field: field, takesFirst: first
    ).joined(to: Self.table(layer))
  }

  private static func values(_ table: FeatureColumns, _ field: String) throws -> [AttributeValue] {
    let index = try #require(table.schema.index(ofField: field))
    return (0..<table.rowCount).map { table.columns[index].value(at: $0) }
  }

  private static func isEqual(_ value: AttributeValue, _ json: JSONValue) -> Bool {
    switch (value, json) {
    case (.null, .null): true
    case (.integer(let number), .number(let other)): Double(number) == other.double
    case (.real(let number), .number(let other)): number == other.double
    case (.boolean(let flag), .boolean(let other)): flag == other
    case (.text(let text), .string(let other)): text == other
    case (.date(let date), .string(let other)): date.description == other
    default: false
    }
  }

  // MARK: pandas

  @Test("Rows, joined values and numbers of rows without a partner are those of pandas 1.5.3")
  func pandas() throws {
    let url = try #require(Bundle.module.url(forResource: "Cases/joins", withExtension: "jsonl"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    var refused = 0
    for (number, line) in lines.enumerated() {
      let pair = try JSONValue(parsing: String(line))
      func text(_ name: String) throws -> String { try #require(pair[name]?.string) }
      let join = TableJoin(
        table: try Self.table(text("table")), name: "table", key: try text("key"), field: try text("field"),
        takesFirst: pair["first"]?.boolean ?? false)
      let layer = try Self.table(text("layer"))
      guard let rows = pair["rows"]?.array else {
        refused += 1
        #expect(throws: TableJoinError.self, "pair \(number)") { try join.joined(to: layer) }
        continue
      }
      let (joined, report) = try join.joined(to: layer)
      #expect(
        joined.schema.fields.map(\.name) == pair["columns"]?.array?.compactMap(\.string), "pair \(number)")
      #expect(joined.rowCount == rows.count, "pair \(number)")
      for (row, expected) in rows.enumerated() {
        for (column, value) in (expected.array ?? []).enumerated() {
          let found = joined.columns[column].value(at: row)
          #expect(Self.isEqual(found, value), "pair \(number), row \(row), column \(column): \(found)")
        }
      }
      let unmatched = pair["unmatched"]?.array?.compactMap(\.integer)
      #expect([report.layer.unmatchedCount, report.table.unmatchedCount] == unmatched, "pair \(number)")
    }
    #expect(lines.count == 60)
    #expect(refused == 4)
  }

  // MARK: Keys

  @Test("Integers equal decimal numbers of the same value, beyond 53 bits, too")
  func numbers() throws {
    let (joined, report) = try Self.join(
      "k\n1\n2\n9007199254740993\n0\n", "k,v\n1.0,10\n2.5,20\n9007199254740992.0,30\n0.0,40\n")
    #expect(try Self.values(joined, "v") == [.integer(10), .null, .null, .integer(40)])
    #expect(report.layer.unmatchedKeys == ["2", "9007199254740993"])
    #expect(report.table.unmatchedKeys == ["2.5", "9007199254740992"])
  }

  @Test("Keys of different types are compared as text, with leading zeros")
  func differentTypes() throws {
    let (joined, report) = try Self.join("k\n01\n2\n", "k,v\n1,10\n2,20\n")
    #expect(try Self.values(joined, "v") == [.null, .integer(20)])
    #expect(report.nearMatches.map(\.differences) == [[.leadingZeros]])
    #expect(report.nearMatches.map(\.rowCount) == [1])
  }

  @Test(
    "The differences that keep texts from matching are found",
    arguments: [
      ("a", "A", [JoinReport.Difference.letterCase]), (" a ", "a", [.blanks]), ("007", "7x", []),
      ("007x", "7x", [.leadingZeros]), (" 07X", "7x", [.blanks, .letterCase, .leadingZeros]),
      ("ä", "a\u{308}", [.unicodeForm]), ("00", "0x", []), ("a\u{A0}", "a", [.blanks]), ("b", "a", []),
    ])
  func nearMatches(own: String, other: String, differences: [JoinReport.Difference]) throws {
    let (_, report) = try Self.join("k,n\n\"\(own)\",1\nq,2\n", "k,v\n\"\(other)\",1\nz,2\n")
    #expect(report.nearMatches.flatMap(\.differences) == differences)
    #expect(report.layer.unmatchedCount == 2)
  }

  @Test("Null keys have no partner, and are counted")
  func nulls() throws {
    let (joined, report) = try Self.join("k,n\n,1\na,2\n,3\n", "k,v\n,10\na,20\n")
    #expect(try Self.values(joined, "v") == [.null, .integer(20), .null])
    #expect(report.layer.nullCount == 2)
    #expect(report.layer.unmatchedCount == 2)
    #expect(report.table.nullCount == 1)
    #expect(report.table.unmatchedKeys == [])
  }

  @Test("At most five keys are listed, in the order of their rows, while all rows are counted")
  func listedKeys() throws {
    let layer = "k\n" + (0..<20).map { "x\($0 / 2)\n" }.joined()
    let (_, report) = try Self.join(layer, "k,v\na,1\n")
    #expect(report.layer.unmatchedKeys == ["x0", "x1", "x2", "x3", "x4"])
    #expect(report.layer.hasMoreKeys)
    #expect(report.layer.unmatchedCount == 20)
    #expect(!report.table.hasMoreKeys)
  }

  @Test("Duplicate keys of the table are an error with the first ones, and of the layer they are not")
  func duplicates() throws {
    let table = "k,v\na,1\nb,2\nb,3\nc,4\na,5\na,6\n"
    do {
      _ = try Self.join("k\na\na\n", table)
      Issue.record("duplicates were joined")
    } catch let error as TableJoinError {
      #expect(
        error.description == """
          2 keys of the table are in several rows: "b" (rows 2 and 3), "a" (rows 1 and 5); keep one row of each key, \
          or take the first with --join-first
          """)
    }
    let (joined, report) = try Self.join("k\na\na\nb\n", table, first: true)
    #expect(try Self.values(joined, "v") == [.integer(1), .integer(1), .integer(2)])
    #expect(report.repeatedCount == 3)
    #expect(report.table.unmatchedCount == 1)
  }

  @Test("A hundred thousand rows with one key are one error")
  func manyDuplicates() throws {
    let table = "k,v\n" + String(repeating: "a,1\n", count: 100_000)
    let error = #expect(throws: TableJoinError.self) { try Self.join("k\na\n", table) }
    #expect(
      error?.description.contains("1 key of the table is in several rows: \"a\" (rows 1 and 2);") == true)
  }

  // MARK: Columns

  @Test("Joined texts keep a dictionary of the texts that rows have, in order of first appearance")
  func dictionary() throws {
    let (joined, _) = try Self.join("k\n3\n1\n3\n9\n", "k,v\n1,one\n2,two\n3,three\n")
    let index = try #require(joined.schema.index(ofField: "v"))
    guard case .text(let codes, let dictionary) = joined.columns[index].storage else {
      Issue.record("\(joined.columns[index])")
      return
    }
    #expect(codes == [0, 1, 0, -1])
    #expect(dictionary == ["three", "one"])
    #expect(try Self.values(joined, "v") == [.text("three"), .text("one"), .text("three"), .null])
  }

  @Test("Fields that the layer has get the table's name, and a number if this is taken")
  func names() throws {
    let (joined, report) = try Self.join("k,Name,t_name\n1,a,b\n", "k,name,t_name\n1,c,d\n")
    #expect(joined.schema.fields.map(\.name) == ["k", "Name", "t_name", "t_name_2", "t_t_name"])
    #expect(report.renamings.map(\.newName) == ["t_name_2", "t_t_name"])
    #expect(try Self.values(joined, "t_name_2") == [.text("c")])
    let (other, _) = try Self.join("k,n\n1,a\n", "id,n\n1,c\n", key: "id")
    #expect(other.schema.fields.map(\.name) == ["k", "n", "id", "t_n"])
  }

  @Test("Geometries, ids and their order stay")
  func rows() throws {
    let layer = try Self.table("k,lon,lat\nb,1,2\na,3,4\n")
    let join = TableJoin(
      table: try Self.table("k,lon,lat\na,50,60\n"), name: "t", key: "k", field: "k", takesFirst: false)
    let (joined, _) = try join.joined(to: layer)
    #expect(joined.geometry == layer.geometry)
    #expect(joined.schema.geometryKind == .point)
    #expect(joined.schema.fields.map(\.name) == ["k", "lon", "lat", "t_lon", "t_lat"])
    #expect(ObjectIDs(joined).id(ofRow: 1) == 2)
  }

  @Test("Ids of a table's features are no ids of the layer's")
  func objectIDs() throws {
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "OID", type: .oid), Field(name: "k", type: .int32)], geometryKind: nil,
        spatialReference: nil),
      columns: [Column(.integers([70, 80])), Column(.integers([1, 2]))], geometry: nil, rowCount: 2)
    let join = TableJoin(table: table, name: "t", key: "k", field: "k", takesFirst: false)
    let (joined, _) = try join.joined(to: Self.table("k\n2\n1\n"))
    #expect(joined.schema.fields.map(\.fieldType).last == .int64)
    #expect(ObjectIDs(joined).id(ofRow: 0) == 1)
    #expect(try Self.values(joined, "OID") == [.integer(80), .integer(70)])
  }

  @Test("A missing field and too many fields are errors")
  func errors() throws {
    #expect(throws: TableJoinError.missingField("kk", isLayer: false, available: ["k", "v"])) {
      try Self.join("k\n1\n", "k,v\n1,2\n", key: "kk")
    }
    #expect(throws: TableJoinError.missingField("kk", isLayer: true, available: ["k"])) {
      try Self.join("k\n1\n", "k,v\n1,2\n", field: "kk")
    }
    let wide = (0..<FeatureSchema.fieldLimit).map { "f\($0)" }.joined(separator: ",")
    let row = (0..<FeatureSchema.fieldLimit).map { _ in "1" }.joined(separator: ",")
    #expect(throws: TableJoinError.tooManyFields(FeatureSchema.fieldLimit + 2)) {
      try Self.join("a,b\n1,2\n", "\(wide)\n\(row)\n", key: "f0", field: "a")
    }
  }

  // MARK: Domains

  @Test("Domains of a document have codes of the field's type, and give way to the table's own")
  func domains() throws {
    let code = FieldDomain.CodedValue(name: "Two", code: .integer(2))
    let domain = FieldDomain.codedValues(name: "d", [code])
    let source = InMemorySource(try Self.table("T,U,V\n2,2.5,x\n")).with(domains: [
      "t": domain, "u": domain, "v": domain,
    ])
    func stored(_ index: Int) -> AttributeValue? {
      guard case .codedValues(_, let codes)? = source.schema.fields[index].domain else { return nil }
      return codes.first?.code
    }
    #expect((0..<3).map { stored($0) } == [.integer(2), .real(2), .text("2")])
    let range = FieldDomain.range(name: "r", least: .integer(0), greatest: .integer(9))
    #expect(source.with(domains: ["t": range]).schema.fields[0].domain == domain)
    let other = InMemorySource(try Self.table("T\n2\n")).with(domains: ["t": range])
    #expect(other.schema.fields[0].domain == range)
  }
}
