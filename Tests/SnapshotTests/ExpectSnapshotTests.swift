import Foundation
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

  private static let references = "\(#filePath)".dropLast("ExpectSnapshotTests.swift".count) + "Snapshots"

  /// The files of the references, with their bytes.
  private static func recorded() throws -> [String: [UInt8]] {
    let names = try #require(FileManager.default.enumerator(atPath: String(references)))
    var files: [String: [UInt8]] = [:]
    for case let name as String in names {
      if let bytes = FileManager.default.contents(atPath: "\(references)/\(name)") {
        files[name] = Array(bytes)
      }
    }
    return files
  }

  @Test func looksAsRecorded() async throws {
    let before = try Self.recorded()
    #expect(before.keys.contains("ExpectSnapshotTests/rivers/reference.png"))
    await expectSnapshot(of: try await view(), named: "rivers")
    // Comparing writes nothing.
    #expect(try Self.recorded() == before)
  }

  @Test func changesAreIssuesWithTheirLayer() async throws {
    let view = try await view()
    let layer = view.map.featureLayers[0]
    layer.opacity = 0.9
    await withKnownIssue {
      await expectSnapshot(of: view, named: "rivers")
    } matching: { issue in
      issue.comments.contains {
        "\($0)".contains("differs") && "\($0)".contains("layer \"\(layer.title)\": opacity")
      }
    }
  }

  @Test(arguments: [
    ("nowhere", "nowhere: there is no reference"), ("", "\"\" cannot be the name of a snapshot"),
    ("../rivers", "\"../rivers\" cannot be the name of a snapshot"),
  ])
  func missingReferencesFail(name: String, message: String) async throws {
    let (view, before) = (try await view(), try Self.recorded())
    await withKnownIssue {
      await expectSnapshot(of: view, named: name)
    } matching: { issue in
      issue.comments.contains { "\($0)".contains(message) }
    }
    // A test that has no reference does not make itself one.
    #expect(try Self.recorded() == before)
  }

  @Test func widerTolerancesNeedAReason() async throws {
    let view = try await view()
    var tolerance = SnapshotTolerance()
    tolerance.pixels = 1
    await withKnownIssue {
      await expectSnapshot(of: view, named: "rivers", tolerance: tolerance)
    } matching: { issue in
      issue.comments.contains { "\($0)".contains("rivers: a wider tolerance needs a reason") }
    }
    await expectSnapshot(of: view, named: "rivers", tolerance: tolerance, because: "a test")
  }
}
