/// A table of Arrow's metadata, which are FlatBuffers; every access is checked against the bytes.
struct ArrowTable {
  private let table: FlatTable
  private let bytes: [UInt8]

  /// Reads the root table of some bytes.
  init(_ bytes: [UInt8]) throws(FlatGeobufFault) {
    (table, self.bytes) = (try FlatTable(rootOf: bytes.span), bytes)
  }

  private init(_ table: FlatTable, _ bytes: [UInt8]) { (self.table, self.bytes) = (table, bytes) }

  /// The number of bytes of the root table with everything below it.
  var size: Int { bytes.count }

  /// Returns a field of one byte; 0 without one.
  func byte(_ index: Int) throws(FlatGeobufFault) -> Int { Int(try table.byte(index, bytes.span) ?? 0) }

  /// Returns a field of two bytes.
  func short(_ index: Int, absent: Int = 0) throws(FlatGeobufFault) -> Int {
    try table.word16(index, bytes.span).map { Int($0) } ?? absent
  }

  /// Returns a signed field of four bytes.
  func int(_ index: Int, absent: Int = 0) throws(FlatGeobufFault) -> Int {
    try table.word32(index, bytes.span).map { Int(Int32(bitPattern: $0)) } ?? absent
  }

  /// Returns a signed field of eight bytes; 0 without one.
  func long(_ index: Int) throws(FlatGeobufFault) -> Int {
    Int(truncatingIfNeeded: try table.word64(index, bytes.span) ?? 0)
  }

  /// Returns a text; empty without one.
  func text(_ index: Int) throws(FlatGeobufFault) -> String { try table.text(index, bytes.span) ?? "" }

  /// Returns the table of a field; nil without one.
  func table(_ index: Int) throws(FlatGeobufFault) -> ArrowTable? {
    guard let found = try table.table(index, bytes.span) else { return nil }
    return ArrowTable(found, bytes)
  }

  /// Returns the number of tables in a vector; 0 without one.
  func count(_ index: Int) throws(FlatGeobufFault) -> Int {
    try table.vector(index, elementSize: 4, bytes.span)?.count ?? 0
  }

  /// Returns a table of a vector of tables, by an index below its count.
  func table(_ index: Int, at element: Int) throws(FlatGeobufFault) -> ArrowTable {
    guard let list = try table.vector(index, elementSize: 4, bytes.span) else { throw .outside }
    return ArrowTable(try list.table(element, bytes.span), bytes)
  }

  /// Returns the numbers of a vector whose elements have `perElement` numbers of eight bytes; empty without one.
  func longs(_ index: Int, perElement: Int = 1) throws(FlatGeobufFault) -> [Int] {
    guard let list = try table.vector(index, elementSize: 8 * perElement, bytes.span) else { return [] }
    var numbers: [Int] = []
    for number in 0..<list.count * perElement {
      numbers.append(Int(truncatingIfNeeded: try bytes.span.word64(at: list.start + 8 * number)))
    }
    return numbers
  }
}
