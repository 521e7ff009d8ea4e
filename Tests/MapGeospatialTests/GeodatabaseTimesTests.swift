import Foundation
import MapFeatures
import MapFilter
import MapGeospatial
import Testing

/// Timestamps of a File Geodatabase before 1970; `make_times.py` wrote the file.
@Suite struct GeodatabaseTimesTests {
  @Test("Timestamps on both sides of 1970 are those that were written")
  func times() throws {
    let table = try VectorFile.read(Fixture.path("times.gdb"), layer: nil).table
    #expect(!table.warnings.contains { $0.contains("second late") }, "\(table.warnings)")
    let written = [
      "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1960-05-05T12:00:00Z", "1899-12-30T00:00:00Z",
      "1950-01-01T00:00:00Z", "2020-02-03T04:05:06Z", "1850-02-03T04:05:06Z",
    ]
    #expect(table.rowCount == written.count)
    let format = ISO8601DateFormatter()
    for (row, text) in written.enumerated() {
      let seconds = try #require(format.date(from: text)).timeIntervalSince1970
      #expect(
        table.value(row, "t") == .instant(Instant(microseconds: Int64(seconds) * 1_000_000)), "\(text)")
    }
  }

  @Test("A damaged description of a table is refused or leaves the field out, and never crashes")
  func damaged() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".gdb")
    try FileManager.default.copyItem(atPath: Fixture.path("times.gdb"), toPath: folder.path)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a00000009.gdbtable")
    let original = try Data(contentsOf: file)
    var outcomes: Set<String> = []
    // The description of the fields, between the header and the rows.
    for place in stride(from: 54, to: 372, by: 3) {
      var bytes = original
      bytes[place] ^= 0x55
      try bytes.write(to: file)
      do {
        let table = try VectorFile.read(folder.path, layer: nil).table
        let isLeftOut = table.warnings.contains { $0.contains("field t: is not read") }
        #expect(isLeftOut == (table.schema.index(ofField: "t") == nil))
        outcomes.insert(isLeftOut ? "left out" : "read")
      } catch { outcomes.insert("refused") }
    }
    #expect(outcomes.contains("refused") && outcomes.contains("read"), "\(outcomes)")
  }
}
