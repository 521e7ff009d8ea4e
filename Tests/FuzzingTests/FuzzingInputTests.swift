import Foundation
import FuzzSubjects
import Testing

/// Repeats the inputs of the fuzzer: seeds made for MapState, under its licence, and finds that were fixed.
@Suite struct FuzzingInputTests {
  private static let inputs = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzzing/Inputs").standardizedFileURL

  @Test(arguments: FuzzSubject.allCases)
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
    // Most seeds are read, so that a subject that refuses everything shows.
    #expect(read >= 2, "of \(files.count) inputs")
  }

  @Test func everyFolderOfInputsHasASubject() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.inputs.path)
    #expect(Set(names) == Set(FuzzSubject.allCases.map(\.rawValue)))
  }
}
