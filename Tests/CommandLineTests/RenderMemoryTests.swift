import Foundation
import MapTestSupport
import Testing

/// A long session uses no more memory than a short one.
@Suite struct RenderMemoryTests {
  /// 10,000 images with `MAPSTATE_FULL_TESTS`, otherwise 700, at 144 positions and four scales with filters
  /// on and off.
  @Test("Resident memory stays within 2 % after the first 500 images", .timeLimit(.minutes(30)))
  func staysFlat() async throws {
    let pictures = ProcessInfo.processInfo.environment["MAPSTATE_FULL_TESTS"] == "1" ? 10_000 : 700
    let folder = try ScratchFolder()
    let process = Process()
    let (toTool, fromTool) = (Pipe(), Pipe())
    process.executableURL = Tool.url
    process.arguments = ["run", "-"]
    process.currentDirectoryURL = folder.root
    // Otherwise each thread has its own heap, and up to 3 of 66 MB vary by chance.
    process.environment = ProcessInfo.processInfo.environment.merging(["MALLOC_ARENA_MAX": "1"]) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (
      toTool, fromTool, FileHandle.nullDevice
    )
    try process.start()
    defer { process.terminate() }
    func ask(_ step: String) throws {
      try toTool.fileHandleForWriting.write(contentsOf: Data((step + "\n").utf8))
      var line = Data()
      while let part = try fromTool.fileHandleForReading.read(upToCount: 1), !part.isEmpty, part != Data([10])
      {
        line += part
      }
      try #require(
        line.starts(with: Data(#"{"ok":true"#.utf8)), "\(step): \(String(decoding: line, as: UTF8.self))")
    }
    try ask(#"{"step":"open","source":"\#(Tool.cities)","size":[256,256]}"#)
    var early = 0
    for picture in 1...pictures {
      let (row, column) = (picture / 16 % 9, picture % 16)
      try ask(
        #"{"step":"viewpoint","center":{"latitude":\#(row * 12 - 48),"longitude":\#(column * 20 - 150)},"#
          + #""scale":\#(5_000_000 * (1 + picture % 4))}"#)
      try ask(#"{"step":"filter","layer":"Cities","mode":"\#(picture % 2 == 0 ? "none" : "display")"}"#)
      try ask(#"{"step":"render","output":"picture.png"}"#)
      if picture == 500 { early = Self.residentKilobytes(of: process.processIdentifier) }
    }
    let late = Self.residentKilobytes(of: process.processIdentifier)
    print("resident after 500 pictures \(early) kB, after \(pictures) \(late) kB")
    #expect(early > 10_000)
    #expect(abs(late - early) * 50 <= early)
    #expect(try folder.names() == ["picture.png"])
  }

  private static func residentKilobytes(of process: Int32) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
    return line.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
  }
}
