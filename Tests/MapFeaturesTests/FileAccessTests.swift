import Foundation
import MapSystem
import Testing

@Suite struct FileAccessTests {
  @Test("A file read in pieces on all cores has the bytes of the file")
  func filesAreReadInPieces() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("pieces-\(UUID().uuidString)")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    for count in [0, 1, 7, 1000, 1001, 4096] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      for pieceSize in [1, 7, 1000, 1 << 20] {
        #expect(try FileAccess.read(path, pieceSize: pieceSize) == bytes, "\(count) by \(pieceSize)")
      }
    }
    #expect(throws: FileError.self) { try FileAccess.read(path, limit: 4095, pieceSize: 100) }
  }
}
