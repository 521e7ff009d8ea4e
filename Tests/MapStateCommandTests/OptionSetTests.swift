import ArgumentParser
import Foundation
import MapState
import MapStateCommand
import MapTestSupport
import Testing

/// Counts, funnels, ids and images agree for generated sets of options.
@Suite("Sets of options")
struct OptionSetTests {
  /// A set of options for `count` and `query` over a source whose layer `L` is queried.
  private struct Options {
    var arguments: [String] = []
    /// Options of the query only, which do not affect drawing.
    var question: [String] = []
    var names: Set<String> = []
  }

  private static let sources = ["viewpoint.json", "rotated.json", "plain.json", "points.geojson"]

  /// 240 points around the antimeridian, 60 lines and 60 areas, of two kinds and one day each.
  private static func write(to folder: ScratchFolder) throws {
    var random = SeededGenerator(seed: 19)
    func number(_ range: ClosedRange<Double>) -> Double {
      (Double.random(in: range, using: &random) * 1000).rounded() / 1000
    }
    func feature(_ id: Int, _ geometry: String) -> String {
      """
      {"type":"Feature","id":\(id),"properties":{"n":\(id % 37),"kind":"\(id % 3 == 0 ? "a" : "b")",\
      "day":"2020-01-\(id % 28 < 9 ? "0" : "")\(id % 28 + 1)T12:00:00Z"},"geometry":\(geometry)}
      """
    }
    func collection(_ features: [String]) -> String {
      #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",\n") + "]}"
    }
    let points = (1...240).map { id in
      feature(id, #"{"type":"Point","coordinates":[\#(number(150...200)),\#(number(-60...60))]}"#)
    }
    let lines = (1...60).map { id in
      let (x, y) = (number(150...195), number(-60...60))
      return feature(
        id,
        #"{"type":"LineString","coordinates":[[\#(x),\#(y)],[\#(x + number(1...5)),\#(y + number(-4...4))]]}"#
      )
    }
    let areas = (1...60).map { id in
      let (x, y, w, h) = (number(150...195), number(-60...60), number(1...6), number(1...6))
      return feature(
        id,
        #"{"type":"Polygon","coordinates":[[[\#(x),\#(y)],[\#(x + w),\#(y)],[\#(x + w),\#(y + h)],[\#(x),\#(y)]]]}"#
      )
    }
    try folder.write(collection(points), to: "points.geojson")
    try folder.write(collection(lines), to: "lines.geojson")
    try folder.write(collection(areas), to: "areas.geojson")
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[165,-30],[190,-35],[195,40],[160,30],[165,-30]]]}"#,
      to: "area.json")
    func layer(_ title: String, _ symbol: String) -> String {
      """
      {"id":"\(title.lowercased())","title":"\(title)","layerType":"GeoJSON","url":"\(title.lowercased()).geojson",
       "layerDefinition":{"definitionExpression":"n > 4","timeInfo":{"startTimeField":"day"},
        "displayFilterInfo":{"filterMode":"manual","activeFilterId":"A",
         "filters":[{"id":"A","title":"A","where":"kind = 'b'"}]},
        "drawingInfo":{"renderer":{"type":"uniqueValue","field1":"n","defaultSymbol":\(symbol),
         "uniqueValueInfos":[{"value":"7","symbol":\(symbol)}]}}}}
      """
    }
    let line = #"{"type":"esriSLS","style":"esriSLSSolid","color":[40,40,40,255],"width":2}"#
    let layers = [
      layer(
        "Areas", #"{"type":"esriSFS","style":"esriSFSSolid","color":[90,160,90,255],"outline":\#(line)}"#),
      layer("Lines", line),
      layer("Points", #"{"type":"esriSMS","style":"esriSMSCircle","color":[200,30,30,255],"size":9}"#),
    ].joined(separator: ",\n")
    for (name, rotation) in [("viewpoint", 0), ("rotated", 30)] {
      try folder.write(
        """
        {"version":"2.31","operationalLayers":[\(layers)],"initialState":{"timeExtent":[1577836800000,1579392000000],
         "viewpoint":{"rotation":\(rotation),"targetGeometry":{"xmin":160,"ymin":-20,"xmax":190,"ymax":30,
         "spatialReference":{"wkid":4326}}}}}
        """, to: "\(name).json")
    }
    try folder.write("{\"version\":\"2.31\",\"operationalLayers\":[\(layers)]}", to: "plain.json")
  }

  private static func options(_ source: String, _ random: inout SeededGenerator) -> Options {
    var options = Options()
    let layer =
      source.hasSuffix(".geojson")
      ? "points" : ["Points", "Lines", "Areas"].randomElement(using: &random) ?? ""
    func flip(_ chance: Double) -> Bool { Double.random(in: 0..<1, using: &random) < chance }
    func add(_ name: String, _ value: String?, question: Bool = false) {
      let words = [name] + (value.map { [$0] } ?? [])
      options.arguments += words
      if question { options.question += words }
      options.names.insert(name)
    }
    func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
    if !source.hasSuffix(".geojson") { add(flip(0.2) ? "--only" : "--layer", layer) }
    if flip(0.3) { add("--size", pick(["300x200", "200x240", "97x61"])) }
    if flip(0.15) { add("--pixel-ratio", pick(["2", "1.5"])) }
    if flip(0.2) { add("--filters", pick(["document", "none", "definition", "display"])) }
    if flip(0.2) {
      let sql = pick(["n > 9", "kind = 'a'", "n BETWEEN 3 AND 30"])
      add("--definition", flip(0.5) ? "\(layer): \(sql)" : sql)
    }
    if flip(0.2) { add("--display-filter", pick(["n < 30", "kind = 'b'", "n <> 12"])) }
    // --hide contradicts --only.
    if flip(0.1), !options.names.contains("--only") { add("--hide", layer) }
    if flip(0.1) { add("--show", layer) }
    if flip(0.08) { add("--reference", pick(["4326", "3857"])) }
    if flip(0.2) {
      add("--where", pick(["n > 6", "kind = 'b' OR n < 9", "n IN (5, 6, 7, 8, 9, 10, 20)"]), question: true)
    }
    if flip(0.2) {
      add("--cql2", pick(["n >= 6", #"{"op":"<","args":[{"property":"n"},31]}"#]), question: true)
      if flip(0.5) { add("--property-case", pick(["insensitive", "sensitive"]), question: true) }
    }
    if flip(0.15) {
      add("--time", pick(["2020-01-03/2020-01-20", "../2020-01-15", "2020-01-05/.."]), question: true)
    }
    let hasGeometry = flip(0.2)
    if hasGeometry {
      add("--geometry", "area.json", question: true)
      if flip(0.5) {
        add(
          "--relation", pick(["intersects", "contains", "envelope-intersects", "disjoint"]), question: true)
      }
    }
    let box = pick([
      "155,-40,180,50", "170,-50,-170,50", "160,-30,195,40,4326", "17800000,-4000000,21000000,6000000,3857",
    ])
    switch Int.random(in: 0..<7, using: &random) {
    case 0: add("--bounds", box)
    case 1: add("--extent", box)
    case 2:
      add("--bounds", box)
      add("--in-view", nil)
    case 3:
      add("--viewpoint", pick(["0,178,150000000", "10,172,90000000,20", "-15,-179,60000000"]))
    case 4:
      add("--fit", layer)
      if flip(0.5) { add("--padding", pick(["0", "20"])) }
    case 5: add("--in-view", nil)
    default: if flip(0.5) { add("--everywhere", nil) }
    }
    return options
  }

  @Test("Random option sets give counts that agree with funnels, ids and painted features")
  func sets() async throws {
    let folder = try ScratchFolder()
    try Self.write(to: folder)
    var random = SeededGenerator(seed: 500)
    var (uses, sets, partial, inView) = ([String: Int](), 0, 0, 0)
    while sets < 500 {
      let source = Self.sources[sets % Self.sources.count]
      var options = Self.options(source, &random)
      options.arguments = options.arguments.map { $0 == "area.json" ? folder.path($0) : $0 }
      options.question = options.question.map { $0 == "area.json" ? folder.path($0) : $0 }
      // The parser accepts both orders; shuffling words would separate names from values.
      let arguments = [folder.path(source)] + options.arguments
      sets += 1
      for name in options.names { uses[name, default: 0] += 1 }
      let comment: Comment = "\(source) \(options.arguments.joined(separator: " "))"

      let count = try CountCommand.parse(arguments)
      let asked = try await count.question.ask(count.map, .all, .all)
      let counted = try #require(try await count.answer(asked).layers.last, comment)

      let funnelled = try CountCommand.parse(arguments + ["--funnel"])
      let view = try await funnelled.question.ask(funnelled.map, .all, .all, needsView: true)
      let funnel = try #require(try await funnelled.answer(view).layers.last?.funnel, comment)
      #expect(funnel.extent == counted.count, comment)
      #expect(funnel.total >= funnel.definition, comment)
      #expect(funnel.definition >= funnel.extent, comment)

      let query = try QueryCommand.parse(arguments + ["--ids"])
      let listed = try await query.question.ask(query.map, .all, .single)
      let ids = try await listed.view.features(of: listed.layer, listed.question).objectIDs
      #expect(Set(ids).count == ids.count, comment)
      #expect(ids.count == counted.count, comment)
      if counted.count > 0, counted.count < funnel.total { partial += 1 }

      guard view.question.area == .view else {
        #expect(funnel.edge == nil, comment)
        continue
      }
      inView += 1
      // Painted rows that pass the query's own filters. Each has an item in the display list.
      let layer = view.layer
      let drawing = try await view.view.drawing(of: layer, index: view.layers[0])
      let painted = Set(drawing.painted)
      #expect(painted.isSubset(of: Set(drawing.layer.paintedRows)), comment)
      let passing = try CountCommand.parse(
        [folder.path(source), "--everywhere", "--layer", layer.name] + options.question)
      var anywhere = try await passing.question.ask(passing.map, .all, .single).question
      anywhere.area = .everywhere
      let known = Set(try await view.view.features(of: layer, anywhere, hasGeometry: false).rows)
      #expect(painted.intersection(known).count == funnel.drawn + (funnel.edge ?? -1), comment)
    }
    #expect(sets == 500)
    #expect(partial >= 300, "\(partial) sets with 0 < count < total")
    #expect(inView >= 150, "\(inView) sets in a view")
    let options = [
      "--layer", "--only", "--size", "--pixel-ratio", "--viewpoint", "--fit", "--padding", "--reference",
      "--filters", "--definition", "--display-filter", "--time", "--hide", "--show", "--bounds", "--extent",
      "--in-view", "--everywhere", "--where", "--cql2", "--property-case", "--geometry", "--relation",
    ]
    for name in options { #expect(uses[name] ?? 0 >= 20, "\(name) stands in \(uses[name] ?? 0) sets") }
  }
}

extension DisplayLayer {
  /// The rows with an item.
  fileprivate var paintedRows: Set<Int> {
    var rows: Set<Int> = []
    for batch in batches {
      switch batch {
      case .markers(let batch): rows.formUnion(batch.row.map { Int($0) })
      case .paths(let batch): rows.formUnion(batch.row.map { Int($0) })
      case .shapes(let batch): rows.formUnion(batch.row.map { Int($0) })
      default: break
      }
    }
    return rows
  }
}
