import Foundation
import MapReaders
import MapTestSupport
import Testing

/// The fixtures of mapbox/mvt-fixtures.
@Suite struct VectorTileFixtureTests {
  /// The fixtures of the environment variable, or those of this project.
  static func fixtures() throws -> (all: [VectorTileFixture], areOurs: Bool) {
    if let path = ProcessInfo.processInfo.environment["MAPSTATE_MVT_FIXTURES"] {
      return (try VectorTileFixture.all(in: URL(filePath: path)), false)
    }
    let folder = try #require(
      Bundle.module.url(forResource: "Cases/VectorTiles/fixtures", withExtension: nil))
    return (try VectorTileFixture.all(in: folder), true)
  }

  /// The reports for the invalid fixtures of this project.
  private static let reports = [
    "004": "feature 1 of layer \"hello\" was left out: it has no geometry",
    "006": "feature 1 of layer \"hello\" was left out: its geometry type is 8; 1 to 3 can be read",
    "008": "layer number 1: field 5 of it has another type",
    "010": "layer \"hello\", value 0: its type does not match its bytes",
    "012": "layer \"hello\" was left out: its version is 99; versions 1 and 2 can be read",
    "014": "layer number 1 has no name",
    "024": "layer \"howdy\" has no version",
    "026": "layer \"howdy\", value 0: it has none of the types of the specification",
    "030": "feature 1 of layer \"hello\" was left out: it has several geometries",
    "040": "layer \"hello\", feature 1: its tags name key 2, but the layer has 1",
    "042": "layer \"hello\", feature 1: its tags name value 2, but the layer has 1",
    "044": "layer \"hello\", feature 1: ClosePath in a point",
    "046": "feature 1 of layer \"hello\": vertices repeat the vertex before them",
    "048": "layer \"hello\", feature 1: ClosePath with the count 0 instead of 1",
    "052": "layer \"hello\", feature 1: MoveTo with the count 2, but fewer vertices follow",
    "058": "layer \"hello\", feature 1: LineTo with the count 536870911, but fewer vertices follow",
  ]

  @Test("Valid tiles are read as they are, and every fault of the others is reported")
  func fixtures() throws {
    let (fixtures, areOurs) = try Self.fixtures()
    var invalid = 0
    for fixture in fixtures {
      var (report, tile): (String?, VectorTile?) = (nil, nil)
      do throws(VectorTileError) {
        let read = try VectorTile(fixture.bytes)
        (report, tile) = (read.problems.first.first?.description, read)
      } catch { report = error.description }
      if fixture.isValid {
        let differences = tile.map(fixture.differences) ?? [report ?? ""]
        #expect(differences.isEmpty, "\(fixture.name): \(differences)")
        // Features of a geometry type that the specification leaves open are left out, and reported.
        let losses = tile?.problems.first.filter { $0.isSkipped && $0.reason != .geometryType(0) } ?? []
        #expect(losses.isEmpty, "\(fixture.name): \(losses)")
      } else {
        invalid += 1
        #expect(report != nil, "\(fixture.name): no report")
        if areOurs { #expect(report == Self.reports[fixture.name], "\(fixture.name)") }
      }
    }
    #expect(fixtures.count == 37, "cases")
    if areOurs { #expect(invalid == 16) }
  }

  @Test("Fixtures that are cut or changed anywhere are read or refused")
  func damage() throws {
    var (read, refused) = (0, 0)
    func attempt(_ bytes: [UInt8]) {
      do throws(VectorTileError) {
        for layer in try VectorTile(bytes).layers { _ = try layer.table() }
        read += 1
      } catch { refused += 1 }
    }
    for fixture in try Self.fixtures().all {
      for end in fixture.bytes.indices { attempt(Array(fixture.bytes[..<end])) }
      for place in fixture.bytes.indices {
        for bit in 0..<8 {
          var bytes = fixture.bytes
          bytes[place] ^= 1 << UInt8(bit)
          attempt(bytes)
        }
      }
    }
    #expect(read > 1000 && refused > 1000, "\(read) read, \(refused) refused")
  }
}
