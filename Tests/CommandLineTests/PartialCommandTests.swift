import Foundation
import MapJSON
import MapImages
import MapTestSupport
import Testing

@Suite("partial and merge")
struct PartialCommandTests {
  private static let counties = """
    {"renderer": {"type": "classBreaks", "field": "unemployment_rate", "minValue": 0, "defaultLabel": "No data",
      "defaultSymbol": {"type": "esriSFS", "style": "esriSFSSolid", "color": [200, 200, 200, 255]},
      "classBreakInfos": [
        {"classMaxValue": 7, "label": "low", "symbol": {"type": "esriSFS", "style": "esriSFSSolid",
          "color": [70, 130, 180, 255], "outline": {"type": "esriSLS", "style": "esriSLSSolid",
          "color": [255, 255, 255, 255], "width": 1}}},
        {"classMaxValue": 99, "label": "high", "symbol": {"type": "esriSFS", "style": "esriSFSSolid",
          "color": [180, 40, 40, 255], "outline": {"type": "esriSLS", "style": "esriSLSSolid",
          "color": [255, 255, 255, 255], "width": 1}}}]}}
    """

  private static let faint = """
    {"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "style": "esriSMSCircle", "color": [200, 30, 30, 60],
      "size": 8}}}
    """

  @Test(
    "Counts, funnels, classes and statistics of four partitions equal those of the whole file, digit by digit",
    arguments: [
      (Tool.countyData, counties, "-125,24,-66,50", "unemployment_rate", "STATE"),
      (Tool.incidentData, Partitions.incidents, "-122.45,37.74,-122.4,37.8", "req_id", "req_type"),
    ])
  func numbers(source: String, renderer: String, bounds: String, field: String, group: String) async throws {
    let parts = try Partitions(source, at: [0.1, 0.3, 0.6], renderer: renderer)
    try await parts.ask(
      """
      {"document": "drawing.json", "bounds": "\(bounds)", "size": "300x200",
       "count": {"funnel": true, "byClass": true}, "statistics": {"statistic": ["all:\(field)", "count"],
       "groupBy": "\(group)", "everywhere": true}}
      """)
    let merged = try await parts.merge("--format", "json")
    #expect(merged.code == 0, "\(merged.err)")
    let json = try JSONValue(parsing: merged.out)
    let drawing = parts.folder.path("drawing.json")
    let count = try await Tool.run(
      "count", drawing, "--data", source, "--bounds", bounds, "--in-view", "--size", "300x200", "--funnel",
      "--by-class", "--format", "json")
    let whole = try JSONValue(parsing: count.out)
    #expect(json["count"]?["layers"]?.array?.first?["funnel"] == whole["layers"]?.array?.first?["funnel"])
    #expect(json["count"]?["layers"]?.array?.first?["classes"] == whole["layers"]?.array?.first?["classes"])
    #expect(json["count"]?["extent"] == whole["extent"])
    #expect((json["count"]?["layers"]?.array?.first?["count"]?.integer ?? 0) > 100)
    let statistics = try await Tool.run(
      "statistics", source, "--everywhere", "--statistic", "all:\(field)", "--statistic", "count",
      "--group-by",
      group, "--format", "json")
    let records = try #require(try JSONValue(parsing: statistics.out)["records"])
    #expect(json["statistics"]?["records"] == records)
    #expect((records.array ?? []).count > 5)
    #expect(json["partitions"] == 4)
  }

  @Test(
    "The image of partitions has the same bytes in every order, and nearly those of the whole file",
    arguments: [
      // Symbols without transparency; each symbol over another adds a rounding to 8 bits.
      (Tool.countyData, counties, "-125,24,-66,50", 2),
      (Tool.incidentData, Partitions.incidents, "-122.45,37.74,-122.4,37.8", 2),
      // A marker that is transparent keeps the roundings of those below.
      (Tool.incidentData, faint, "-122.45,37.74,-122.4,37.8", 4),
    ])
  func images(source: String, renderer: String, bounds: String, largest: Int) async throws {
    let parts = try Partitions(source, at: [0.25, 0.5, 0.75], renderer: renderer)
    try await parts.ask(
      #"{"document": "drawing.json", "bounds": "\#(bounds)", "size": "300x200", "image": true}"#)
    let image = parts.folder.path("merged.png")
    let run = try await parts.merge("-o", image)
    #expect(run.code == 0 && run.out == "", "\(run.err)")
    let again = try await Tool.run(
      ["merge", "--expect-partitions", "4", "--threads", "1", "-o", parts.folder.path("again.png")]
        + [2, 0, 3, 1].map { parts.folder.path("\($0).state") })
    #expect(again.code == 0)
    let bytes = try Data(contentsOf: parts.folder.url("merged.png"))
    #expect(bytes == (try Data(contentsOf: parts.folder.url("again.png"))))
    let whole = parts.folder.path("whole.png")
    let render = try await Tool.run(
      "render", parts.folder.path("drawing.json"), "--data", source, "--bounds", bounds, "--size", "300x200",
      "-o",
      whole)
    #expect(render.code == 0, "\(render.err)")
    let expected = try Bitmap(file: parts.folder.path("whole.png"))
    let found = try Bitmap(pngData: Array(bytes))
    let difference = zip(expected.pixels, found.pixels).map { abs(Int($0) - Int($1)) }
    #expect(difference.max() ?? 99 <= largest)
    // More than a rounding is rare in images without transparency.
    #expect(largest > 2 || difference.count { $0 > 1 } * 1000 < difference.count)
    #expect(Set(found.pixels).count > 20)
  }

  @Test("Partitions on standard input, extents and text")
  func text() async throws {
    let folder = try ScratchFolder()
    let question = try folder.write(
      #"{"count": {"extents": ["0,0,10,10", "0,0,30,30"]}, "statistics": {"statistic": "sum:a", "everywhere": true}}"#,
      to: "q.json")
    for (index, rows) in ["a,x,y\n1e16,5,5\n1,20,20\n", "a,x,y\n-1e16,40,40\n"].enumerated() {
      let run = try await Tool.run(
        ["partial", "-", "--question", question, "--ordinal", "\(index)", "-o", folder.path("\(index)")],
        input: rows)
      #expect(run.code == 0, "\(run.err)")
    }
    let run = try await Tool.run("merge", "--expect-partitions", "2", folder.path("0"), folder.path("1"))
    #expect(run.code == 0, "\(run.err)")
    #expect(run.out == "1\n2\nSUM_a\n-----\n    1\n")
  }

  @Test("A missing, repeated, foreign, damaged or other state is an error that names it")
  func wrongStates() async throws {
    let parts = try Partitions(Tool.incidentData, at: [0.5], renderer: Partitions.incidents)
    try await parts.ask(#"{"count": {}}"#)
    let (first, second) = (parts.folder.path("0.state"), parts.folder.path("1.state"))
    func expect(_ arguments: [String], _ text: String) async throws {
      let run = try await Tool.run(["merge", "--expect-partitions"] + arguments)
      #expect(run.code == 2 && run.out == "", "\(arguments)")
      #expect(run.errors.count == 1 && run.err.contains(text), "\(run.err)")
    }
    try await expect(["2", first], "1 of 2 partitions is missing: 1")
    try await expect(
      ["14", first, second], "12 of 14 partitions are missing: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …")
    try await expect(["2", first, second, first], "partition 0 is given twice")
    try await expect(["1", first, second], "is partition 1, but 1 partitions have the ordinals 0 to 0")
    let other = try parts.folder.write(#"{"count": {"where": "req_id < 0"}}"#, to: "other.json")
    let asked = try await Tool.run(
      "partial", parts.folder.path("1.geojson"), "--question", other, "--ordinal", "1", "-o",
      parts.folder.path("other.state"))
    #expect(asked.code == 0, "\(asked.err)")
    try await expect(["2", first, parts.folder.path("other.state")], "answers another question")
    // Every byte of a state is protected.
    let bytes = try Data(contentsOf: parts.folder.url("1.state"))
    for place in stride(from: 0, to: bytes.count, by: bytes.count / 12) {
      var changed = bytes
      changed[place] ^= 1
      let path = try parts.folder.write(changed, to: "changed.state")
      let run = try await Tool.run("merge", "--expect-partitions", "2", first, path)
      #expect(run.code == 2 && run.err.contains("changed.state: "), "byte \(place): \(run.err)")
    }
    var later = bytes
    later[8] = 4
    try await expect(
      ["2", first, try parts.folder.write(later, to: "later.state")],
      "has version 4 of the format, and this mapstate reads version 3")
    try await expect(
      ["2", first, try parts.folder.write(bytes.dropLast(), to: "cut.state")], "ends too early")
    try await expect(["2", first, Tool.incidentData], "is not a partial answer")
  }

  @Test(
    "Questions that depend on all rows are refused by name",
    arguments: [
      (#"{"statistics": {"statistic": "median:req_id"}}"#, "median of 'req_id' needs all values at once"),
      (#"{"statistics": {"statistic": "distinct:req_id"}}"#, "distinct of 'req_id' needs all values at once"),
      (#"{"image": true}"#, "\"image\" depends on all rows"),
      (#"{"fit": "0", "count": {}}"#, "\"fit\" depends on all rows"),
      (#"{"count": {"funnel": true}}"#, "\"funnel\" depends on all rows"),
      (#"{"count": {"inView": true}}"#, "\"inView\" depends on all rows"),
      (#"{"count": {"where": "req_date < CURRENT_TIMESTAMP"}}"#, "depends on the current time"),
      (#"{"count": {}, "colorBy": "X"}"#, "unknown key \"colorBy\""),
      (#"{"count": {"expect": 5}}"#, "unknown key \"expect\""),
      (#"{}"#, "the question asks nothing"),
      (
        #"{"image": true, "bounds": "0,0,1,1", "document": "labels.json"}"#, "labels depend on all rows"
      ),
      (
        #"{"image": true, "bounds": "0,0,1,1", "document": "order.json"}"#,
        "orders of drawing, here by \"req_id\", depend on all rows"
      ),
      (#"{"image": true, "bounds": "0,0,1,1", "document": "clusters.json"}"#, "clusters depend on all rows"),
      (
        #"{"count": {"funnel": true}, "bounds": "0,0,1,1", "document": "clusters.json"}"#,
        "clusters depend on all rows"
      ),
      (#"{"image": true, "bounds": "0,0,1,1", "document": "heat.json"}"#, "heat maps depend on all rows"),
      (#"{"image": true, "bounds": "0,0,1,1", "document": "dots.json"}"#, "dots depend on the row numbers"),
      (
        #"{"image": true, "bounds": "0,0,1,1", "document": "now.json"}"#,
        "\"IIf(Now() > 0, 1, 0)\" depends on the current time"
      ),
      (#"{"count": {}, "document": "other.json"}"#, "is neither a web map"),
      (#"{"count": {}, "document": "map.json"}"#, "is a web map, whose layers have data of their own"),
    ])
  func refusals(question: String, text: String) async throws {
    let folder = try ScratchFolder()
    try folder.write(
      """
      {"type": "Feature Layer", "name": "L", "drawingInfo": {"labelingInfo": [{"labelExpression": "[req_type]",
       "symbol": {"type": "esriTS", "color": [0, 0, 0, 255], "font": {"size": 9}}}]}}
      """, to: "labels.json")
    try folder.write(
      #"{"name": "L", "drawingInfo": {}, "orderBy": [{"field": "req_id", "order": "ascending"}]}"#,
      to: "order.json")
    try folder.write(
      #"{"name": "L", "drawingInfo": {}, "featureReduction": {"type": "cluster", "clusterRadius": 80}}"#,
      to: "clusters.json")
    try folder.write(
      """
      {"type": "heatmap", "field": "req_id", "minDensity": 0, "maxDensity": 1, "radius": 10,
       "colorStops": [{"ratio": 0, "color": [0, 0, 0, 0]}, {"ratio": 1, "color": [255, 0, 0, 255]}]}
      """, to: "heat.json")
    try folder.write(
      """
      {"type": "dotDensity", "dotValue": 1, "referenceScale": 0,
       "attributes": [{"field": "req_id", "color": [255, 0, 0, 255]}]}
      """, to: "dots.json")
    try folder.write(
      """
      {"type": "uniqueValue", "valueExpression": "IIf(Now() > 0, 1, 0)", "uniqueValueInfos": [
       {"value": "1", "symbol": {"type": "esriSMS", "style": "esriSMSCircle", "color": [0, 0, 0, 255], "size": 4}}]}
      """, to: "now.json")
    try folder.write(#"{"orderBy": []}"#, to: "other.json")
    try folder.write(#"{"operationalLayers": []}"#, to: "map.json")
    let path = try folder.write(question, to: "q.json")
    let run = try await Tool.run(
      "partial", Tool.incidentData, "--question", path, "--ordinal", "0", "-o", folder.path("0.state"))
    #expect(run.code == 2 && run.out == "", "\(run.err)")
    #expect(run.errors.count == 1 && run.err.contains(text), "\(run.err)")
    #expect(!(try folder.names().contains("0.state")))
  }

  @Test("Partitions whose fields have other types are an error that names the field")
  func types() async throws {
    let folder = try ScratchFolder()
    let question = try folder.write(#"{"count": {"where": "code = '05'"}}"#, to: "q.json")
    // The whole table has texts, and one row matches.
    for (index, rows) in ["code,x,y\n05,1,1\nA,2,2\n", "code,x,y\n5,3,3\n", "code,x,y\n"].enumerated() {
      let run = try await Tool.run(
        ["partial", "-", "--question", question, "--ordinal", "\(index)", "-o", folder.path("\(index)")],
        input: rows)
      #expect(run.code == (index == 1 ? 2 : 0), "\(run.err)")
    }
    try folder.write(#"{"count": {"where": "code IS NOT NULL"}}"#, to: "q.json")
    for (index, rows) in ["code,x,y\n05,1,1\nA,2,2\n", "code,x,y\n5,3,3\n", "code,x,y\n"].enumerated() {
      let run = try await Tool.run(
        ["partial", "-", "--question", question, "--ordinal", "\(index)", "-o", folder.path("\(index)")],
        input: rows)
      #expect(run.code == 0, "\(run.err)")
    }
    let run = try await Tool.run(
      ["merge", "--expect-partitions", "3"] + (0..<3).map { folder.path("\($0)") })
    #expect(run.code == 2 && run.out == "")
    #expect(run.err.contains("the field \"code\" is text in "), "\(run.err)")
  }

  @Test("Two states with equal answers are a warning")
  func equalAnswers() async throws {
    let parts = try Partitions(Tool.incidentData, at: [], renderer: Partitions.incidents)
    try await parts.ask(#"{"count": {}}"#)
    let twice = try await Tool.run(
      "partial", parts.folder.path("0.geojson"), "--question", parts.folder.path("question.json"),
      "--ordinal", "1",
      "-o", parts.folder.path("1.state"))
    #expect(twice.code == 0)
    let run = try await Tool.run(
      "merge", "--expect-partitions", "2", parts.folder.path("0.state"), parts.folder.path("1.state"),
      "--strict")
    #expect(run.code == 1 && run.out == "40000\n" && run.err.contains("have equal answers"), "\(run.err)")
  }
}
