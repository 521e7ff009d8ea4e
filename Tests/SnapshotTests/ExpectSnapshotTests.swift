import MapSnapshotTesting
import MapSnapshots
import MapState
import Testing

/// The library's expectation, with its references beside this file.
@Suite struct ExpectSnapshotTests {
  private static let styles =
    "\(#filePath)".split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Styles"

  private func view() async throws -> MapView {
    let document = try await MapDocument.open(Self.styles + "/world-rivers.json")
    return try MapView(map: document.map, width: 200, height: 120)
  }

  @Test func looksAsRecorded() async throws { await expectSnapshot(of: try await view(), named: "rivers") }

  @Test func changesAreIssuesWithTheirLayer() async throws {
    let view = try await view()
    let layer = view.map.operationalLayers[0]
    layer.opacity = 0.9
    await withKnownIssue {
      await expectSnapshot(of: view, named: "rivers")
    } matching: { issue in
      issue.comments.contains {
        "\($0)".contains("differs") && "\($0)".contains("layer \"\(layer.title)\": opacity")
      }
    }
  }

  @Test(arguments: ["nowhere", "", "../rivers"]) func missingReferencesFail(_ name: String) async throws {
    let view = try await view()
    await withKnownIssue { await expectSnapshot(of: view, named: name) }
  }

  @Test func widerTolerancesNeedAReason() async throws {
    let view = try await view()
    var tolerance = SnapshotTolerance()
    tolerance.pixels = 1
    await withKnownIssue { await expectSnapshot(of: view, named: "rivers", tolerance: tolerance) }
    await expectSnapshot(of: view, named: "rivers", tolerance: tolerance, because: "a test")
  }
}
