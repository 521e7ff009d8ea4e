import MapState
package import MapSystem

/// A kind of error with examples: the text of `mapstate help errors`.
package struct ErrorTopic: Sendable {
  /// A command that fails, run in a clone of the repository.
  package struct Example: Sendable {
    package let command: String
    /// A part of the message.
    package let message: String
    /// The cause and the cure.
    package let advice: String
  }

  package let kind: MapStateError.Kind
  /// The meaning of the kind.
  package let summary: String
  package let examples: [Example]

  /// All kinds, by exit code.
  package static let all = [
    ErrorTopic(
      kind: .expectation, summary: "The answer is there, but it is not the expected one.",
      examples: [
        Example(
          command: "mapstate count Styles/data/world-cities.csv --expect 5",
          message: "expected a count of 5, found",
          advice: "The data or the filter changed. Correct it, or give another number or range."),
        Example(
          command: "mapstate render Styles/data/world-cities.csv -o cities.svg --padding 400 --strict",
          message: "1 warning with --strict",
          advice: "A warning before it names the part that is not as written. Correct that part."),
      ]),
    ErrorTopic(
      kind: .input, summary: "A document, a data file, a filter or an output file is wrong.",
      examples: [
        Example(
          command: "mapstate count Styles/data/world-city.csv", message: "no such file",
          advice: "The path is wrong. Paths are relative to the working folder."),
        Example(
          command: "mapstate count Styles/data/world-cities.csv --where 'POPP > 5'",
          message: "did you mean", advice: "No field has this name. mapstate inspect lists the fields."),
        Example(
          command: "mapstate count Styles/data/world-cities.csv --where 'POP >'", message: "expected",
          advice: "The filter ends too early. A mark below the filter shows the position."),
      ]),
    ErrorTopic(
      kind: .service, summary: "A service or a database did not answer, or may not be asked.",
      examples: [
        Example(
          command: "mapstate count https://example.org/arcgis/rest/services/A/FeatureServer/0 --offline",
          message: "--offline sends no requests",
          advice: "Leave --offline out, or answer from a recording with --replay."),
        Example(
          command: "mapstate count http://127.0.0.1:9/arcgis/rest/services/A/FeatureServer/0",
          message: "127.0.0.1",
          advice: "Nothing listens at the address. Check it, or start the service."),
      ]),
    ErrorTopic(
      kind: .usage, summary: "The command line is wrong, or asks for something impossible.",
      examples: [
        Example(
          command: "mapstate count Styles/world-cities.json --funel", message: "did you mean '--funnel'?",
          advice: "No option has this name. --help lists the options."),
        Example(
          command: "mapstate statistics Styles/us-counties.json --statistic count", message: "available",
          advice: "The map has several layers, and the question takes one: name it with --layer."),
        Example(
          command: "mapstate render Styles/world-cities.json -o cities.svg --size 0x0",
          message: "expected two whole numbers", advice: "No image has this size. Give a width and a height."),
      ]),
  ]

  /// The text of the help.
  package static var text: String {
    var lines = [
      "ERRORS: An error is one line on standard error. With --format json, it is a JSON",
      "object with the members kind, message, path and suggestion. The kind decides",
      "about the exit code.",
    ]
    for topic in all {
      lines += ["", "\(topic.kind) (exit code \(topic.kind.exitCode)): \(topic.summary)"]
      for example in topic.examples {
        lines += ["", "  \(example.command)", "    error: …\(example.message)…", "    \(example.advice)"]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
