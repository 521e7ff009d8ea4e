import MapImages
import MapSnapshots
import MapState
import Testing

/// The project's own cases, below `Snapshots`.
@Suite struct ReferenceTests {
  private static let root =
    "\(#filePath)".split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Snapshots"

  @Test("Every snapshot case matches its reference", arguments: try SnapshotCase.names(in: root))
  func matchesItsReference(_ name: String) async throws {
    let snapshot = try SnapshotCase(name, in: Self.root)
    let result = await snapshot.verify()
    if case .skipped(let reason) = result.outcome { try Test.cancel(Comment(rawValue: reason)) }
    guard result.outcome.isFailure else { return }
    Issue.record("\(result.headline)")
    guard let pictures = result.pictures else { return }
    Attachment.record(pictures.actual, named: "actual.png")
    if let difference = pictures.difference { Attachment.record(difference, named: "difference.png") }
  }

  @Test("At least 90 snapshot cases are found as topic and case")
  func casesWereFound() throws {
    let names = try SnapshotCase.names(in: Self.root)
    #expect(names.count >= 90)
    // A folder with images but without a case would never be checked.
    for name in names { #expect(name.split(separator: "/").count == 2, "\(name) is not topic/case") }
  }

  @Test("No reference is without its case")
  func noReferenceIsAnOrphan() throws { #expect(try SnapshotCase.orphans(in: Self.root) == []) }

  @Test("Every case has a title of its own")
  func everyCaseSaysWhatItShows() throws {
    let titles = try SnapshotCase.all(in: Self.root).map { $0.title ?? "" }
    #expect(titles.allSatisfy { $0.count > 20 && $0.hasSuffix(".") })
    #expect(Set(titles).count == titles.count)
  }
}
