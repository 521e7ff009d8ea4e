import ArgumentParser
import Foundation
import MapGeometry
import MapJSON
import MapScript
import MapSnapshots
import MapStateCommand
import MapSystem
import MapTestSupport
import Testing

/// Options, steps and snapshot cases accept the same values under the same names.
@Suite("Requests")
struct RequestTableTests {
  private static func parsed(_ example: RequestExample, _ option: String) throws -> CountCommand {
    let words = ["map.json"] + example.options + [option] + [example.text].compactMap { $0 }
    return try CountCommand.parse(words)
  }

  @Test("Each field of a view has one value as an option, a step field and a case key")
  func views() throws {
    try #require(RequestExample.views.map(\.name) == ViewRequest.names)
    var walked = 0
    for (field, example) in zip(ViewRequest.fields, RequestExample.views) {
      let command = try Self.parsed(example, field.option)
      // In a count, the condition is that of the question.
      let conditions =
        field.name == "where"
        ? try ConditionOptions.parse([field.option] + [example.text].compactMap { $0 }).conditions : []
      let expected = command.map.request(
        bounds: command.question.request(time: nil).bounds, zoom: command.zoom.value,
        conditions: conditions)
      #expect(expected != ViewRequest(), "\(field.name)")
      for form in example.forms {
        let member = "\(example.members)\"\(field.name)\": \(form)"
        let step = JSONNode(try JSONValue(parsing: #"{"step": "open", "source": "a", \#(member)}"#))
        try SessionStep.open.check(step)
        #expect(try ViewRequest(step) == expected, "\(member)")
        let json = try JSONValue(parsing: #"{"document": "a", \#(member)}"#)
        #expect(try SnapshotCase(json, folder: ".", name: "case").request() == expected, "\(member)")
        walked += 1
      }
    }
    #expect(walked == 53)
  }

  @Test("Each field of a layout has one value as an option and as a field of the step open")
  func layouts() throws {
    try #require(RequestExample.layouts.map(\.name) == LayoutRequest.names)
    var walked = 0
    for (field, example) in zip(LayoutRequest.fields, RequestExample.layouts) {
      let options = try LayoutOptions.parse([field.option] + [example.text].compactMap { $0 })
      #expect(options.request != LayoutRequest(), "\(field.name)")
      // A template gives each value that an option leaves.
      #expect(LayoutRequest().filled(from: options.request) == options.request, "\(field.name)")
      for form in example.forms {
        let member = "\"\(field.name)\": \(form)"
        let step = JSONNode(try JSONValue(parsing: #"{"step": "open", "source": "a", \#(member)}"#))
        try SessionStep.open.check(step)
        #expect(try LayoutRequest(step) == options.request, "\(member)")
        walked += 1
      }
    }
    #expect(walked == 19)
    let corner = try LayoutRequest(JSONNode(JSONValue(parsing: #"{"legend": "top-left"}"#)))
    #expect(try LayoutOptions.parse(["--legend", "top-left"]).request == corner)
    for (words, isDrawn) in [("--attribution", true), ("--no-attribution", false)] {
      let read = try LayoutRequest(JSONNode(JSONValue(parsing: "{\"attribution\": \(isDrawn)}")))
      #expect(try LayoutOptions.parse([words]).request == read && read.attribution == isDrawn)
    }
    #expect(throws: (any Error).self) { try LayoutOptions.parse(["--attribution", "a", "--no-attribution"]) }
    for word in ["--legend=middle", "--scale-bar=metre", "--legend="] {
      #expect(throws: MapStateError.self) { try LayoutOptions.check([word]) }
    }
    try LayoutOptions.check(["--legend=right", "--scale-bar=both", "--legend", "x.json"])
  }

  @Test("Each field of a drawing has one value as an option, a step field and, but for three, a case key")
  func drawings() throws {
    try #require(RequestExample.drawings.map(\.name) == DrawingRequest.names)
    var walked = 0
    for (field, example) in zip(DrawingRequest.fields, RequestExample.drawings) {
      let options = try DrawingOptions.parse([field.option] + [example.text].compactMap { $0 })
      let expected = options.request
      // The option has a default, and a step without the field keeps that of the document.
      let usual = field.name == "missingTiles" ? "" : #""missingTiles": "blank", "#
      let plain = try JSONNode(JSONValue(parsing: #"{"missingTiles": "blank"}"#))
      #expect(try expected != DrawingRequest(plain), "\(field.name)")
      for form in example.forms {
        let member = "\(usual)\"\(field.name)\": \(form)"
        let step = JSONNode(try JSONValue(parsing: #"{"step": "open", "source": "a", \#(member)}"#))
        try SessionStep.open.check(step)
        let read = try DrawingRequest(step)
        #expect(read == expected, "\(member)")
        #expect(
          SnapshotCase.keys.contains(field.name) != ["aggregate", "font", "painter"].contains(field.name))
        walked += 1
      }
    }
    #expect(walked == 12)
    for member in [#""basemap": "arcGISTopografic""#, #""background": "x""#, #""painter": "slow""#] {
      let step = JSONNode(try JSONValue(parsing: #"{"step": "open", \#(member)}"#))
      #expect(throws: MapStateError.self) { try DrawingRequest(step) }
    }
  }

  @Test("Each field of a question has one value as an option, a step field and a key of a case's statistics")
  func questions() throws {
    try #require(RequestExample.questions.map(\.name) == QuestionRequest.names)
    var walked = 0
    for (field, example) in zip(QuestionRequest.fields, RequestExample.questions) {
      let command = try Self.parsed(example, field.option)
      let expected = command.question.request(time: command.map.request(bounds: nil).time)
      #expect(expected != QuestionRequest(), "\(field.name)")
      for form in example.forms {
        let member = "\(example.members)\"\(field.name)\": \(form)"
        for kind in [SessionStep.count, .statistics, .query, .select, .expect] {
          let step = JSONNode(try JSONValue(parsing: #"{"step": "\#(kind.rawValue)", \#(member)}"#))
          try kind.check(step)
          #expect(try QuestionRequest(step) == expected, "\(member)")
        }
        let json = try JSONValue(
          parsing: """
            {"document": "a", "expect": {"statistics": [{"layer": "a", "statistic": "sum:n", "value": 1, \(member)}]}}
            """)
        let snapshot = try SnapshotCase(json, folder: ".", name: "case")
        #expect(snapshot.expectations.map(\.request) == [expected], "\(member)")
        walked += 1
      }
    }
    #expect(walked == 17)
  }

  @Test("Each field of a style has one value as an option, a step field and a case key")
  func styles() throws {
    try #require(RequestExample.styles.map(\.name) == StyleRequest.names)
    var walked = 0
    for (field, example) in zip(StyleRequest.fields, RequestExample.styles) {
      let words = example.options + [field.option] + [example.text].compactMap { $0 }
      let expected = try StyleOptions.parse(words).request
      #expect(expected != StyleRequest(), "\(field.name)")
      for form in example.forms {
        let member = "\(example.members)\"\(field.name)\": \(form)"
        let step = JSONNode(try JSONValue(parsing: #"{"step": "open", "source": "a", \#(member)}"#))
        try SessionStep.open.check(step)
        #expect(try StyleRequest(step) == expected, "\(member)")
        let json = try JSONValue(parsing: #"{"document": "a", \#(member)}"#)
        #expect(try SnapshotCase(json, folder: ".", name: "case").style() == expected, "\(member)")
        let inMap = try JSONValue(parsing: #"{"map": {}, \#(member)}"#)
        #expect(throws: (any Error).self) { try SnapshotCase(inMap, folder: ".", name: "case") }
        walked += 1
      }
    }
    #expect(walked == 36)
  }

  @Test(
    "A style value of another type is an error with its path",
    arguments: [
      (#""colorBy": []"#, "$.colorBy: expected a text, or several"), (#""colorBy": 5"#, "$.colorBy"),
      (#""colorBy": "n", "classes": "x""#, "$.classes"), (#""colorBy": "n", "breaks": ["a: x"]"#, "$.breaks"),
      (#""colorBy": "n", "edges": "uper""#, "$.edges"), (#""symbol": ["a: redd"]"#, "$.symbol"),
    ])
  func wrongStyles(members: String, message: String) throws {
    let json = JSONNode(try JSONValue(parsing: "{\(members)}"))
    let failure = #expect(throws: MapStateError.self) { try StyleRequest(json) }
    #expect(failure?.description.contains(message) == true, "\(String(describing: failure))")
  }

  @Test("Each field of a style takes values for layers by name, in options, steps and cases")
  func stylesOfLayers() throws {
    var walked = 0
    for (field, example) in zip(StyleRequest.fields, RequestExample.styles) {
      let text = try #require(example.text)
      let own = try StyleOptions.parse(example.options + [field.option, text]).request
      // A field that is needed is given for the layer, too.
      let options = example.options.enumerated().map { $0 % 2 == 1 ? "Main Roads: \($1)" : $1 }
      let words = options + [field.option, "Main Roads: \(text)", field.option, "Paths: \(text)"]
      let request = try StyleOptions.parse(words + options.map { $0.replacing("Main Roads", with: "Paths") })
        .request
      #expect(
        request.ofLayers
          == [LayerStyle(name: "Main Roads", style: own), LayerStyle(name: "Paths", style: own)],
        "\(field.name)")
      func quoted(_ text: String) -> String { JSONValue.string(text).text() }
      func list(_ text: String) -> String {
        "[\(quoted("Main Roads: \(text)")), \(quoted("Paths: \(text)"))]"
      }
      var members = "\"\(field.name)\": \(list(text))"
      if let needed = example.options.last {
        let name = try #require(StyleRequest.fields.first { $0.option == example.options[0] }).name
        members += ", \"\(name)\": \(list(needed))"
      }
      let step = JSONNode(try JSONValue(parsing: #"{"step": "open", "source": "a", \#(members)}"#))
      try SessionStep.open.check(step)
      #expect(try StyleRequest(step) == request, "\(members)")
      let json = try JSONValue(parsing: #"{"document": "a", \#(members)}"#)
      #expect(try SnapshotCase(json, folder: ".", name: "case").style() == request, "\(members)")
      walked += 1
    }
    #expect(walked == 25)
  }

  @Test(
    "An expected count has one value as an option and in JSON",
    arguments: [("5", "5"), ("1..10", "\"1..10\"")])
  func expectations(text: String, form: String) throws {
    #expect(try Expectation(JSONNode(JSONValue(parsing: form))) == Expectation(text: text))
    #expect(try Expectation(text: text).description == text)
  }

  @Test(
    "A geometry in a step equals the same geometry in a file",
    arguments: [
      #"{"type": "Polygon", "coordinates": [[[0.5, -2], [6, -2], [6, 2], [0.5, -2]]]}"#,
      #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2, 3]}}"#,
      #"{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": null}, {"type": "Feature", "geometry": {"coordinates": [[1, 2], [3, 4]], "type": "LineString"}}]}"#,
      #"{"x": 1, "y": 2, "spatialReference": {"wkid": 3857}}"#,
    ])
  func geometries(text: String) throws {
    let folder = try ScratchFolder()
    let path = try folder.write(text, to: "g.json")
    let request = try QuestionRequest(JSONNode(JSONValue(parsing: "{\"geometry\": \(text)}")))
    guard case .geometry(let form)? = request.geometry else {
      Issue.record("\(text)")
      return
    }
    #expect(try QueryGeometry.file(path).read().form == form)
    #expect(try QueryGeometry.file("g.json").read(in: folder.root.path).form == form)
  }

  @Test("A misspelt name in a step or a case is an error with its path and the nearest name")
  func misspelt() throws {
    let step = JSONNode(try JSONValue(parsing: #"{"step": "open", "source": "a", "pixelratio": 2}"#))
    let wrongStep = #expect(throws: (any Error).self) { try SessionStep.open.check(step) }
    #expect("\(try #require(wrongStep))".contains("$.pixelratio"))
    #expect("\(try #require(wrongStep))".contains("did you mean \"pixelRatio\"?"))
    let json = try JSONValue(parsing: #"{"document": "a", "displayFilters": "n > 3"}"#)
    let wrongCase = #expect(throws: (any Error).self) { try SnapshotCase(json, folder: ".", name: "case") }
    #expect("\(try #require(wrongCase))".contains("did you mean \"displayFilter\"?"))
  }

  /// The commands, the steps of one session, and what both must answer.
  @Test("A session opened with the options of a command gives the same image and counts")
  func sessions() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let options = [
      "--size", "300x200", "--viewpoint", "0,3,20000000,20", "--layer", "Places", "--definition", "n < 6",
      "--display-filter", "Places: n <> 4", "--hide", "Square", "--time", "2020-01-02/..",
    ]
    let drawn = try await Tool.run(["render", map, "-o", folder.path("a.png")] + options)
    #expect(drawn.code == 0, "\(drawn)")
    let steps = [
      """
      {"step": "open", "source": "map.json", "size": "300x200", "viewpoint": "0,3,20000000,20", "layer": "Places",
       "definition": "n < 6", "displayFilter": ["Places: n <> 4"], "hide": "Square", "time": "2020-01-02/.."}
      """.replacing("\n", with: " "),
      #"{"step": "expect", "image": "a.png"}"#,
      #"{"step": "count", "layer": "Places", "expect": 6}"#,
      #"{"step": "count", "only": "Places", "where": "n > 1", "expect": "3..4"}"#,
      #"{"step": "count", "layer": "Places", "extents": ["-0.5,-1,1.5,1", [0.5, -1, 3.5, 1]]}"#,
      #"{"step": "expect", "layer": "Places", "where": "n > 1", "count": "4..4", "drawn": "1..4"}"#,
      #"{"step": "query", "only": "Places", "ids": true, "where": "n = 2", "outFields": "n"}"#,
      #"{"step": "statistics", "layer": "Places", "statistic": "sum:n", "groupBy": "kind"}"#,
      #"{"step": "visibility", "hide": ["Places"], "show": "Square"}"#,
      #"{"step": "filter", "layer": "Places", "filters": "none", "displayFilter": "n = 1"}"#,
      #"{"step": "viewpoint", "viewpoint": "0,3,20000000"}"#,
      #"{"step": "viewpoint", "bounds": "0,0,1,1"}"#,
    ]
    let run = try await Tool.run(["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    #expect(run.code == 0, "\(run)")
    let lines = run.out.split(separator: "\n").map(String.init)
    try #require(lines.count == steps.count)
    #expect(lines[4].hasPrefix(#"{"ok":true,"counts":[2,3]"#), "\(lines[4])")
    #expect(lines[6].hasPrefix(#"{"ok":true,"ids":[3]"#), "\(lines[6])")
    #expect(lines[7].contains(#"{"group":{"kind":"a"},"statistics":{"SUM_n":6}}"#), "\(lines[7])")
    let failing = [
      steps[0], #"{"step": "count", "layer": "Places", "expect": "7..9"}"#,
      #"{"step": "count", "layer": "Places", "bounds": [0, 0, 1, 1], "extent": [0, 0, 1, 1]}"#,
    ]
    let failed = try await Tool.run(
      ["run", "-"], input: failing.joined(separator: "\n"), folder: folder.root)
    #expect(failed.code == 1, "\(failed)")
    #expect(failed.err.contains("expected a count of 7..9, found 6"), "\(failed)")
    #expect(failed.err.contains("$.extent: \"bounds\" and \"extent\" are the same"), "\(failed)")
  }
}
