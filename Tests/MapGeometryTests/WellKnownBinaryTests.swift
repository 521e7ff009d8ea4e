import MapGeometry
import MapTestSupport
import Testing

@Suite struct WellKnownBinaryTests {
  struct Case: CustomTestStringConvertible {
    let hex: String, text: String, isFlattened: Bool
    var testDescription: String { text }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func read(_ bytes: [UInt8]) throws -> ((any Geometry)?, WellKnownBinary.Remarks) {
    var builder = CoordinateBuilder()
    let remarks = try WellKnownBinary.appendRow(bytes.span, to: &builder)
    return (builder.result?.geometry(ofRow: 0, spatialReference: nil), remarks)
  }

  /// Source: bytes written by GEOS 3.11 and, for the prefix, PostGIS's documentation of EWKB.
  @Test(
    "Well-known binary of each kind reads as its well-known text does",
    arguments: [
      Case(hex: "0101000000 000000000000F03F 0000000000000040", text: "POINT (1 2)", isFlattened: false),
      Case(hex: "0000000001 3FF0000000000000 4000000000000000", text: "POINT (1 2)", isFlattened: false),
      Case(
        hex: "01E9030000 000000000000F03F 0000000000000040 0000000000000840", text: "POINT (1 2)",
        isFlattened: true),
      Case(
        hex: "0101000080 000000000000F03F 0000000000000040 0000000000000840", text: "POINT (1 2)",
        isFlattened: true),
      Case(
        hex: "0101000020 E6100000 000000000000F03F 0000000000000040", text: "POINT (1 2)", isFlattened: false),
      Case(
        hex: "0102000000 02000000 0000000000000000 0000000000000000 000000000000F03F 0000000000000040",
        text: "LINESTRING (0 0, 1 2)", isFlattened: false),
      Case(
        hex: """
          0106000000 01000000 0103000000 01000000 04000000 0000000000000000 0000000000000000
          000000000000F03F 0000000000000000 000000000000F03F 000000000000F03F 0000000000000000 0000000000000000
          """, text: "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))", isFlattened: false),
      Case(
        hex:
          "0104000000 02000000 0101000000 000000000000F03F 0000000000000040 0101000000 0000000000000000 0000000000000000",
        text: "MULTIPOINT ((1 2), (0 0))", isFlattened: false),
      Case(hex: "0101000000 000000000000F87F 000000000000F87F", text: "POINT EMPTY", isFlattened: false),
    ])
  func reads(_ item: Case) throws {
    let (geometry, remarks) = try Self.read(Self.bytes(item.hex))
    #expect(geometry?.form == (try WellKnownText.geometry(item.text))?.form)
    #expect(remarks.isFlattened == item.isFlattened)
  }

  @Test("A ring of one repeated vertex is removed and counted")
  func degenerateRingIsLeftOut() throws {
    let point = "000000000000F03F 0000000000000040"
    let (geometry, remarks) = try Self.read(
      Self.bytes("0103000000 01000000 04000000 \(point) \(point) \(point) \(point)"))
    #expect(geometry == nil)
    #expect(remarks.droppedParts == 1)
  }

  @Test("Truncated well-known binary is refused, and damaged bytes never trap")
  func brokenBytesAreErrors() throws {
    let whole = Self.bytes(
      """
      0106000000 01000000 0103000000 01000000 04000000 0000000000000000 0000000000000000
      000000000000F03F 0000000000000000 000000000000F03F 000000000000F03F 0000000000000000 0000000000000000
      """)
    for length in 0..<whole.count {
      #expect(throws: WellKnownBinaryError.self) { try Self.read(Array(whole.prefix(length))) }
    }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = try? Self.read(bytes)
    }
  }

  @Test(
    "Well-known binary of an unsupported kind is refused",
    arguments: ["0108000000 00000000", "01FF000000"])
  func otherKindsAreRefused(_ hex: String) {
    #expect(throws: WellKnownBinaryError.self) { try Self.read(Self.bytes(hex)) }
  }
}
