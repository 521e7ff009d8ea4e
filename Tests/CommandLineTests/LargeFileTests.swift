import Foundation
import MapTestSupport
import Testing

/// Files of features that `query` reads in pieces, and whose features it writes while it reads.
///
/// Files of less than 16 MiB are read as a whole, so these are larger.
@Suite("large files", .serialized)
struct LargeFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A block of features that differ in their fields, as texts without separators.
  ///
  /// - Parameter note: the number of letters of a field, which make features large that are quick to read.
  private static func features(
    _ count: Int, isPolygons: Bool, latitudes: ClosedRange<Int> = -80...80, note: Int = 0
  )
    -> [String]
  {
    let letters = String(repeating: "a", count: note)
    return (0..<count).map { row in
      let (x, y) = (row * 7 % 340 - 170, latitudes.lowerBound + row * 13 % latitudes.count)
      let ring = [(0, 0), (2, 0), (2, 1), (1, 3), (0, 2), (0, 0)].map { "[\(x + $0).\(row),\(y + $1).25]" }
      let geometry =
        isPolygons
        ? "\"Polygon\",\"coordinates\":[[\(ring.joined(separator: ","))]]"
        : "\"Point\",\"coordinates\":[\(x).\(row),\(y).5]"
      let height = row % 5 == 0 ? "null" : row % 3 == 0 ? "\(row)" : "\(row).5"
      return
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"Saint-\u{C9}tienne \(row)\",\"kind\":\"\(row % 9)\",\"n\":\(row * row),"
        + "\"height\":\(height),\"day\":\"2024-01-\(10 + row % 20)\",\"open\":\(row % 2 == 0),\"note\":\"\(letters)\"},\"geometry\":{\"type\":\(geometry)}}"
    }
  }

  /// Writes blocks of features, and returns the path.
  private func write(_ features: [String], blocks: Int, to name: String) throws -> String {
    let isCollection = name.hasSuffix(".geojson")
    let separator = isCollection ? ",\n" : "\n"
    let block = Data(features.joined(separator: separator).utf8)
    var data = Data(isCollection ? "{\"type\":\"FeatureCollection\",\"features\":[\n".utf8 : "".utf8)
    for number in 0..<blocks {
      if number > 0 { data += Data(separator.utf8) }
      data += block
    }
    data += Data((isCollection ? "\n]}\n" : "\n").utf8)
    return try folder.write(data, to: name)
  }

  /// Runs the tool, and returns the largest resident memory of the process in MB.
  private func peak(_ arguments: [String]) throws -> Double {
    let process = Process()
    process.executableURL = Tool.url
    process.arguments = arguments
    process.currentDirectoryURL = folder.root
    try process.run()
    var peak = 0
    while process.isRunning {
      let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
      // The peak never falls, so only what the process needs in its last milliseconds can be missed.
      peak = max(peak, line?.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0)
      // Other tests keep tasks waiting for seconds, so the thread itself sleeps.
      Thread.sleep(forTimeInterval: 0.002)
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Double(peak) / 1024
  }

  /// Files of 32 MB, and of 256 MB with `MAPSTATE_FULL_TESTS`; a table of the smaller ones needs more memory than allowed
  /// if their text is held, too.
  @Test(
    "A query from a file to a file holds some pieces of it in memory, however large the file is",
    arguments: ["big.geojson", "big.ndjson"])
  func memory(name: String) async throws {
    let isFull = ProcessInfo.processInfo.environment["MAPSTATE_FULL_TESTS"] == "1"
    let file = try write(Self.features(2000, isPolygons: true), blocks: isFull ? 480 : 60, to: name)
    let size = Double(try Data(contentsOf: folder.url(name)).count) / 1_048_576
    #expect(size > (isFull ? 250 : 32))
    for options in isFull ? [[], ["--where", "n > 100"], ["--bounds", "-90,-60,90,60"]] : [[]] {
      let peak = try peak(["query", file, "-o", "out.geojson"] + options)
      print("\(name), \(Int(size)) MB, \(options): \(Int(peak)) MB of resident memory")
      #expect(peak > 10)
      #expect(peak < 100, "\(options)")
    }
  }

  @Test("Features that are written while they are read are those of the whole table, byte by byte")
  func sameBytes() async throws {
    let polygons = try write(
      Self.features(1000, isPolygons: true, note: 2000), blocks: 9, to: "polygons.geojson")
    let points = try write(
      Self.features(1000, isPolygons: false, latitudes: -89...89, note: 2000), blocks: 9, to: "points.ndjson")
    var compared = 0
    for (file, question) in [
      (polygons, []), (polygons, ["--where", "height > 200.25 AND kind IN ('1', '3')"]),
      (polygons, ["--bounds", "-10,-20,40,30", "--out-fields", "height,day"]),
      (polygons, ["--out-wkid", "4326", "--max-offset", "0.5", "--no-geometry"]),
      (polygons, ["--where", "day > DATE '2024-01-20'", "--time", "2024-01-22/2024-01-28"]),
      (points, ["--bounds", "170,-90,-170,90"]),
      (points, ["--where", "open = 1", "--object-ids", "5,8001"]),
      (points, ["--cql2", "n < 900"]),
    ] {
      for format in question.count == 2 ? ["geojson", "ndjson", "csv"] : ["geojson"] {
        // Standard output gets the features of the table in memory.
        let whole = try await Tool.run(["query", file, "--format", format] + question, folder: folder.root)
        let pieces = try await Tool.run(
          ["query", file, "-o", "out.\(format)"] + question, folder: folder.root)
        #expect(whole.code == 0 && pieces.code == 0, "\(question) \(whole.err) \(pieces.err)")
        #expect(pieces.err == whole.err, "\(question)")
        #expect(whole.out.count > 100)
        let written = try String(contentsOf: folder.url("out.\(format)"), encoding: .utf8)
        #expect(written == whole.out, "\(question) \(format)")
        compared += 1
      }
    }
    #expect(compared == 14)
  }

  @Test(
    "A large file with an error gives its line, an empty answer its note, and neither leaves a partial file")
  func faults() async throws {
    let features = Self.features(1000, isPolygons: false, note: 2000)
    let good = try write(features, blocks: 9, to: "good.geojson")
    let none = try await Tool.run(["query", good, "--where", "kind = '11'", "-o", "none.geojson"])
    #expect(none.code == 0)
    #expect(none.err == "note: no row has kind = '11'; did you mean '1'?\n")
    let field = try await Tool.run(
      ["query", good, "--where", "sort = 1", "-o", "x.geojson"], folder: folder.root)
    #expect(
      field.errors.count == 1 && field.err.contains("good\": where clause: unknown field 'sort'"),
      "\(field.err)")
    let itself = try await Tool.run(["query", good, "-o", good])
    #expect(itself.err.contains("is read by this map and would be lost"), "\(itself.err)")
    var text = try Data(contentsOf: URL(fileURLWithPath: good))
    text[text.count - 3] = 0x2C
    let bad = try folder.write(text, to: "bad.geojson")
    let fault = try await Tool.run(["query", bad, "-o", "x.geojson"], folder: folder.root)
    #expect(fault.code == 2)
    #expect(fault.err.contains("bad.geojson: line 9002, column 2: expected"), "\(fault.err)")
    #expect(try folder.names() == ["bad.geojson", "good.geojson"])
  }
}
