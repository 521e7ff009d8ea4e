import ArgumentParser
import MapState

struct FilterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "List the functions of filters, or check a filter against a layer.",
    discussion: """
      With --check the filter is read, and its fields and types are held against the layer's; the answer is ok, or an \
      error that shows the place.
      """)

  @Argument(help: "A where clause.")
  var text: String?
  @Option(help: ArgumentHelp("Check the filter against a layer of this source.", valueName: "source"))
  var check: String?
  @Option(help: ArgumentHelp("The layer to check against, by title, id or index.", valueName: "name"))
  var layer: String?
  @OptionGroup var sources: SourceOptions
  @Flag(help: "List the functions, each with an example.")
  var functions = false
  @Option(help: "Form of the answer: text or json.")
  var format: OutputFormat = .text

  func validate() throws {
    if format == .csv { throw ValidationError("--format csv is for tables; filter gives text or json.") }
    if functions {
      guard text == nil, check == nil, layer == nil else {
        throw ValidationError("--functions lists; it goes with --format alone.")
      }
    } else if text == nil || check == nil {
      throw ValidationError("Give a filter and --check SOURCE, or --functions.")
    }
  }

  func run() async throws {
    guard let text, let check else {
      return try StandardOutput.write(
        format == .json
          ? FunctionCatalog.json.text(style: .pretty) + "\n"
          : FunctionCatalog.functions.map(\.listing).joined(separator: "\n"))
    }
    let document: MapDocument
    do {
      document = try await MapDocument.open(check, catalog: try sources.catalog())
    } catch {
      throw MapError(error)
    }
    let name = try document.check(whereClause: text, layerNamed: layer)
    try StandardOutput.write(
      format == .json
        ? JSONValue.object(["ok": true, "layer": .string(name)]).text(style: .pretty) + "\n" : "ok\n")
  }
}

extension FilterFunction {
  /// Form, sentence and example, one below the other.
  fileprivate var listing: String { "\(form)\n    \(summary)\n    \(example)\n" }
}

extension FunctionCatalog {
  fileprivate static var json: JSONValue {
    [
      "functions": .array(
        functions.map { function in
          [
            "name": .string(function.name), "form": .string(function.form),
            "summary": .string(function.summary), "example": .string(function.example),
          ]
        })
    ]
  }
}
