import Foundation
import MapStateCommand
import MapTestSupport
import Testing

/// No option is without effect in silence: an option that cannot apply is an error, or a warning that names it.
@Suite("Reports: options without effect")
struct OptionEffectTests {
  /// The behaviour of an option where it has nothing to act on.
  private enum Rule {
    /// Complains: these words, added to the words of a command, are an error or cause a warning with the option's name.
    case complains([String])
    /// Refuses: these words are an error with this text.
    case refuses([String], String)
    /// Applies to every source, or states a limit, a permission or a wish that the source may fulfil already.
    case always
  }

  /// The words of each command before the options: on plain points without time, dates and text other than `kind`.
  private static let bases: [String: [String]] = [
    "render": ["points.geojson", "-o", "out.png"],
    "series": ["points.geojson", "--by", "points", "-o", "{n}.png"],
    "legend": ["points.geojson", "-o", "out.png"],
    "tiles": ["points.geojson", "-o", "tiles", "--zoom", "0", "--bounds", "-10,-10,10,10"],
    "count": ["points.geojson"],
    "statistics": ["points.geojson", "--statistic", "count"],
    "query": ["points.geojson"],
    "explain": ["points.geojson", "--id", "1"],
    "filter": ["n > 1", "--to", "sql"],
    "inspect": ["points.geojson"],
    "lint": ["points.geojson"],
    "convert": ["points.geojson", "-o", "out.json"],
    "diff": ["points.geojson", "points.geojson"],
    "run": ["steps.run"],
    "mcp": ["."],
    "partial": ["points.geojson", "--question", "q.json", "--ordinal", "0", "-o", "0.state"],
    "merge": ["--expect-partitions", "1", "count.state"],
    "snapshot verify": ["cases"],
    "snapshot record": ["cases", "--all"],
    "snapshot accept": ["cases", "--all"],
    "snapshot reject": ["cases", "--all"],
    "snapshot generate": ["map.json", "made"],
    "snapshot coverage": ["cases"],
  ]

  /// The rule of each option; of commands that differ, first.
  private static let rules: [(options: String, commands: String, rule: Rule)] = [
    // Views.
    ("--size", "count statistics query", .complains(["--size", "300x200"])),
    ("--size", "tiles", .complains(["--size", "300x200"])),
    ("--size", "", .always),
    ("--for", "count statistics query tiles", .complains(["--for", "projector"])),
    ("--for", "render series", .complains(["-o", "out.pdf", "--for", "print"])),
    ("--for", "", .always),
    ("--pixel-ratio", "count statistics query convert", .complains(["--pixel-ratio", "2"])),
    ("--pixel-ratio", "render", .complains(["-o", "out.svg", "--pixel-ratio", "2"])),
    ("--pixel-ratio", "series", .complains(["-o", "{n}.pdf", "--pixel-ratio", "2"])),
    ("--pixel-ratio", "", .always),
    ("--viewpoint", "count statistics query", .complains(["--viewpoint", "0,0,1000000", "--everywhere"])),
    ("--viewpoint", "series tiles", .complains(["--viewpoint", "0,0,1000000"])),
    ("--viewpoint", "", .complains(["--viewpoint", "0,0,1000000", "--fit", "points"])),
    ("--fit", "count statistics query", .complains(["--fit", "points", "--everywhere"])),
    ("--fit", "series tiles", .complains(["--fit", "points"])),
    ("--fit", "", .complains(["--fit", "points", "--bounds", "0,0,1,1"])),
    ("--padding", "count statistics query tiles", .complains(["--padding", "5"])),
    ("--padding", "", .complains(["--padding", "5", "--viewpoint", "0,0,1000000"])),
    ("--rotation", "count statistics query tiles", .complains(["--rotation", "5"])),
    ("--rotation", "", .always),
    ("--bounds", "count statistics query", .complains(["--bounds", "0,0,1,1", "--everywhere"])),
    ("--bounds", "series", .complains(["--bounds", "0,0,1,1"])),
    (
      "--bounds", "render legend explain convert",
      .complains(["--bounds", "0,0,1,1", "--viewpoint", "0,0,1000000"])
    ),
    ("--bounds --extent", "diff tiles", .always),
    ("--reference", "tiles", .complains(["--reference", "4326"])),
    ("--reference --in-view --everywhere", "", .always),
    // Layers.
    (
      "--layer", "render legend tiles convert",
      .complains(["map.json", "--layer", "Places"])
    ),
    ("--layer", "filter", .complains(["--layer", "points"])),
    ("--layer --only", "", .always),
    ("--hide", "count statistics query", .complains(["--hide", "points"])),
    ("--show", "count statistics query", .complains(["--show", "points"])),
    ("--hide --show", "", .always),
    ("--skip-unavailable", "", .always),
    // Filters.
    ("--filters --definition --where --cql2 --now --object-ids", "", .always),
    ("--display-filter", "count statistics query", .complains(["--display-filter", "n > 1"])),
    ("--display-filter", "", .always),
    ("--time", "", .complains(["--time", "2020-01-01"])),
    ("--property-case", "", .complains(["--property-case", "insensitive"])),
    ("--geometry", "", .always),
    ("--relation", "", .complains(["--relation", "contains"])),
    // Files and services.
    ("--data", "filter run", .always),
    ("--data", "", .complains(["--data", "points.geojson"])),
    ("--source-reference --x --y --encoding --delimiter --decimal", "filter run", .always),
    ("--source-reference", "", .complains(["table.csv", "--source-reference", "3857"])),
    ("--x", "", .complains(["--x", "n"])),
    ("--y", "", .complains(["--y", "n"])),
    ("--encoding", "", .complains(["points.fgb", "--encoding", "latin1"])),
    ("--tile-zoom", "filter run", .always),
    ("--tile-zoom", "", .complains(["--tile-zoom", "3"])),
    ("--properties --geometry-type --state", "explain", .always),
    ("--tiles", "filter run", .always),
    ("--tiles", "", .complains(["--tiles", "tiles.pmtiles"])),
    ("--ids-of", "", .refuses(["--ids-of", "points"], "is no layer with a style")),
    ("--at", "explain", .refuses(["--at", "1,1"], "--at is for styles")),
    ("--delimiter", "", .refuses(["points.fgb", "--delimiter", ";"], "it is for CSV")),
    ("--decimal", "", .refuses(["points.fgb", "--decimal", ","], "it is for CSV")),
    (
      "--skip-bad-rows --allow-path --services --allow-http --allow-private --allow-host --deny-host --max-download --portal",
      "", .always
    ),
    ("--join", "", .always),
    ("--join-first", "", .complains(["--join-first"])),
    ("--record", "", .complains(["--record", "new", "--replay", "old"])),
    ("--replay --explain", "", .always),
    ("--resume", "", .complains(["--resume"])),
    ("--online", "", .complains(["--online", "--offline"])),
    ("--offline", "", .complains(["--offline", "--online"])),
    // Messages and limits.
    ("--strict --quiet --timeout --max-memory --threads --jobs --help --version", "", .always),
    // Output.
    ("--output --format --json --report-dir --report --describe --watch", "", .always),
    ("--dpi", "render", .complains(["-o", "out.pdf", "--dpi", "192"])),
    ("--dpi", "series", .complains(["-o", "{n}.svg", "--dpi", "192"])),
    ("--list-labels", "", .complains(["--list-labels"])),
    ("--save-document", "", .always),
    ("--world-file", "", .complains(["-o", "out.svg", "--world-file"])),
    ("--svg-text", "", .complains(["--svg-text"])),
    ("--svg-ids", "", .complains(["--svg-ids"])),
    ("--image-base", "", .complains(["--image-base", "https://example.org"])),
    ("--summary", "", .complains(["--summary", "markdown"])),
    ("--embed-images", "", .complains(["--embed-images"])),
    ("--address", "", .complains(["--address", "https://example.org"])),
    ("--glyphs", "", .complains(["--glyphs", "https://example.org/{fontstack}/{range}.pbf"])),
    // Drawing.
    ("--background", "legend", .complains(["-o", "out.json", "--background", "red"])),
    ("--background", "render", .complains(["--background", "red", "--basemap", "arcGISOceans"])),
    ("--basemap", "", .complains(["--basemap", "arcGISOceans", "--no-basemap"])),
    ("--basemap-language", "", .complains(["--basemap-language", "fi"])),
    ("--no-basemap --basemap-names --graticule", "", .always),
    (
      "--aggregate", "render",
      .refuses(["areas.geojson", "--aggregate", "hexagon"], "only points can be counted in cells")
    ),
    (
      "--aggregate", "series",
      .refuses(
        ["areas.geojson", "--by", "areas", "--aggregate", "hexagon"], "only points can be counted in cells")
    ),
    ("--missing-tiles", "", .complains(["--missing-tiles", "warn"])),
    ("--font", "explain legend", .always),
    ("--font", "", .complains(["--font", "font.ttf"])),
    ("--painter", "", .complains(["-o", "out.svg", "--painter", "reference"])),
    // Style.
    ("--style", "count", .complains(["--style", "a.sld"])),
    ("--style", "series", .complains(["map.json", "--by", "Places", "--style", "a.sld"])),
    ("--style", "", .complains(["map.json", "--style", "a.sld"])),
    ("--color-by", "count", .complains(["--color-by", "n"])),
    ("--color-by", "series", .complains(["map.json", "--by", "Places", "--color-by", "n"])),
    ("--color-by", "", .complains(["map.json", "--color-by", "n"])),
    ("--normalize-by", "", .complains(["--normalize-by", "n"])),
    ("--cross-by", "", .complains(["--cross-by", "n"])),
    ("--classes", "", .complains(["--classes", "3"])),
    ("--method", "", .complains(["--method", "quantile"])),
    ("--breaks", "", .complains(["--breaks", "1,2"])),
    ("--edges", "", .complains(["--edges", "lower"])),
    ("--midpoint", "", .complains(["--midpoint", "1"])),
    ("--ramp", "", .complains(["--ramp", "viridis"])),
    ("--colors", "", .complains(["--colors", "red,blue"])),
    ("--hatch", "", .complains(["--hatch", "black"])),
    ("--symbol", "series", .complains(["map.json", "--by", "Places", "--symbol", "red"])),
    ("--symbol", "", .complains(["map.json", "--symbol", "red"])),
    ("--opacity", "series", .complains(["map.json", "--by", "Places", "--opacity", "0.5"])),
    ("--opacity", "", .complains(["map.json", "--opacity", "0.5"])),
    ("--outline", "series", .complains(["map.json", "--by", "Places", "--outline", "red"])),
    ("--outline", "", .complains(["map.json", "--outline", "red"])),
    ("--outline-width", "series", .complains(["map.json", "--by", "Places", "--outline-width", "2"])),
    ("--outline-width", "", .complains(["map.json", "--outline-width", "2"])),
    ("--marker", "series", .complains(["areas.geojson", "--by", "areas", "--marker", "x"])),
    ("--marker", "", .complains(["areas.geojson", "--marker", "square"])),
    ("--symbol-size", "series", .complains(["areas.geojson", "--by", "areas", "--symbol-size", "9"])),
    ("--symbol-size", "", .complains(["areas.geojson", "--symbol-size", "9"])),
    ("--no-data-color", "", .complains(["--no-data-color", "red"])),
    ("--size-by", "series", .complains(["areas.geojson", "--by", "areas", "--size-by", "n"])),
    ("--size-by", "", .complains(["areas.geojson", "--size-by", "n"])),
    ("--size-range", "", .complains(["--size-range", "3-40"])),
    ("--size-scaling", "", .complains(["--size-scaling", "flannery"])),
    ("--label", "series", .complains(["map.json", "--by", "Places", "--label", "n"])),
    ("--label", "", .complains(["map.json", "--label", "n"])),
    ("--label-short", "", .complains(["--label-short", "n"])),
    ("--label-priority", "", .complains(["--label-priority", "n"])),
    // Legend and titles.
    ("--title --counts --in-view --bars --charts", "legend", .always),
    ("--legend-title", "", .complains(["--legend-title", "T"])),
    ("--legend-in-view", "", .complains(["--legend-in-view"])),
    ("--legend-counts", "", .complains(["--legend-counts"])),
    ("--legend-bars", "", .complains(["--legend-bars"])),
    ("--legend-charts", "", .complains(["--legend-charts"])),
    ("--columns", "legend", .complains(["-o", "out.json", "--columns", "2"])),
    ("--legend-columns", "", .complains(["--legend-columns", "2"])),
    ("--template", "", .always),
    ("--legend", "merge", .complains(["--legend"])),
    (
      "--title --subtitle --legend --scale-bar --locator --north-arrow --inset --attribution --no-attribution --frame "
        + "--margin",
      "",
      .always
    ),
    // Answers.
    ("--extents", "", .complains(["--extents", "extents.txt", "--everywhere"])),
    ("--funnel", "", .complains(["--funnel", "--extents", "extents.txt"])),
    ("--by-class", "", .complains(["--by-class", "--extents", "extents.txt"])),
    ("--expect", "", .complains(["--expect", "3", "--extents", "extents.txt"])),
    ("--statistic", "series", .complains(["--statistic", "sum:n"])),
    ("--statistic --group-by --having --top", "", .always),
    (
      "--bins", "statistics",
      .refuses(["areas.geojson", "--bins", "hexagon:1"], "only points can be counted in bins")
    ),
    (
      "--by-time", "statistics",
      .refuses(["--by-time", "month"], "the layer has no time field")
    ),
    ("--order-by", "query", .complains(["--order-by", "n", "--count-only"])),
    ("--order-by", "", .always),
    ("--out-fields", "", .complains(["--out-fields", "n", "--count-only"])),
    ("--offset --max-features --ids --extent-only --count-only", "", .always),
    ("--no-geometry", "", .complains(["--no-geometry", "--ids"])),
    ("--out-wkid", "", .complains(["--out-wkid", "3857", "--no-geometry"])),
    ("--max-offset", "", .complains(["--max-offset", "5"])),
    ("--id --key --disable --require --since", "", .always),
    ("--by --by-time --zoom", "", .always),
    ("--by-field", "", .complains(["--by-field", "n", "--by-time", "day"])),
    ("--grid", "", .complains(["-o", "{n}.svg", "--grid", "2x2"])),
    ("--mute", "", .complains(["--by-time", "day", "--mute"])),
    ("--frame-time", "", .complains(["--frame-time", "1s"])),
    ("--loops", "", .complains(["--loops", "1"])),
    ("--from --to --check --functions", "filter", .always),
    // Cases and partitions.
    ("--missing", "", .complains(["--missing"])),
    ("--failed", "", .complains(["--failed"])),
    ("--engine-change", "", .complains(["--engine-change"])),
    ("--cause", "", .complains(["--cause", "1"])),
    ("--exact-filters --all --question --ordinal --expect-partitions", "", .always),
    ("--of", "partial", .refuses(["--of", "2"], "is not Parquet")),
  ]

  private static func rule(_ option: CommandInfo.Argument, _ command: String) -> Rule? {
    rules.first { rule in
      let commands = rule.commands.split(separator: " ").map(String.init)
      let isOfCommand = commands.isEmpty || commands.contains(command)
      return isOfCommand && rule.options.split(separator: " ").contains { option.names.contains(String($0)) }
    }?.rule
  }

  private static func write(to folder: ScratchFolder) async throws {
    let map = try SmallMap.write(to: folder)
    #expect(FileManager.default.fileExists(atPath: map))
    try folder.write(
      SmallMap.places.replacing(/,"day":"[^"]*"/, with: ""), to: "points.geojson")
    try folder.write(
      SmallMap.square.replacing("\"name\"", with: "\"n\":1,\"name\""), to: "areas.geojson")
    try folder.write("n,kind\n1,a\n2,b\n", to: "table.csv")
    try folder.write("0,0,1,1\n", to: "extents.txt")
    try folder.write(#"{"count": {"everywhere": true}}"#, to: "q.json")
    try folder.write(#"{"step": "open", "source": "points.geojson"}"#, to: "steps.run")
    try folder.write(#"{"document": "../../map.json", "size": [60, 40]}"#, to: "cases/one/case.json")
    let font = Tool.project.appendingPathComponent("Sources/C/CFonts/NotoSans-Regular.ttf")
    try FileManager.default.copyItem(at: font, to: folder.url("font.ttf"))
    for words in [
      ["query", "points.geojson", "-o", "points.fgb"],
      ["partial", "points.geojson", "--question", "q.json", "--ordinal", "0", "-o", "count.state"],
      ["snapshot", "record", "cases", "--all"],
    ] {
      let run = try await Tool.run(words, folder: folder.root)
      #expect(run.code == 0, "\(run)")
    }
  }

  @Test("Every option of every command has a rule, and complains where it can have no effect")
  func walk() async throws {
    let folder = try ScratchFolder()
    try await Self.write(to: folder)
    var (options, complaints) = (0, 0)
    for command in try CommandInfo.tool().all where command.path.count > 1 {
      let name = command.path.dropFirst().joined(separator: " ")
      for option in command.options where option.kind != .positional {
        options += 1
        guard let rule = Self.rule(option, name) else {
          Issue.record("\(name) \(option.names): has no rule in this test")
          continue
        }
        let (more, text): ([String], String?)
        switch rule {
        case .complains(let words): (more, text) = (words, nil)
        case .refuses(let words, let error): (more, text) = (words, error)
        case .always: continue
        }
        let base = try #require(Self.bases[name], "\(name)")
        // A source among the added words replaces that of the command.
        var (words, added) = (base, more)
        if let first = added.first, !first.hasPrefix("-") {
          words[0] = added.removeFirst()
        }
        if let place = added.firstIndex(of: "-o"), let own = words.firstIndex(of: "-o") {
          words[own + 1] = added[place + 1]
          added.removeSubrange(place...place + 1)
        }
        if let place = added.firstIndex(where: { $0 == "--by-time" || $0 == "--by" }),
          let own = words.firstIndex(of: "--by")
        {
          words.removeSubrange(own...own + 1)
          words += added[place...place + 1]
          added.removeSubrange(place...place + 1)
        }
        let run = try await Tool.run(
          name.split(separator: " ").map(String.init) + words + added, folder: folder.root)
        // inspect lists its warnings in its answer.
        let isNamed = (run.err + run.out).split(separator: "\n").contains { line in
          (line.hasPrefix("error: ") || line.hasPrefix("warning: "))
            && (text.map { line.contains($0) }
              ?? option.names.contains { $0.count > 2 && line.contains($0) })
        }
        #expect(isNamed, "\(name) \((words + added).joined(separator: " ")): \(run)")
        complaints += 1
      }
    }
    #expect(options > 400)
    #expect(complaints > 150)
  }
}
