import ArgumentParser
import MapScript
import MapState
import MapSystem

struct FilterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Translate a filter, check it against a layer, or list the functions.",
    usage: """
      mapstate filter <text> --to <language> [<options>]
      mapstate filter <text> --check <source> [<options>]
      mapstate filter --functions
      """,
    discussion: """
      --from sets the language of the filter. Without --from, a filter that begins with { is read as CQL2 JSON, and \
      any other filter as SQL. --check compares field names and types with those of a layer; the answer is ok, or an \
      error that marks the position.

      --to postgis and --to spatialite need --check. They write a condition with numbered parameters, then the values \
      of the parameters, then any part of the filter that the database cannot apply.

      EXAMPLES:
        mapstate filter "POP > 1000000 AND STATUS = 'capital'" --to cql2-text
        mapstate filter "POP > 1000000" --check Styles/data/world-cities.csv
        mapstate filter --functions
      """)

  /// A language to write.
  enum Target: String, CaseIterable, ExpressibleByArgument {
    case sql
    case cql2Text = "cql2-text"
    case cql2JSON = "cql2-json"
    case tree
    case postgis, spatialite
  }

  @Argument(help: "Filter to read.")
  var text: String?
  @OptionGroup(title: HelpGroup.translation) var translation: FilterTranslation
  @OptionGroup(title: HelpGroup.output) var output: DocumentOutput
  @OptionGroup(title: HelpGroup.services) var sources: SourceOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  private var from: FilterLanguage? { translation.from }
  private var to: Target? { translation.to }
  private var check: String? { translation.check }
  private var layer: String? { translation.layer }

  func validate() throws {
    if translation.functions {
      guard text == nil, check == nil, layer == nil, from == nil, to == nil else {
        throw ValidationError("--functions can be combined with --format only.")
      }
    } else if text == nil || (check == nil && to == nil) {
      throw ValidationError("Give a filter with --to LANGUAGE or --check SOURCE, or give --functions.")
    }
    if check == nil, to == .postgis || to == .spatialite {
      throw ValidationError(
        "--to postgis and --to spatialite need --check SOURCE for the types of fields.")
    }
    if layer != nil, check == nil { throw ValidationError("--layer needs --check.") }
  }

  func run() async throws {
    guard let text else {
      return try StandardOutput.write(
        output.format == .json
          ? FunctionCatalog.json.text(style: .pretty) + "\n"
          : FunctionCatalog.functions.map(\.listing).joined(separator: "\n"))
    }
    let language = from ?? (text.first { !$0.isWhitespace } == "{" ? .cql2JSON : .sqlWhere)
    let filter = ParsedFilter(text, in: language)
    var answer: JSONObject = ["ok": true]
    var fields: FilterFields?
    if let check {
      let document: MapDocument
      var catalog = try sources.catalog()
      catalog.joins.layer = layer
      var choice = LayerChoice()
      (choice.rule, choice.names) = layer.map { (.named, [$0]) } ?? (.single, [])
      choice.readsBasemap = false
      do { document = try await MapDocument.open(check, catalog: catalog, choice: choice) } catch {
        throw MapStateError(error)
      }
      for warning in document.warnings { Warnings.add(warning) }
      for note in document.notes { Warnings.note(note) }
      let checked = try await document.check(filter: filter, layerNamed: layer)
      answer["layer"] = .string(checked.layer)
      fields = checked.fields
    }
    var lines = ["ok"]
    if let to {
      let read = try read(filter)
      if let dialect = SQLDialect(rawValue: to.rawValue), let fields {
        let sql = try Self.sql(read, dialect, fields)
        lines = sql.lines
        for (name, value) in sql.json { answer[name] = value }
      } else {
        let filter = try written(read, to, fields)
        lines = to == .tree ? filter.split(separator: "\n").map { String($0) } : [filter]
        answer["filter"] = .string(filter)
      }
    }
    try StandardOutput.write(
      (output.format == .json
        ? JSONValue.object(answer).text(style: .pretty)
        : lines.map { MessageText.escaped($0) }.joined(separator: "\n")) + "\n"
    )
  }

  private func read(_ filter: ParsedFilter) throws(MapStateError) -> FilterText {
    let read: FilterText?
    do {
      read = try filter.read()
    } catch {
      throw MapStateError(.input, "\(error)", detail: error.caretPicture(in: filter.text))
    }
    guard let read else { throw MapStateError(.input, "the filter is empty; give a condition") }
    return read
  }

  /// The condition, its parameters and the rest of the filter, as lines and as JSON members.
  private static func sql(
    _ read: FilterText, _ dialect: SQLDialect, _ fields: FilterFields
  ) throws(MapStateError) -> (lines: [String], json: [(String, JSONValue)]) {
    let sql: SQLFilter
    do { sql = try read.expression.sql(for: dialect, fields: fields) } catch {
      throw MapStateError(.input, "\(error)")
    }
    let values = sql.parameters.map(\.json)
    var lines = [sql.text ?? "1 = 1"]
    for (place, value) in values.enumerated() { lines.append("-- \(place + 1): \(value.text())") }
    for loss in sql.losses { lines.append("-- \(loss)") }
    var json: [(String, JSONValue)] = [("sql", .string(lines[0])), ("parameters", .array(values))]
    if let residual = sql.residual {
      let tree = (try? residual.text(in: .cql2Text)) ?? residual.outline
      lines.append("-- apply this to the returned rows yourself: \(tree)")
      json += [("residual", .string(tree)), ("losses", .array(sql.losses.map { .string("\($0)") }))]
    }
    return (lines, json)
  }

  private func written(
    _ read: FilterText, _ target: Target, _ fields: FilterFields?
  ) throws(MapStateError) -> String {
    do throws(FilterWritingError) {
      switch target {
      case .sql: return try read.expression.text(in: .sqlWhere, fields: fields)
      case .cql2Text: return try read.expression.text(in: .cql2Text)
      case .cql2JSON: return try read.expression.text(in: .cql2JSON)
      case .tree, .postgis, .spatialite: return read.expression.outline
      }
    } catch {
      throw MapStateError(.input, "\(error)")
    }
  }
}

/// The languages and the layer of a filter.
struct FilterTranslation: ParsableArguments {
  @Option(
    help: ArgumentHelp("Language to read; default: cql2-json for {…}, else sql.", valueName: "language"))
  var from: FilterLanguage?
  @Option(help: ArgumentHelp("Language to write.", valueName: "language"))
  var to: FilterCommand.Target?
  @Option(
    help: ArgumentHelp("Check the filter against a layer of this source.", valueName: "source"),
    completion: .file())
  var check: String?
  @Option(
    help: ArgumentHelp("Layer to check against, by title, id or index from 0.", valueName: "name"))
  var layer: String?
  @Flag(help: "List the functions, each with an example.")
  var functions = false
}

extension SQLParameter {
  fileprivate var json: JSONValue {
    switch self {
    case .integer(let number): .number(JSONNumber(number))
    case .real(let number): .number(number)
    case .text(let text): .string(text)
    case .boolean(let flag): .boolean(flag)
    }
  }
}

extension FilterFunction {
  /// Form, summary and example on a line each.
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
