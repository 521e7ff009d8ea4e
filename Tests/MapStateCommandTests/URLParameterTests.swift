import Foundation
import MapHTTP
import MapStateCommand
import Testing

/// The options of the tool as parameters of the server.
@Suite("Parameters of URLs")
struct URLParameterTests {
  /// The commands, and the paths of the server that answer the same.
  private static let paths: [(command: String, path: MapPath)] = [
    ("render", .image), ("count", .count), ("statistics", .statistics), ("query", .features),
    ("series", .series), ("legend", .legend),
  ]

  /// The options that are no parameters, with the reason.
  private static let exceptions: [String: String] = {
    let reasons: [(reason: String, options: [String])] = [
      (
        "names a file",
        [
          "--output", "--report", "--describe", "--save-document", "--font", "--allow-path", "--data",
          "--tiles",
          "--join", "--template", "--services", "--record", "--replay", "--extents", "--style",
        ]
      ),
      (
        "belongs to the reading of files, which are read once for all requests",
        [
          "--join-first", "--source-reference", "--x", "--y", "--encoding", "--delimiter", "--decimal",
          "--skip-bad-rows", "--tile-zoom", "--missing-tiles", "--skip-unavailable", "--basemap-language",
        ]
      ),
      (
        "the server decides about access",
        [
          "--resume", "--allow-http", "--allow-private", "--allow-host", "--deny-host", "--online",
          "--offline", "--explain", "--max-download", "--portal",
        ]
      ),
      ("the server has limits of its own", ["--timeout", "--max-memory", "--threads"]),
      ("an answer has neither an exit code nor notes", ["--strict", "--quiet", "--expect"]),
      ("needs a file beside the answer", ["--list-labels", "--world-file", "series --statistic"]),
      ("is about the file of all images", ["--frame-time", "--loops"]),
      ("is about pages of several images", ["--grid"]),
      ("a page asks again when it wants to", ["--watch"]),
      ("paints the same image by another method", ["--painter"]),
      ("is attribution=false", ["--no-attribution"]),
      ("is the path /funnel", ["--funnel"]),
      ("the answer is always JSON", ["count --format", "statistics --format"]),
      (
        "is about images in SVG",
        ["count --ids-of", "statistics --ids-of", "query --ids-of", "legend --ids-of", "series --ids-of"]
      ),
      ("is about the tool itself", ["--help", "--version"]),
    ]
    return Dictionary(
      reasons.flatMap { item in item.options.map { ($0, item.reason) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// The name of a parameter, such as `colorBy` for `--color-by`.
  private static func parameter(_ option: String) -> String {
    let words = option.drop { $0 == "-" }.split(separator: "-")
    return words.first.map { $0 + words.dropFirst().map(\.capitalized).joined() } ?? ""
  }

  @Test("Each option that chooses, filters, styles or sizes is a parameter of the same name")
  func walks() throws {
    let commands = try CommandInfo.tool().subcommands
    var (walked, found, used) = (0, 0, Set<String>())
    for (name, path) in Self.paths {
      let command = try #require(commands.first { $0.path.last == name })
      let known = Set(path.parameterNames)
      #expect(known.count == path.parameterNames.count, "\(name): a parameter is listed twice")
      for option in command.options where option.kind != .positional {
        walked += 1
        let isParameter = option.names.contains { known.contains(Self.parameter($0)) }
        let exception = option.names.flatMap { ["\(name) \($0)", $0] }.first { Self.exceptions[$0] != nil }
        if isParameter { found += 1 } else if let exception { used.insert(exception) }
        #expect(
          isParameter || exception != nil,
          "\(name) \(option.key) is no parameter of \(path.rawValue), and no exception with a reason")
        #expect(!isParameter || exception == nil, "\(name) \(option.key) is a parameter and an exception")
      }
    }
    #expect(walked > 300 && found > 150)
    #expect(Set(Self.exceptions.keys).subtracting(used).isEmpty, "exceptions without an option")
  }

  @Test("A walk over options finds one that is missing")
  func canFail() {
    #expect(Self.parameter("--color-by") == "colorBy")
    #expect(!MapPath.image.parameterNames.contains(Self.parameter("--save-document")))
    #expect(MapPath.image.parameterNames.contains("colorBy"))
  }
}
