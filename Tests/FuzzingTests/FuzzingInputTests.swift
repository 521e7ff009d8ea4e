import Foundation
import FuzzSubjects
import Testing

/// Repeats the fuzzer's inputs: seeds made for MapState, under its licence, and fixed findings.
@Suite struct FuzzingInputTests {
  private static let inputs = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzzing/Inputs").standardizedFileURL

  @Test("Every kept fuzzing input is read or refused without a crash", arguments: FuzzSubject.allCases)
  func everyInputIsReadOrRefused(_ subject: FuzzSubject) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "mapstate-fuzzing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.inputs.appending(path: subject.rawValue), includingPropertiesForKeys: nil)
    var read = 0
    for file in files {
      if await subject.run(Array(try Data(contentsOf: file)), folder: folder.path) { read += 1 }
    }
    #expect(files.count >= 3)
    // Most seeds must be read, so that a subject that refuses everything is detected.
    #expect(read >= 2, "of \(files.count) inputs")
  }

  @Test("Every folder of fuzzing inputs belongs to a subject")
  func everyFolderOfInputsHasASubject() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.inputs.path)
    #expect(Set(names) == Set(FuzzSubject.allCases.map(\.rawValue)))
  }
}
