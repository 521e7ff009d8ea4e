import MapFeatures
import MapFilter
import MapGeometry
import Testing

import MapDatabases

/// Rows in the binary format of `COPY`, as a server may send them.
@Suite struct CopyRowsTests {
  /// Bytes of the format, written for the tests.
  private struct Writer {
    var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [0, 0, 0, 0] + [0, 0, 0, 0]

    static func big(_ value: some FixedWidthInteger) -> [UInt8] {
      stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    mutating func row(_ values: [[UInt8]?]) {
      bytes += Self.big(Int16(values.count))
      for value in values {
        bytes += Self.big(Int32(value?.count ?? -1))
        bytes += value ?? []
      }
    }

    mutating func end() { bytes += [0xFF, 0xFF] }
  }

  private static let columns = [
    CopyColumn(Field(name: "id", type: .int32), .int32), CopyColumn(Field(name: "name", type: .text), .text),
    CopyColumn(Field(name: "shape", type: .geometry), .geometry),
  ]

  /// Returns a point in extended well-known binary.
  private static func point(_ x: Double, _ y: Double, id: UInt32?) -> [UInt8] {
    [0] + Writer.big(UInt32(1) | (id == nil ? 0 : 0x2000_0000)) + (id.map { Writer.big($0) } ?? [])
      + Writer.big(x.bitPattern) + Writer.big(y.bitPattern)
  }

  private static func rows(_ ids: [Int32], id reference: UInt32? = 4326) -> [UInt8] {
    var writer = Writer()
    for id in ids {
      writer.row([
        Writer.big(id), id % 3 == 0 ? nil : Array("n\(id)".utf8),
        id % 5 == 0 ? nil : point(Double(id), -Double(id), id: reference),
      ])
    }
    writer.end()
    return writer.bytes
  }

  private static func read(
    _ bytes: [UInt8], pieces: Int = .max, columns: [CopyColumn] = Self.columns, skipsBadRows: Bool = false,
    mostRows: Int = .max
  ) throws(CopyFault) -> CopyRows {
    var rows = CopyRows(columns: columns, key: 0, skipsBadRows: skipsBadRows, mostRows: mostRows)
    var place = 0
    while place < bytes.count {
      let end = place + min(pieces, bytes.count - place)
      try rows.read(Array(bytes[place..<end]))
      place = end
    }
    try rows.finish()
    return rows
  }

  private static func fault(_ bytes: [UInt8], pieces: Int = .max, mostRows: Int = .max) -> String? {
    do throws(CopyFault) {
      _ = try read(bytes, pieces: pieces, mostRows: mostRows)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("Pieces of any size give the same rows", arguments: [1, 2, 3, 7, 19, 64, 1000])
  func pieces(_ size: Int) throws {
    let rows = try Self.read(Self.rows(Array(1...50)), pieces: size)
    #expect(rows.count == 50 && rows.spatialReferenceID == 4326)
    let (columns, warnings) = rows.finished()
    #expect(columns.count == 2 && warnings.isEmpty)
    for row in 0..<50 {
      #expect(columns[0].value(at: row) == .integer(Int64(row) + 1))
      #expect(columns[1].value(at: row) == ((row + 1) % 3 == 0 ? .null : .text("n\(row + 1)")))
    }
    let points = try #require(rows.geometries.first)
    #expect(rows.geometries.count == 1 && points.rowCount == 50)
    #expect((0..<50).allSatisfy { points.isEmpty(row: $0) == (($0 + 1) % 5 == 0) })
    #expect(points.x[6] == 7 && points.y[6] == -7)
  }

  @Test("Every place at which the bytes may end is an error, and none a shorter table")
  func truncation() {
    let bytes = Self.rows(Array(1...6))
    for count in 0..<bytes.count {
      #expect(Self.fault(Array(bytes[..<count])) != nil, "\(count)")
    }
    #expect(Self.fault(bytes) == nil)
    #expect(Self.fault(bytes + [0]) == "sent more bytes after its last row")
    #expect(Self.fault(bytes + [0], pieces: bytes.count) == "sent more bytes after its last row")
  }

  @Test("No changed byte is a trap")
  func damage() {
    let bytes = Self.rows(Array(1...4))
    var read = 0
    for place in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[place] = value
        if Self.fault(damaged, pieces: 16) == nil { read += 1 }
      }
    }
    #expect(read > 100)
  }

  @Test("Rows that are not those of the statement are refused with their place")
  func faults() {
    var wrong = Self.rows([1, 2])
    wrong[0] = 0
    #expect(Self.fault(wrong) == "its rows are not in the binary format of COPY")
    wrong = Self.rows([1, 2])
    wrong[12] = 1
    #expect(Self.fault(wrong) == "its rows are in an unknown binary format")
    wrong = Self.rows([1, 2])
    wrong[15] = 0x7F
    #expect(Self.fault(wrong) == "the header of its rows is too large")
    var writer = Writer()
    writer.row([Writer.big(Int32(1)), nil])
    #expect(Self.fault(writer.bytes) == "row 1 has 2 values instead of 3")
    writer = Writer()
    writer.row([Writer.big(Int64(1)), nil, nil])
    #expect(Self.fault(writer.bytes) == "its key id is not a whole number")
    writer = Writer()
    writer.row([nil, nil, nil])
    #expect(Self.fault(writer.bytes) == "its key id has a null")
    writer = Writer()
    writer.bytes += Writer.big(Int16(3)) + Writer.big(Int32(-2))
    #expect(Self.fault(writer.bytes) == "row 1 has a value of -2 bytes")
    #expect(Self.fault(Self.rows([1, 2, 2])) == "its key id has the value 2 more than once")
    #expect(Self.fault(Self.rows([1, 3, 2])) == "its rows are not in the order of their key id")
    #expect(Self.fault(Self.rows([1, 2, 3]), mostRows: 2) == "has more than 2 rows")
    writer = Writer()
    writer.row([Writer.big(Int32(7)), nil, [1, 2, 3]])
    #expect(
      Self.fault(writer.bytes)
        == "the row with id 7: well-known binary ends before the geometry does")
  }

  @Test("Geometries of two spatial references are refused, and those without one have 0")
  func references() throws {
    var writer = Writer()
    writer.row([Writer.big(Int32(1)), nil, Self.point(1, 2, id: 4326)])
    writer.row([Writer.big(Int32(2)), nil, Self.point(1, 2, id: 3857)])
    writer.end()
    #expect(
      Self.fault(writer.bytes)
        == "the row with id 2: its geometry has the spatial reference 3857, others have 4326")
    #expect(try Self.read(Self.rows([1], id: nil)).spatialReferenceID == 0)
    #expect(try Self.read(Self.rows([5])).spatialReferenceID == nil)
  }

  @Test("Rows that cannot be read are left out on request, and counted")
  func skippedRows() throws {
    var writer = Writer()
    writer.row([Writer.big(Int32(1)), Array("a".utf8), [1, 2, 3]])
    writer.row([Writer.big(Int32(2)), Array("b".utf8), Self.point(3, 4, id: 4326)])
    writer.row([Writer.big(Int32(3)), Array("c".utf8), Self.point(.infinity, 4, id: 4326)])
    writer.end()
    let rows = try Self.read(writer.bytes, skipsBadRows: true)
    let (columns, warnings) = rows.finished()
    #expect(rows.count == 1 && columns[1].value(at: 0) == .text("b"))
    #expect(
      warnings == [
        "2 rows that cannot be read were left out; the first: id 1: well-known binary ends before the geometry does"
      ])
    #expect(rows.geometries.map(\.rowCount) == [1])
  }

  @Test("A value of another size than its type's is refused with its field")
  func sizes() {
    let forms: [(CopyColumn.Form, Int)] = [
      (.int16, 2), (.int32, 4), (.int64, 8), (.real32, 4), (.real64, 8), (.boolean, 1), (.date, 4),
      (.timestamp(hasZone: true), 8), (.uuid, 16), (.numeric, 8),
    ]
    for (form, size) in forms {
      let columns = [Self.columns[0], CopyColumn(Field(name: "value", type: .text), form)]
      for wrong in [0, size - 1, size, size + 1] {
        var writer = Writer()
        writer.row([Writer.big(Int32(7)), Array(repeating: 0, count: wrong)])
        writer.end()
        let rows = Result { () throws(CopyFault) in try Self.read(writer.bytes, columns: columns) }
        if wrong == size {
          #expect((try? rows.get())?.count == 1, "\(form)")
        } else {
          #expect {
            try rows.get()
          } throws: {
            ($0 as? CopyFault)?.reason
              == "the row with id 7: the value of value has another type than its column"
          }
        }
      }
    }
  }

  @Test("Decimals become the nearest double, and lost digits are noticed")
  func decimals() throws {
    func decimal(_ digits: [Int16], weight: Int16, sign: UInt16 = 0) throws -> CopyDecimal {
      let head =
        Writer.big(Int16(digits.count)) + Writer.big(weight) + Writer.big(sign) + Writer.big(Int16(0))
      let bytes = head + digits.flatMap { Writer.big($0) }
      let decimal = CopyDecimal(bytes.span)
      return try #require(decimal)
    }
    #expect(try decimal([], weight: 0).value == 0)
    #expect(try decimal([1, 5000], weight: 0).value == 1.5)
    #expect(try decimal([1000], weight: -1).value == 0.1)
    #expect(try decimal([1], weight: -1, sign: 0x4000).value == -0.0001)
    #expect(try decimal([12, 3456, 7890], weight: 2).value == 1_234_567_890)
    #expect(try decimal([9007, 1992, 5474, 993], weight: 3).value == 9_007_199_254_740_992)
    #expect(try decimal([9007, 1992, 5474, 993], weight: 3).isRounded)
    #expect(try !decimal([9007, 1992, 5474, 992], weight: 3).isRounded)
    #expect(try decimal([1], weight: 70).value == 1e280)
    #expect(try decimal([1], weight: 80).value == .infinity && !decimal([1], weight: 80).isRounded)
    #expect(try decimal([1], weight: -90).value == 0)
    #expect(try decimal([], weight: 0, sign: 0xC000).value.isNaN)
    #expect(try decimal([], weight: 0, sign: 0xD000).value == .infinity)
    #expect(try decimal([], weight: 0, sign: 0xF000).value == -.infinity)
    for bytes in [
      [], [0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0x12, 0, 0, 0],
      [0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10], [0xFF, 0xFF, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]] {
      let decimal = CopyDecimal(bytes.span)
      #expect(decimal == nil, "\(bytes)")
    }
  }
}
