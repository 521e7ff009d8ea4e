import Foundation
import Testing

import MapStateCommand
import MapTestSupport

@Suite("Limits of time, memory and numbers of things") struct LimitTests {
  @Test("A run that waits forever is stopped by --timeout", arguments: ["text", "json"])
  func timeout(format: String) async throws {
    let scratch = try ScratchFolder()
    // The pipe has a writer, this shell, that never writes.
    let run = try await Tool.run(
      [
        "-c", "mkfifo pipe; exec 3<>pipe; exec \"$0\" count - --timeout 0.3 --format \(format) <&3",
        Tool.url.path,
      ], folder: scratch.root, program: URL(fileURLWithPath: "/bin/sh"))
    // On a busy machine the time may run out before reading starts.
    let reason = /(reading -: )?not done within the 0.3 s of --timeout/
    #expect(run.code == 2)
    #expect(run.out.isEmpty)
    let message =
      format == "text"
      ? String(run.err.trimmingPrefix("error: ").dropLast())
      : try #require(
        (JSONSerialization.jsonObject(with: Data(run.err.utf8)) as? [String: [String: Any]])?["error"]?[
          "message"]
          as? String)
    #expect(message.wholeMatch(of: reason) != nil)
  }

  @Test("A run that needs more than --max-memory is stopped")
  func memory() async throws {
    let run = try await Tool.run("count", Tool.countyData, "--max-memory", "1MB")
    #expect(run.code == 2)
    #expect(run.out.isEmpty)
    #expect(run.errors.count == 1)
    #expect(run.err.hasSuffix("needs more than the 1MB of --max-memory\n"))
    let enough = try await Tool.run("count", Tool.cities, "--max-memory", "4GB", "--timeout", "3600")
    #expect(enough.code == 0)
  }

  @Test(
    "An invalid time or memory limit is a usage error",
    arguments: [
      ["--timeout", "0"], ["--timeout", "-1"], ["--timeout", "nan"], ["--timeout", "inf"],
      ["--timeout", "1e300"],
      ["--max-memory", "0MB"], ["--max-memory", "500"], ["--max-memory", "-1MB"], ["--max-memory", "5TB"],
      ["--max-memory", ""], ["--max-memory", "1e9GB"],
    ])
  func limitsThatAreNone(options: [String]) async throws {
    let run = try await Tool.run(["count", Tool.cities] + options)
    #expect(run.code == 64)
    #expect(run.out.isEmpty)
    #expect(run.errors.count == 1)
  }

  @Test(
    "A memory limit is read with any common unit",
    arguments: [
      ("500MB", 500 << 20), ("2gb", 2 << 30), ("1.5GiB", 3 << 29), ("64 K", 64 << 10), ("7M", 7 << 20),
    ])
  func byteCounts(text: String, bytes: Int) { #expect(ByteCount(argument: text)?.bytes == bytes) }

  @Test("Ten warnings that differ only in a number are printed and the rest are counted")
  func folded() async throws {
    let scratch = try ScratchFolder()
    let map = try scratch.write(
      Self.map(of: Array(repeating: Self.layerWithoutURL, count: 3000)),
      to: "map.json")
    let run = try await Tool.run("count", map)
    let lines = run.err.split(separator: "\n")
    #expect(run.code == 0)
    #expect(lines.count == 11)
    #expect(lines.first == "warning: $.operationalLayers[0].url: missing: the layer is not drawn")
    #expect(
      lines.last
        == "warning: and 2,990 more like \"$.operationalLayers[0].url: missing: the layer is not drawn\"")
    let json = try await Tool.run("count", map, "--format", "json", "--strict")
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
    let warnings = try #require(answer["warnings"] as? [String])
    #expect(warnings.count == 11)
    #expect(warnings.last?.hasPrefix("and 2,990 more like") == true)
    #expect(json.code == 1)
    #expect(json.err.contains("3,000 warnings with --strict"))
  }

  @Test("More layers or classes than the limit are refused while the document is parsed")
  func tooMany() async throws {
    let scratch = try ScratchFolder()
    let symbol = #"{"type":"esriSMS","style":"esriSMSCircle","size":5,"color":[0,0,0,255]}"#
    let classes = Array(repeating: #"{"value":"a","symbol":\#(symbol)}"#, count: 65_001).joined(
      separator: ",")
    let texts = [
      ("operationalLayers", 10_000, Self.map(of: Array(repeating: Self.layerWithoutURL, count: 10_001))),
      (
        "layers", 10_000,
        Self.map(
          of: (0..<3).map { _ in
            #"{"layerType":"GroupLayer","layers":[\#(Array(repeating: "{}", count: 4000).joined(separator: ","))]}"#
          })
      ),
      (
        "uniqueValueInfos", 65_000,
        Self.map(of: [
          #"{"layerDefinition":{"drawingInfo":{"renderer":{"type":"uniqueValue","uniqueValueInfos":[\#(classes)]}}}}"#
        ])
      ),
      (
        "visualVariables", 1000,
        Self.map(of: [
          #"{"layerDefinition":{"drawingInfo":{"renderer":{"visualVariables":[\#(Array(repeating: "{}", count: 1001).joined(separator: ","))]}}}}"#
        ])
      ),
    ]
    for (name, limit, text) in texts {
      let run = try await Tool.run("count", try scratch.write(text, to: "\(name).json"))
      #expect(run.code == 2)
      #expect(run.out.isEmpty)
      #expect(run.err.split(separator: "\n").count == 1)
      #expect(run.err.hasSuffix(": more than \(limit) elements in \"\(name)\"\n"))
    }
  }

  private static let layerWithoutURL = #"{"layerType":"ArcGISFeatureLayer","title":"A"}"#

  private static func map(of layers: [String]) -> String {
    #"{"operationalLayers":[\#(layers.joined(separator: ","))],"version":"2.31"}"#
  }
}
