import MapFeatures
import MapFilter
import MapReaders
import MapTestSupport
import Testing

/// Texts of several tables joined to one, and columns of many different texts read in pieces.
@Suite struct TextTableTests {
  @Test(
    "Joined tables have each text once, in order of first appearance",
    arguments: [(10, 50), (3000, 200), (3000, 20_000), (20_000, 5), (20_000, 1_000_000)])
  func joined(count: Int, different: Int) throws {
    var random = SeededGenerator(seed: UInt64(different))
    var (tables, written) = ([TextTable](), [[String]]())
    for number in 0..<7 {
      var table = TextTable()
      // Of tables that are not searched, each text has a code of its own.
      table.isUnsearched = number % 3 == 1
      var texts: [String] = []
      for _ in 0..<(number == 4 ? 0 : count) {
        let text = "\(Int.random(in: 0..<different, using: &random))é".suffix(
          Int.random(in: 0...12, using: &random))
        let code = table.code(of: Array(text.utf8), 0..<text.utf8.count)
        if code == texts.count { texts.append(String(text)) }
        #expect(texts[Int(code)] == text)
      }
      tables.append(table)
      written.append(texts)
    }
    var (codes, order) = ([String: Int32](), [String]())
    let wanted = written.map {
      $0.map { text in
        if let code = codes[text] { return code }
        codes[text] = Int32(order.count)
        order.append(text)
        return Int32(order.count - 1)
      }
    }
    var joined = TextTable.joined(tables)
    #expect(joined.codes == wanted)
    #expect(joined.texts.strings().texts == order)
    // The joined table finds its texts and takes more.
    for (code, text) in order.enumerated().prefix(500) {
      #expect(joined.texts.code(of: Array(text.utf8), 0..<text.utf8.count) == code)
    }
    let new = Array("new".utf8)
    #expect(joined.texts.code(of: new, new.indices) == order.count)
    #expect(order.count >= min(different, count) / 2)
  }

  @Test("Columns of many different texts are the same for any size of piece", arguments: [0.0, 0.1, 0.9])
  func pieces(repeated: Double) throws {
    var random = SeededGenerator(seed: 31)
    var (lines, wanted) = (["id,name,lon,lat"], [[AttributeValue]](repeating: [], count: 2))
    for row in 0..<40_000 {
      let isRepeated = Double.random(in: 0..<1, using: &random) < repeated
      let id = isRepeated ? "REQ-\(Int.random(in: 0...row, using: &random))" : "REQ-\(row)"
      let name = "say \"\(Int.random(in: 0..<30_000, using: &random))\""
      let isNull = row % 97 == 5
      lines.append("\(isNull ? "" : id),\"\(name.replacing("\"", with: "\"\""))\",\(row % 180).5,1.25")
      wanted[0].append(isNull ? .null : .text(id))
      wanted[1].append(.text(name))
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let whole = try CSVReader.read(bytes, pieceSize: 1 << 30)
    for size in [1 << 15, 1 << 18, 1 << 20] {
      let table = try CSVReader.read(bytes, pieceSize: size)
      #expect(table.columns == whole.columns)
    }
    for (column, values) in zip(whole.columns, wanted) {
      #expect((0..<40_000).allSatisfy { column.value(at: $0) == values[$0] })
    }
  }
}
