import MapScript
import MapStateCommand
import Testing

/// The options of the commands that steps perform, too: each is a field of a step, or listed with its reason.
@Suite("run: options of commands")
struct StepOptionTests {
  /// The step of each command; the map of all is opened by the step `open`.
  private static let steps: [(command: String, step: SessionStep)] = [
    ("render", .render), ("count", .count), ("statistics", .statistics), ("query", .query),
    ("series", .series),
    ("legend", .legend), ("tiles", .tiles), ("lint", .lint),
  ]

  /// The options that no step has, and the reason.
  private static let reasons = [
    "report": "the answer has the report", "output": "the answer of a query has the features",
    "format": "answers are JSON", "json": "answers are JSON",
    "watch": "a script repeats steps", "allowPath": "of the whole script", "services": "of the whole script",
    "record": "of the whole script", "resume": "of the whole script", "replay": "of the whole script",
    "allowHttp": "of the whole script",
    "allowPrivate": "of the whole script", "allowHost": "of the whole script",
    "denyHost": "of the whole script",
    "online": "of the whole script", "offline": "of the whole script",
    "portal": "of the whole script",
    "maxDownload": "of the whole script",
    "explain": "of the whole script", "strict": "of the whole script", "quiet": "of the whole script",
    "timeout": "of the whole script", "maxMemory": "of the whole script", "threads": "of the whole script",
    "noAttribution": "\"attribution\": false",
  ]

  private static func field(_ option: String) -> String {
    let words = option.drop { $0 == "-" }.split(separator: "-").map(String.init)
    return words.enumerated().map { index, word in
      index == 0 ? word : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  @Test("Each option of a command is a field of its step or of the step open, or has a reason")
  func walk() throws {
    let commands = try CommandInfo.tool().all
    var (walked, used) = (0, Set<String>())
    for (name, step) in Self.steps {
      let command = try #require(commands.first { $0.path.last == name && $0.path.count == 2 })
      let known = Set(step.fields + SessionStep.open.fields)
      for option in command.options where option.kind != .positional {
        let fields = Set(option.names.filter { $0.hasPrefix("--") }.map(Self.field))
        guard fields.isDisjoint(with: ["help", "version"]) else { continue }
        walked += 1
        guard fields.isDisjoint(with: known) else { continue }
        let reasons = fields.intersection(Self.reasons.keys)
        #expect(!reasons.isEmpty, "\(name) \(option.names): is no field of a step, and has no reason")
        used.formUnion(reasons)
      }
    }
    #expect(walked > 350, "\(walked)")
    #expect(used == Set(Self.reasons.keys))
  }
}
