import MapBasemap
import MapFeatures
import MapGeometry
import Testing

@Suite struct BasemapNamesTests {
  @Test("The bundled names are complete, and each lies on the earth")
  func bundled() throws {
    let bytes = BundledBytes.names
    let lines = bytes.count { $0 == UInt8(ascii: "\n") }
    let (table, curves) = BasemapNames.tables(bytes)
    #expect(lines > 7000)
    #expect(curves.rowCount == 18)
    #expect(table.rowCount + curves.rowCount == lines)
    guard case .integers(let kinds) = table.columns[0].storage,
      case .integers(let scales) = table.columns[1].storage,
      case .text(let codes, let names) = table.columns[2].storage
    else {
      Issue.record("other columns")
      return
    }
    #expect(Set(kinds) == [0, 1, 2, 3])
    #expect(kinds.count { $0 == 1 } > 190)
    #expect(kinds.count { $0 == 2 } > 190)
    #expect(scales.allSatisfy { $0 >= 1000 })
    #expect(names.allSatisfy { !$0.isEmpty && !$0.contains("|") && !$0.contains("\t") })
    #expect(codes.allSatisfy { names.indices.contains(Int($0)) })
    let geometry = try #require(table.geometry)
    #expect(geometry.x.allSatisfy { abs($0) <= 180 })
    #expect(geometry.y.allSatisfy { abs($0) <= 90 })
    // Within a kind the most important names come first, so that they are placed first.
    let pairs = zip(kinds.indices, kinds.indices.dropFirst())
    #expect(pairs.allSatisfy { kinds[$0] < kinds[$1] || scales[$0] >= scales[$1] })
  }

  @Test("Malformed lines of names are left out")
  func malformed() {
    let lines = [
      "0\t5\t100\t200\tA|B", "", "1\t5\t100\t200", "1\tx\t100\t200\tC", "1\t5\t1\t2\tD\textra",
      "3\t7\t-18000\t9000\tA|B",
    ]
    let text = lines.joined(separator: "\n")
    let table = BasemapNames.tables(Array(text.utf8)).points
    #expect(table.rowCount == 2)
    #expect(table.columns[2].storage == .text(codes: [0, 0], dictionary: ["A\nB"]))
    #expect(table.geometry?.x == [1, -180])
    let curves = BasemapNames.tables(
      Array("4\t5\t100\t200\t300\t400\tA B\n4\t5\t1\t2\tC\n4\t5\t1\t2\t3\tD\n3\t5\t1\t2\t3\t4\tE".utf8)
    ).curves
    #expect(curves.rowCount == 1)
    #expect(curves.geometry?.x == [1, 3] && curves.geometry?.y == [2, 4])
    #expect(BasemapNames.tables([]).points.rowCount == 0)
    #expect(BasemapNames.tables([0xFF, 0x09, 0x0A]).points.rowCount == 0)
  }

  @Test(
    "The distance of the graticule follows the scale",
    arguments: [(2e8, 30.0), (1e8, 30), (5e7, 20), (2.5e7, 10), (1e7, 5), (3e6, 1), (1e6, 0.5), (1e5, 0.25)])
  func spacing(_ scale: Double, _ spacing: Double) {
    #expect(Graticule.spacing(atScale: scale) == spacing)
  }

  @Test("A graticule has each meridian once and no parallel at the poles", arguments: [30.0, 20, 5, 0.25])
  func lines(_ spacing: Double) throws {
    let geometry = try #require(Graticule.table(spacing: spacing).geometry)
    let meridians = (0..<geometry.rowCount).filter { geometry.envelope(ofRow: $0).width == 0 }
    #expect(meridians.count == Int(360 / spacing))
    #expect(Set(meridians.map { geometry.envelope(ofRow: $0).xMin }).count == meridians.count)
    #expect(geometry.rowCount - meridians.count == 2 * Int(88 / spacing) + 1)
    #expect(geometry.y.allSatisfy { $0.isFinite })
  }
}
