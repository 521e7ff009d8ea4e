import Foundation
import MapTestSupport
import Testing

@Suite("statistics and query")
struct QuestionCommandTests {
  private static let counties = ["--layer", "Counties", "--everywhere"]

  private func run(_ command: String, _ arguments: String...) async throws -> Tool.Run {
    try await Tool.run([command, Tool.counties] + Self.counties + arguments)
  }

  @Test("Statistics are printed as JSON, CSV and text")
  func statisticsInEveryForm() async throws {
    let asked = ["--statistic", "maximum:unemployment_rate:top", "--statistic", "count:unemployment_rate"]
    let common = ["statistics", Tool.counties] + Self.counties + asked + ["--group-by", "STATE_NAME"]
    let order = ["--order-by", "STATE_NAME:desc"]
    let json = try await Tool.run(common + order + ["--format", "json"])
    #expect(json.code == 0)
    #expect(
      json.out.hasPrefix(
        #"{"records":[{"group":{"STATE_NAME":"Wisconsin"},"statistics":{"top":"#), "\(json.out)")
    let csv = try await Tool.run(common + ["--format", "csv"])
    let lines = csv.out.split(separator: "\n")
    try #require(lines.count == 6, "\(csv.out)")
    #expect(lines[0] == "STATE_NAME,top,COUNT_unemployment_rate", "\(csv.out)")
    #expect(lines[1] == "Illinois,15.5,102")
    let text = try await Tool.run(common)
    #expect(text.out.split(separator: "\n").count == 7)
    #expect(text.out.contains("Illinois"))
  }

  @Test("A statistic without values is absent from the JSON output")
  func aStatisticWithoutValuesIsAbsent() async throws {
    let run = try await run(
      "statistics", "--statistic", "all:unemployment_rate", "--where", "NAME = 'no such'", "--format", "json")
    #expect(
      run.out
        == "{\"records\":[{\"group\":{},\"statistics\":{\"COUNT_unemployment_rate\":0}}],\"extent\":null,\"wkid\":3857,\"exact\":true,"
        + "\"warnings\":[],\"notes\":[\"no row has NAME = 'no such'\"]}\n"
    )
  }

  @Test("Records and features are ordered with nulls on the requested side")
  func orderOfNulls() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write("n,t\n2,b\n,a\n1,\n3,c\n", to: "nulls.csv")
    for (order, ids) in [
      ("n", "3142"), ("n:asc", "3142"), ("n:desc", "4132"), ("n:desc:nulls-last", "4132"),
      ("n:desc:nulls-first", "2413"),
      ("n:asc:nulls-first", "2314"), ("n:nulls-first", "2314"),
    ] {
      let run = try await Tool.run("query", data, "--ids", "--order-by", order)
      #expect(run.out.filter(\.isNumber) == ids, "\(order)")
    }
    for (order, texts) in [("t", "abc"), ("t:desc", "cba"), ("t:nulls-first", "abc")] {
      let run = try await Tool.run(
        "statistics", data, "--statistic", "count:n", "--group-by", "t", "--order-by", order, "--format",
        "csv")
      let groups = run.out.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
      #expect(groups.joined() == texts, "\(order)")
      #expect((groups.first == "") == (order == "t:nulls-first"), "\(order)")
    }
  }

  @Test("An invalid query or statistics request is an error that names the reason")
  func wrongRequests() async throws {
    let cases: [([String], Int32, String)] = [
      (["statistics"], 64, "--statistic is missing"),
      (
        ["statistics", "--statistic", "averag:NAME"], 64,
        "no statistic named \"averag\"; did you mean \"average\"?"
      ),
      (["statistics", "--statistic", "sum"], 64, "expected TYPE:FIELD"),
      (["statistics", "--statistic", "sum:NAME"], 2, "needs numbers"),
      (["statistics", "--statistic", "sum:NOME"], 2, "did you mean 'NAME'?"),
      (
        ["statistics", "--statistic", "count:NAME", "--order-by", "NAME"], 2,
        "which is no group field and no statistic"
      ),
      (["statistics", "--statistic", "count:NAME", "--order-by", "NAME:up"], 64, "asc or desc"),
      (["query", "--order-by", "NAME:nulls-last:desc"], 64, "unexpected \"desc\""),
      (["query", "--order-by", ":desc"], 64, "no field"),
      (["statistics", "--statistic", "count:NAME", "--group-by", "STATE,,"], 64, "--group-by"),
      (["query", "--offset", "-1"], 64, "--offset"),
      (["query", "--max-features", "-1"], 64, "--max-features"),
      (["query", "--ids", "--count-only"], 64, "give one of them"),
      (["query", "--out-wkid", "0"], 64, "--out-wkid"),
      (["query", "--out-wkid", "utm"], 64, "--out-wkid"),
      (["query", "--out-wkid", "999999"], 64, "WKID 999999 is not a spatial reference known to PROJ"),
      (["query", "--max-offset", "-1"], 64, "--max-offset"),
      (["query", "--max-offset", "nan"], 64, "--max-offset"),
      (["query", "--max-offset", "0x2"], 64, "--max-offset"),
      (["query", "--out-fields", "NAMES"], 2, "did you mean 'NAME'?"),
      (["query", "--order-by", "NOWHERE_AT_ALL"], 2, "unknown field"),
      (["query", "--format", "xml"], 64, "--format"),
      (["query", "-o", "/no/such/folder/x.json"], 2, "/no/such"),
      (["query", "--where", "NAME ="], 2, "where clause"),
    ]
    for (arguments, code, message) in cases {
      let run = try await Tool.run([arguments[0], Tool.counties] + Self.counties + arguments.dropFirst())
      #expect(run.code == code, "\(arguments) \(run.err)")
      #expect(run.errors.count == 1, "\(arguments) \(run.err)")
      #expect(run.out == "", "\(arguments) \(run.err)")
      #expect(run.err.contains(message), "\(arguments) \(run.err)")
    }
    // A query on two layers must name one of them.
    let run = try await Tool.run("query", Tool.counties)
    #expect(run.code == 64)
    #expect(run.err.contains("States"))
    #expect(run.err.contains("Counties"))
  }

  @Test("Features are printed as ids, counts, extents, JSON, CSV and text")
  func featuresInEveryForm() async throws {
    let five = ["--order-by", "unemployment_rate:desc,NAME", "--max-features", "5"]
    let common = ["query", Tool.counties] + Self.counties + five
    let ids = try await Tool.run(common + ["--ids"])
    #expect(ids.out.split(separator: "\n").first == "1238")
    #expect(try await Tool.run(common + ["--ids", "--format", "json"]).out.hasPrefix("{\"ids\":[1238,"))
    #expect(try await Tool.run(common + ["--count-only"]).out == "5\n")
    #expect(try await Tool.run(common + ["--extent-only"]).out.hasSuffix(",4326\n"))
    let json = try await Tool.run(common)
    let features = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
    let list = try #require(features?["features"] as? [[String: Any]])
    #expect(list.count == 5)
    #expect(list.allSatisfy { $0["geometry"] is [String: Any] })
    #expect(try await Tool.run(common + ["--format", "ndjson"]).out.split(separator: "\n").count == 5)
    let csv = try await Tool.run(common + ["--format", "csv", "--no-geometry", "--out-fields", "NAME"])
    #expect(csv.out.hasPrefix("OBJECTID,NAME\n1238,Baraga\n"))
    let text = try await Tool.run(common + ["--format", "text", "--out-fields", "NAME"])
    #expect(text.out.hasPrefix("   #  NAME\n----  "), "\(text.out)")
  }

  @Test("Output in another spatial reference or with fewer vertices is a source with the same features")
  func references() async throws {
    let folder = try ScratchFolder()
    let box = ["--extent", "-90,40,-85,45,4326"]
    let count = try await Tool.run(["count", Tool.counties, "--layer", "Counties"] + box).out
    func written(_ file: String, _ options: String...) async throws -> String {
      let path = folder.path(file)
      let run = try await Tool.run(
        ["query", Tool.counties] + Self.counties + ["-o", path] + options)
      #expect(run.code == 0, "\(run.err)")
      #expect(run.out == "", "\(run.err)")
      return path
    }
    let plain = try await written("plain.json")
    let albers = try await written("albers.json", "--out-wkid", "5070")
    #expect(try String(contentsOfFile: albers, encoding: .utf8).contains("urn:ogc:def:crs:EPSG::5070"))
    #expect(try await Tool.run(["count", albers] + box).out == count)
    let coarse = try await written("coarse.json", "--max-offset", "0.1")
    let sizes = try [plain, coarse].map { try Data(contentsOf: URL(fileURLWithPath: $0)).count }
    #expect(sizes[1] < sizes[0] * 2 / 3)
    var sides: [[Double]] = []
    for file in [plain, coarse] {
      let extent = try await Tool.run(["query", file, "--extent-only"]).out
      sides.append(extent.split(separator: ",").compactMap { Double($0) })
    }
    #expect(zip(sides[0], sides[1]).allSatisfy { abs($0 - $1) <= 0.1 })
    let metres = try await run("query", "--extent-only", "--out-wkid", "3857")
    #expect(metres.out.hasSuffix(",3857\n"))
    let csv = try await run("query", "--format", "csv", "--out-wkid", "3857", "--max-features", "1")
    #expect(csv.out.contains("WKT"), "\(csv.out.prefix(400))")
    #expect(csv.out.contains("POLYGON ((-1"), "\(csv.out.prefix(400))")
  }

  @Test("The output of query is a source with the same count", arguments: ["geojson", "ndjson", "csv"])
  func answersAreSources(format: String) async throws {
    let folder = try ScratchFolder()
    let file = folder.path("answer.\(format == "geojson" ? "json" : format)")
    let written = try await run("query", "--format", format, "-o", file)
    #expect(written.code == 0)
    #expect(written.out == "")
    let box = ["--extent", "-90,40,-85,45,4326"]
    let original = try await Tool.run(["count", Tool.counties, "--layer", "Counties"] + box)
    #expect(try await Tool.run(["count", file] + box).out == original.out)
    #expect(original.out != "0\n")
  }
}
