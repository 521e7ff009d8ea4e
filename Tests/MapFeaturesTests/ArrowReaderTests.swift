import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import Testing

/// Arrow data of other programs, damaged data, and data made to take more memory than their size.
@Suite struct ArrowReaderTests {
  private static func cases() throws -> [ArrowCase] {
    try ArrowCase.all(in: try #require(Bundle.module.url(forResource: "Cases/Arrow", withExtension: nil)))
  }

  private static func bytes(_ name: String) throws -> [UInt8] {
    try #require(try cases().first { $0.name == name }).bytes
  }

  @Test("Files of pyarrow, DuckDB and polars are read, or refused, as these programs mean them")
  func filesOfOtherPrograms() throws {
    let cases = try Self.cases()
    for item in cases {
      let differences = item.differences()
      #expect(differences.isEmpty, "\(item.name): \(differences)")
      #expect(ArrowReader.looksLikeArrow(item.bytes), "\(item.name)")
    }
    #expect(cases.count == 83)
    #expect(cases.count { $0.error != nil } == 6)
  }

  @Test("Text, other formats and cut heads are not taken for Arrow data")
  func otherFormats() {
    for text in ["", "ARROW", "{}", "a,b\n1,2\n"] { #expect(!ArrowReader.looksLikeArrow(Array(text.utf8))) }
    #expect(!ArrowReader.looksLikeArrow(Array(repeating: 0xFF, count: 64)))
  }

  @Test("Every cut and every changed byte is read or refused")
  func damagedData() throws {
    var (read, refused) = (0, 0)
    func attempt(_ bytes: [UInt8]) {
      do {
        _ = try ArrowCase.read(bytes)
        read += 1
      } catch { refused += 1 }
    }
    var size = 0
    for name in ["deltas.arrows", "plain-wkb.arrow", "sliced.arrow"] {
      let bytes = try Self.bytes(name)
      size += bytes.count
      for end in bytes.indices { attempt(Array(bytes[..<end])) }
      for place in bytes.indices {
        for value in [0xFF, bytes[place] ^ 0x08] {
          var changed = bytes
          changed[place] = value
          attempt(changed)
        }
      }
    }
    #expect(read + refused == 3 * size)
    #expect(read > 100 && refused > 1000, "\(read) read, \(refused) refused")
  }

  @Test("A cut stream is refused with the number of complete rows before the cut")
  func cutStream() throws {
    let bytes = try Self.bytes("types-batches.arrows")
    var messages: Set<String> = []
    for end in stride(from: 4000, to: bytes.count, by: 64) {
      do { _ = try ArrowCase.read(Array(bytes[..<end])) } catch { messages.insert("\(error)") }
    }
    // 9 rows in batches of 2 and 1.
    let rows = [0, 2, 3, 5, 6, 8].map { "ends in the middle of a message, after \($0) rows" }
    #expect(messages.isSuperset(of: rows), "\(messages)")
    let file = try Self.bytes("types.arrow")
    do { _ = try ArrowCase.read(Array(file.dropLast(100))) } catch {
      #expect("\(error)" == "ends before its footer: it is cut off after 3 rows")
    }
  }

  @Test("A selection of fields leaves out the others, and keeps points and rows")
  func selectedFields() throws {
    let bytes = try Self.bytes("points-degrees.arrow")
    let all = try ArrowCase.read(bytes)
    let some = try ArrowCase.read(bytes, fields: FieldSelection(["N"]))
    #expect(some.schema.fields.map(\.name) == ["n"])
    #expect(some.rowCount == 2 && all.rowCount == 2 && some.warnings == all.warnings)
    // A row without a point has no equal coordinates (NaN).
    for row in 0..<2 { #expect(ArrowCase.parts(some, row) == ArrowCase.parts(all, row)) }
    // An unknown name selects all fields, so that an error can list them.
    #expect(try ArrowCase.read(bytes, fields: FieldSelection(["m"])).schema == all.schema)
    let types = try Self.bytes("types-lz4.arrow")
    let two = try ArrowCase.read(types, fields: FieldSelection(["utf8", "decimal256"]))
    let whole = try ArrowCase.read(types)
    for (field, column) in zip(two.schema.fields, two.columns) {
      let index = try #require(whole.schema.index(ofField: field.name))
      #expect(column == whole.columns[index])
    }
    #expect(two.columns.count == 2)
  }

  @Test("An unknown spatial reference is replaced by the given one")
  func givenReference() throws {
    let bytes = try Self.bytes("bad-crs.arrow")
    var options = ReadingOptions()
    options.sourceReference = SpatialReference(wkid: 2056)
    let table = try ArrowReader.read(size: bytes.count, options: options) { Array(bytes[$0]) }
    #expect(table.schema.spatialReference?.wkid == 2056)
  }

  @Test(
    "A spatial reference without a code is an error with its definition; a known name without numbers is its system"
  )
  func definitions() throws {
    func definition(_ crs: String) throws -> String? {
      var geometry = try #require(try? ArrowReaderTests.bytes("bad-crs.arrow"))
      let old = Array(#"{"name": "My grid"}"#.utf8)
      let places = geometry.indices.filter { geometry[$0...].starts(with: old) }
      let padded = crs + String(repeating: " ", count: max(0, old.count - crs.utf8.count))
      // The schema of a file is in its first message and in its footer.
      try #require(padded.utf8.count == old.count && places.count == 2)
      for place in places { geometry.replaceSubrange(place..<place + old.count, with: padded.utf8) }
      do { return "\(try ArrowCase.read(geometry).rowCount) rows" } catch let error as ArrowError {
        return error.definition
      }
    }
    #expect(try definition(#"{"name":"WGS 84"}"#) == "1 rows")
    #expect(try definition(#""LOCAL_CS[a]""#) == "LOCAL_CS[a]")
    #expect(try definition(#""my own grid""#) == nil)
  }

  @Test("Rows whose geometries cannot be read are left out on request, and counted")
  func badRows() throws {
    let bytes = try Self.bytes("bad-wkb.arrow")
    var options = ReadingOptions()
    options.skipsBadRows = true
    let table = try ArrowReader.read(size: bytes.count, options: options) { Array(bytes[$0]) }
    #expect(table.rowCount == 0)
    #expect(
      table.warnings.contains(
        "1 row that cannot be read was left out; the first: row 1: well-known binary ends before the geometry does"
      ))
  }

  /// A stream of one field and one batch, which states `rows` rows.
  private static func stream(
    type: Int, _ form: [FlatValue?], rows: Int, nodes: [Int], buffers: [Int], body: [UInt8]
  ) -> [UInt8] {
    func message(_ kind: Int, _ header: FlatValue, bodySize: Int) -> [UInt8] {
      var content = FlatBufferWriter.bytes(
        of: .table([.short(4), .byte(kind), header, .long(bodySize)]))
      while content.count % 8 != 0 { content.append(0) }
      let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: content.count >> $0) }
      return [0xFF, 0xFF, 0xFF, 0xFF] + size + content
    }
    let field = FlatValue.table([.text("a"), .byte(1), .byte(type), .table(form), nil, .tables([])])
    let batch = FlatValue.table([
      .long(rows), .longs(nodes, perElement: 2), .longs(buffers, perElement: 2), nil,
      .longs(type == 24 ? [1] : []),
    ])
    return message(1, .table([nil, .tables([field])]), bodySize: 0)
      + message(3, batch, bodySize: body.count) + body
  }

  @Test("A few bytes cannot state more values than they hold")
  func claims() throws {
    func error(_ bytes: [UInt8]) -> String {
      do { return "\(try ArrowCase.read(bytes).rowCount) rows" } catch { return "\(error)" }
    }
    let many = 1 << 33
    #expect(
      error(Self.stream(type: 1, [], rows: many, nodes: [many, many], buffers: [], body: []))
        == "after 0 rows: has more rows without values than its size allows")
    #expect(
      error(Self.stream(type: 1, [], rows: 1000, nodes: [1000, 1000], buffers: [], body: [])) == "1000 rows")
    let integer: [FlatValue?] = [.int(64), .byte(1)]
    #expect(
      error(
        Self.stream(
          type: 2, integer, rows: 3, nodes: [3, 0], buffers: [0, 0, 0, 16],
          body: Array(repeating: 0, count: 16)))
        == "field a: its buffers are too short for its values")
    #expect(
      error(
        Self.stream(
          type: 2, integer, rows: 2, nodes: [2, 0], buffers: [0, 16, 0, 16],
          body: Array(repeating: 0, count: 16)))
        == "after 0 rows: its buffers are longer than its bytes")
    // 2,000 views of 14,000 bytes each into the same 16,000 bytes.
    var body: [UInt8] = []
    for row in 0..<2000 {
      for number in [14_000, 0, 0, row] {
        for shift in stride(from: 0, to: 32, by: 8) {
          body.append(UInt8(truncatingIfNeeded: number >> shift))
        }
      }
    }
    body += (0..<16_000).map { UInt8(truncatingIfNeeded: 97 + $0 % 26) }
    #expect(
      error(
        Self.stream(
          type: 24, [], rows: 2000, nodes: [2000, 0], buffers: [0, 0, 0, 32_000, 32_000, 16_000], body: body))
        == "field a: its views share bytes, and are longer than those by far")
  }
}
