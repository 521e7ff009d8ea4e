import Foundation
import MapFeatures
import MapReaders
import MapSystem
import Testing

/// Bytes that arrive through a pipe.
@Suite struct StandardInputTests {
  /// Returns the result of reading a pipe into which a thread writes bytes, some at a time.
  private static func reading<Result>(
    _ bytes: [UInt8], piece: Int, _ body: (StandardInput) throws -> Result
  ) throws -> Result {
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting
    // A task could wait for the thread that reads.
    Thread {
      for start in stride(from: 0, to: bytes.count, by: piece) {
        try? writer.write(contentsOf: bytes[start..<min(start + piece, bytes.count)])
      }
      try? writer.close()
    }.start()
    // The pipe is open until its bytes are read.
    return try withExtendedLifetime(pipe) {
      try body(StandardInput(descriptor: pipe.fileHandleForReading.fileDescriptor))
    }
  }

  @Test(
    "Ranges and the rest are the bytes of the pipe, also when they arrive one by one",
    arguments: [1, 7, 5000])
  func ranges(piece: Int) throws {
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let read = try Self.reading(bytes, piece: piece) { input in
      var read = [try input.bytes(0..<16), try input.bytes(0..<8), try input.bytes(4..<500)]
      read.append(try input.bytes(10_000..<10_010))
      read.append(try input.bytes(19_990..<30_000))
      read.append(try input.bytes(25_000..<25_001))
      return read
    }
    let expected = [0..<16, 0..<8, 4..<500, 10_000..<10_010, 19_990..<20_000].map { Array(bytes[$0]) } + [[]]
    #expect(read == expected)
    #expect(
      try Self.reading(bytes, piece: piece) {
        _ = try $0.bytes(0..<16); return try $0.rest()
      } == bytes)
  }

  @Test("After a MiB, bytes are dropped, and asking for them again is an error")
  func dropped() throws {
    let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 >> 7) }
    try Self.reading(bytes, piece: 1 << 16) { (input: StandardInput) throws in
      #expect(try input.bytes(0..<100) == Array(bytes[0..<100]))
      #expect(try input.bytes(50..<2_000_000) == Array(bytes[50..<2_000_000]))
      #expect(throws: FileError.self) { try input.bytes(0..<100) }
      #expect(try input.bytes(2_000_000..<2_000_010) == Array(bytes[2_000_000..<2_000_010]))
      #expect(try input.rest().count == bytes.count - 2_000_000)
    }
  }

  @Test("Every stream of the cases is read from a pipe as from its bytes")
  func streams() throws {
    let folder = try #require(Bundle.module.url(forResource: "Cases/Arrow", withExtension: nil))
    let cases = try ArrowCase.all(in: folder).filter { !ArrowReader.isFile($0.bytes) }
    var read = 0
    for item in cases {
      for end in [item.bytes.count, item.bytes.count - 1, item.bytes.count / 2] {
        let bytes = Array(item.bytes[..<end])
        let found = try Self.reading(bytes, piece: 1000) { input in
          let result = Result { try ArrowReader.read(size: nil) { try input.bytes($0) } }
          _ = try input.rest()
          return result
        }
        switch (found, Result { try ArrowCase.read(bytes) }) {
        case (.success(let found), .success(let expected)):
          #expect(found.schema == expected.schema && found.columns == expected.columns, "\(item.name)")
          // Coordinates that are not numbers are not equal.
          #expect("\(found.geometry as Any)" == "\(expected.geometry as Any)", "\(item.name)")
          #expect(found.warnings == expected.warnings, "\(item.name)")
          read += 1
        case (.failure(let found), .failure(let expected)):
          #expect("\(found)" == "\(expected)", "\(item.name), \(end) bytes")
        default: Issue.record("\(item.name), \(end) bytes: only one of the two is read")
        }
      }
    }
    let sound = cases.count { $0.expected != nil }
    #expect(cases.count == 17 && sound > 10 && read >= sound, "\(cases.count) streams, \(read) read")
  }
}
