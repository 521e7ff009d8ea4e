import Foundation
import MapTestSupport
import Testing

@Suite("snapshot")
struct SnapshotCommandTests {
  @Test("Snapshots are recorded and verified, and every kind of difference has its own exit code")
  func recordThenVerify() async throws {
    let folder = try ScratchFolder()
    _ = try SmallMap.write(to: folder)
    let cases = folder.path("Cases")
    try folder.write(#"{"document":"../../../map.json","size":[80,60]}"#, to: "Cases/filters/one/case.json")
    try folder.write(
      #"{"document":"../../../map.json","size":[80,60],"filters":"none"}"#, to: "Cases/filters/two/case.json")

    let missing = try await Tool.run("snapshot", "verify", cases)
    #expect(missing.code == 1, "\(missing)")
    #expect(missing.out.split(separator: "\n").allSatisfy { $0.hasPrefix("no-reference\tfilters/") })
    #expect(!FileManager.default.fileExists(atPath: cases + "/filters/one/reference.png"))

    let recorded = try await Tool.run("snapshot", "record", cases, "--all")
    #expect(recorded.code == 0, "\(recorded)")
    #expect(recorded.out == "recorded\tfilters/one\nrecorded\tfilters/two\n", "\(recorded)")
    let same = try await Tool.run("snapshot", "verify", cases)
    #expect(same.code == 0, "\(same)")
    #expect(same.out == "same\tfilters/one\nsame\tfilters/two\n", "\(same)")

    let (one, two) = (cases + "/filters/one/reference.png", cases + "/filters/two/reference.png")
    try FileManager.default.removeItem(atPath: one)
    try FileManager.default.copyItem(atPath: two, toPath: one)
    let stale = try await Tool.run("snapshot", "verify", cases)
    #expect(stale.code == 1, "\(stale)")
    #expect(stale.out.hasPrefix("stale-reference\tfilters/one\t"), "\(stale)")
    for file in ["reference.json", "reference-owners.png"] {
      try FileManager.default.removeItem(atPath: cases + "/filters/one/\(file)")
      try FileManager.default.copyItem(
        atPath: cases + "/filters/two/\(file)", toPath: cases + "/filters/one/\(file)")
    }
    let differs = try await Tool.run("snapshot", "verify", cases)
    #expect(differs.code == 1, "\(differs)")
    #expect(differs.out.hasPrefix("differs\tfilters/one\t"), "\(differs)")
    #expect(differs.out.contains("\tPlaces › definition expression (filter): none → n > 1;"), "\(differs)")
    #expect(try await Tool.run("snapshot", "verify", cases, "filters/two").code == 0)

    try FileManager.default.removeItem(atPath: one)
    try folder.write("no picture", to: "Cases/filters/one/reference.png")
    let broken = try await Tool.run("snapshot", "verify", cases)
    #expect(broken.code == 2, "\(broken)")
    #expect(broken.out.hasPrefix("error\tfilters/one\t"), "\(broken)")
  }

  @Test("Verifying no cases, a missing folder or an unknown case is an error")
  func nothingToVerify() async throws {
    let folder = try ScratchFolder()
    let empty = try await Tool.run("snapshot", "verify", folder.root.path)
    #expect(empty.code == 1)
    #expect(empty.errors.count == 1)
    let missing = try await Tool.run("snapshot", "verify", folder.path("nosuch"))
    #expect(missing.code == 2)
    #expect(missing.errors.count == 1)
    #expect(missing.err.contains("nosuch"))
    try folder.write(#"{"document":"map.json"}"#, to: "one/case.json")
    let unknown = try await Tool.run("snapshot", "verify", folder.root.path, "two")
    #expect(unknown.code == 2)
    #expect(unknown.errors.count == 1)
    #expect(unknown.err.contains("two"))
  }

  @Test(
    "An invalid case file is an error that names it",
    arguments: [
      "", "{", "[]", "{}", #"{"document":"map.json","sise":[1,1]}"#,
      #"{"document":"map.json","tolerance":{"channel":300}}"#,
      #"{"document":"map.json","tolerance":{"channel":9}}"#, #"{"document":"map.json","skip":true}"#,
      #"{"document":7}"#, #"{"document":"a","map":{}}"#,
    ])
  func brokenCase(text: String) async throws {
    let folder = try ScratchFolder()
    try folder.write(text, to: "one/case.json")
    let run = try await Tool.run("snapshot", "verify", folder.root.path)
    // A fault that is only found while drawing makes the case fail.
    #expect([1, 2].contains(run.code), "\(run)")
    #expect(!run.isSignal, "\(run)")
    #expect((run.err + run.out).contains("case.json"), "\(run)")
  }
}
