import MapImages
import MapSnapshots
import MapState
import Testing

/// The project's own cases, below `Snapshots`.
@Suite struct ReferenceTests {
  private static let root =
    "\(#filePath)".split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Snapshots"

  @Test(arguments: try SnapshotCase.names(in: root))
  func matchesItsReference(_ name: String) async throws {
    let snapshot = try SnapshotCase(name, in: Self.root)
    let outcome = await snapshot.verify()
    guard !outcome.isPass else { return }
    Issue.record("\(outcome.word): \(outcome.detail ?? "")")
    guard let reference = try snapshot.reference() else { return }
    let actual = try await snapshot.render()
    Attachment.record(try actual.pngData(), named: "actual.png")
    let comparison = ImageComparison(
      expected: reference, actual: actual, tolerance: snapshot.tolerance.channel)
    if case .differs(let difference) = comparison {
      Attachment.record(try difference.picture.pngData(), named: "difference.png")
    }
  }

  @Test func casesWereFound() throws {
    let names = try SnapshotCase.names(in: Self.root)
    #expect(names.count >= 59)
    // A folder that holds pictures but no case would never be looked at.
    for name in names { #expect(name.split(separator: "/").count == 2, "\(name) is not topic/case") }
  }

  @Test func everyCaseSaysWhatItShows() throws {
    let titles = try SnapshotCase.all(in: Self.root).map { $0.title ?? "" }
    #expect(titles.allSatisfy { $0.count > 20 && $0.hasSuffix(".") })
    #expect(Set(titles).count == titles.count)
  }
}
