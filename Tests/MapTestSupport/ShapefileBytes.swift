/// A shapefile of points made of bytes, with texts in any encoding.
public struct ShapefileBytes: Sendable {
  /// A field of the attribute file.
  public struct Field: Sendable {
    /// The name as bytes; at most ten are written.
    public var name: [UInt8]
    /// The letter of the type.
    public var type: UInt8
    /// The width in bytes.
    public var width: Int

    /// Creates a field, by default of texts.
    public init(name: [UInt8], type: UInt8 = UInt8(ascii: "C"), width: Int = 12) {
      (self.name, self.type, self.width) = (name, type, width)
    }
  }

  /// The fields of the attribute file.
  public var fields: [Field]
  /// The values of each row, as bytes without their padding.
  public var rows: [[[UInt8]]]
  /// The number of the language driver.
  public var language = UInt8(0)

  /// Creates a shapefile with one text field.
  public init(name: [UInt8] = Array("NAME".utf8), width: Int = 12, texts: [[UInt8]], language: UInt8 = 0) {
    fields = [Field(name: name, width: width)]
    rows = texts.map { [$0] }
    self.language = language
  }

  private static func little(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func big(_ value: Int) -> [UInt8] { little(value, 4).reversed() }

  private static func number(_ value: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
  }

  /// The `.dbf` file.
  public var attributes: [UInt8] {
    let record = 1 + fields.reduce(0) { $0 + $1.width }
    var bytes: [UInt8] = [3, 124, 1, 1] + Self.little(rows.count, 4)
    bytes += Self.little(33 + 32 * fields.count, 2) + Self.little(record, 2)
    bytes += [UInt8](repeating: 0, count: 17) + [language, 0, 0]
    for field in fields {
      bytes += (field.name + [UInt8](repeating: 0, count: 11)).prefix(11)
      bytes += [field.type, 0, 0, 0, 0, UInt8(field.width)] + [UInt8](repeating: 0, count: 15)
    }
    bytes.append(0x0D)
    for row in rows {
      bytes.append(0x20)
      for (field, value) in zip(fields, row) {
        bytes += (value + [UInt8](repeating: 0x20, count: field.width)).prefix(field.width)
      }
    }
    return bytes + [0x1A]
  }

  private static func head(length: Int, count: Int) -> [UInt8] {
    var bytes =
      big(9994) + [UInt8](repeating: 0, count: 20) + big(length / 2) + little(1000, 4) + little(1, 4)
    for value in [0, 0, Double(count), Double(count), 0, 0, 0, 0] { bytes += number(value) }
    return bytes
  }

  /// The `.shp` file.
  public var shapes: [UInt8] {
    var bytes = Self.head(length: 100 + 28 * rows.count, count: rows.count)
    for row in rows.indices {
      bytes += Self.big(row + 1) + Self.big(10) + Self.little(1, 4)
      bytes += Self.number(Double(row)) + Self.number(Double(row))
    }
    return bytes
  }

  /// The `.shx` file.
  public var index: [UInt8] {
    var bytes = Self.head(length: 100 + 8 * rows.count, count: rows.count)
    for row in rows.indices { bytes += Self.big(50 + 14 * row) + Self.big(10) }
    return bytes
  }
}
