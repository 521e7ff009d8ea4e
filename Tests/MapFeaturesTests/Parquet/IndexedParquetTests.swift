import MapFeatures
import MapGeometry
import MapReaders
import Testing

/// Files from which only the row groups near an extent are read.
@Suite struct IndexedParquetTests {
  /// Files with 8 row groups of 24 rows, in the order of their least x.
  private static let files = [
    "boxes-point-double.parquet", "boxes-point-float.parquet", "boxes-polygon-double.parquet",
    "boxes-polygon-float.parquet",
  ]

  private static func open(_ name: String) throws -> (
    indexed: IndexedParquet, table: FeatureColumns
  ) {
    let bytes = try ParquetReaderTests.bytes(name)
    let table = try ParquetReaderTests.read(bytes)
    let whole = InMemorySource(table)
    let indexed = try IndexedParquet(size: bytes.count, name: "boxes", fields: .all, all: { whole }) {
      Array(bytes[$0])
    }
    return (try #require(indexed), table)
  }

  private static let extents = [
    Envelope(xMin: -70, yMin: -80, xMax: -60, yMax: 80),
    Envelope(xMin: 0, yMin: 0, xMax: 12, yMax: 40),
    Envelope(xMin: 30.5, yMin: -10, xMax: 30.6, yMax: 50),
    Envelope(xMin: 170, yMin: 0, xMax: 171, yMax: 1),
    Envelope(xMin: -200, yMin: -90, xMax: 200, yMax: 90),
  ]

  @Test(
    "The rows near an extent have the ids and values that the whole table has", arguments: files)
  func rows(name: String) throws {
    let (indexed, table) = try Self.open(name)
    #expect(indexed.schema == table.schema)
    #expect(indexed.rowCount == 192 && table.rowCount == 192)
    var parts = 0
    for extent in Self.extents {
      let near = (0..<table.rowCount).filter { row in
        table.geometry.map { !$0.isEmpty(row: row) && $0.envelope(ofRow: row).meets(extent) }
          ?? false
      }
      guard let found = try indexed.rows(meeting: [extent]) else { continue }
      parts += 1
      let ids = found.objectIDs ?? []
      #expect(Set(ids).isSuperset(of: near.map { Int64($0) + 1 }), "\(extent)")
      for (row, id) in ids.enumerated() {
        #expect(found.columns[0].value(at: row) == table.columns[0].value(at: Int(id) - 1))
        #expect(ArrowCase.parts(found, row) == ArrowCase.parts(table, Int(id) - 1))
      }
    }
    #expect(parts >= 3)
  }

  @Test(
    "Boxes inside an extent are counted, and only geometries of boxes across its sides are read",
    arguments: Self.files)
  func counts(name: String) throws {
    let (indexed, table) = try Self.open(name)
    let whole = InMemorySource(table)
    var (alone, undecided) = (0, 0)
    for extent in Self.extents {
      let expected = try Self.count(in: extent, whole)
      guard let count = try indexed.count(meeting: [extent]) else { continue }
      let left = try count.undecided.map { try Self.count(in: extent, InMemorySource($0)) } ?? 0
      #expect(count.decided + left == expected, "\(extent)")
      if count.undecided == nil { alone += 1 }
      undecided += count.undecided?.rowCount ?? 0
      #expect(count.undecided?.columns.isEmpty ?? true)
    }
    // Boxes of single precision are larger than their points.
    #expect(name.contains("polygon") ? undecided > 0 : alone >= 4)
  }

  @Test("Rows in several extents are counted once")
  func overlappingExtents() throws {
    let (indexed, table) = try Self.open(Self.files[2])
    let extents = [Self.extents[1], Envelope(xMin: 5, yMin: 10, xMax: 20, yMax: 50)]
    func rows(_ table: FeatureColumns) throws -> Int {
      let source = InMemorySource(table)
      let found = try extents.map { try source.rows(ParquetQuestion.query($0, nil)) }
      return Set(found.flatMap { Array($0) }).count
    }
    let count = try #require(try indexed.count(meeting: extents))
    #expect(try count.decided + (count.undecided.map(rows) ?? 0) == rows(table))
  }

  private static func count(in extent: Envelope, _ source: InMemorySource) throws -> Int {
    try source.count(ParquetQuestion.query(extent, nil))
  }

  @Test("A point is counted by a box inside the extent, and not by one across its side")
  func largerBoxes() throws {
    func bytes(_ number: Double) -> [UInt8] {
      ParquetSample.longs([Int(bitPattern: UInt(number.bitPattern))])
    }
    let sides = ["xmin", "ymin", "xmax", "ymax"]
    let paths = sides.map { #""\#($0)":["bbox","\#($0)"]"# }.joined(separator: ",")
    let column =
      #"{"encoding":"WKB","geometry_types":["Point"],"bbox":[1,2,1,2],"covering":{"bbox":{\#(paths)}}}"#
    let boxes: [(box: [Double], count: Int?)] = [
      ([1, 2, 1, 2], 1), ([1, 2, 1, 3], 1), ([0.5, 2, 1, 2], nil),
    ]
    for (box, count) in boxes {
      let file = ParquetSample.changed {
        $0.elements =
          [ParquetSample.column("geometry", type: 6), ParquetSample.group("bbox", 4)]
          + sides.map { ParquetSample.column($0, type: 5) }
        ($0.childCount, $0.types, $0.rowCount) = (2, [6, 5, 5, 5, 5], 1)
        let point = ParquetSample.number(21) + [1, 1, 0, 0, 0] + bytes(1) + bytes(2)
        $0.pages = ([point] + box.map(bytes)).map { ParquetSample.page($0, values: 1) }
        $0.metadata = [("geo", #"{"primary_column":"geometry","columns":{"geometry":\#(column)}}"#)]
      }
      let whole = InMemorySource(try ParquetReaderTests.read(file))
      let indexed = try IndexedParquet(size: file.count, name: "a", fields: .all, all: { whole }) {
        Array(file[$0])
      }
      let extent = Envelope(xMin: 0.75, yMin: 0, xMax: 5, yMax: 5)
      #expect(try #require(indexed).count(meeting: extent) == count, "\(box)")
      #expect(whole.rowCount == 1)
    }
  }

  @Test("Row groups whose statistics exclude an extent are not read")
  func skippedGroups() throws {
    let (indexed, _) = try Self.open(Self.files[0])
    #expect(indexed.rowGroupCount == 8)
    #expect(Self.extents.map { indexed.rowGroups(meeting: $0).count } == [1, 1, 0, 0, 8])
  }

  @Test("Boxes that do not hold their geometries are a fault, after which all rows are read")
  func wrongBoxes() throws {
    let bytes = try ParquetReaderTests.bytes("wrong-boxes.parquet")
    let whole = InMemorySource(try ParquetReaderTests.read(bytes))
    let opened = try IndexedParquet(size: bytes.count, name: "boxes", fields: .all, all: { whole }) {
      Array(bytes[$0])
    }
    let indexed = try #require(opened)
    #expect(throws: IndexFault.self) { try indexed.rows(meeting: [Self.extents[0]]) }
  }
}
