import Foundation
import MapSnapshotTesting
import MapSnapshots
import MapState
import Testing

/// The library's snapshot expectation, with its references beside this file.
///
/// The tests run one after the other: one writes a reference, and others expect that none is written.
@Suite(.serialized) struct ExpectSnapshotTests {
  private static let styles =
    "\(#filePath)".split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Styles"

  private func view() async throws -> MapView {
    let document = try await MapDocument.open(Self.styles + "/world-rivers.json")
    return try MapView(map: document.map, width: 200, height: 120)
  }

  private static let references = "\(#filePath)".dropLast("ExpectSnapshotTests.swift".count) + "Snapshots"

  /// The reference files with their bytes.
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

  @Test("A view equal to its recorded snapshot passes and writes nothing")
  func looksAsRecorded() async throws {
    let before = try Self.recorded()
    #expect(before.keys.contains("ExpectSnapshotTests/rivers/reference.png"))
    await expectSnapshot(of: try await view(), named: "rivers")
    // A comparison writes nothing.
    #expect(try Self.recorded() == before)
  }

  @Test("A changed layer is an issue that names the layer")
  func changesAreIssuesWithTheirLayer() async throws {
    let view = try await view()
    let layer = view.map.featureLayers[0]
    layer.opacity = 0.9
    await withKnownIssue {
      await expectSnapshot(of: view, named: "rivers")
    } matching: { issue in
      issue.comments.contains {
        "\($0)".contains("differs") && "\($0)".contains("\(layer.title) › opacity")
      }
    }
  }

  @Test(
    "A missing reference or an invalid name is an issue and writes nothing",
    arguments: [
      ("nowhere", "nowhere: no reference in "), ("", "\"\" is not a valid snapshot name"),
      ("../rivers", "\"../rivers\" is not a valid snapshot name"),
    ])
  func missingReferencesFail(name: String, message: String) async throws {
    let (view, before) = (try await view(), try Self.recorded())
    await withKnownIssue {
      await expectSnapshot(of: view, named: name)
    } matching: { issue in
      issue.comments.contains { "\($0)".contains(message) }
    }
    // A test without a reference does not create one.
    #expect(try Self.recorded() == before)
  }

  @Test("A wider tolerance needs a reason")
  func widerTolerancesNeedAReason() async throws {
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

  @Test("A snapshot without a name has that of its test, and a second one there needs a name")
  func looksLikeItsTest() async throws {
    let view = try await view()
    await expectSnapshot(of: view)
    await withKnownIssue {
      await expectSnapshot(of: view)
    } matching: { issue in
      issue.comments.contains { "\($0)".contains("give another one with named:") }
    }
  }

  @Test("A test with the trait .record writes what is missing, and fails", .record(.missing))
  func records() async throws {
    let (view, before) = (try await view(), try Self.recorded())
    await withKnownIssue {
      await expectSnapshot(of: view, named: "written")
    } matching: { issue in
      issue.comments.contains { "\($0)".contains("recorded ") }
    }
    let written = "\(Self.references)/ExpectSnapshotTests/written"
    #expect(FileManager.default.fileExists(atPath: written + "/reference.png"))
    try FileManager.default.removeItem(atPath: written)
    #expect(Set(try Self.recorded().keys).isSuperset(of: before.keys))
  }
}
