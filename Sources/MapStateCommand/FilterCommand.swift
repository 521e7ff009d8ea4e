import ArgumentParser
import MapState

struct FilterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Translate a filter, check it against a layer, or list the functions of filters.",
    discussion: """
      A filter is read as a where clause unless --from says otherwise, or it begins with {, which is CQL2 JSON. --to \
      writes it in another language, or says what that cannot express. For a database, postgis or spatialite, --check has \
      to name the layer; the answer is a condition with numbered parameters, their values, and what is left to be asked \
      of the rows that come back. With --check its fields and types are held \
      against the layer's; the answer is ok, or an error that shows the place.
      """)

  /// What a filter is written as.
  enum Target: String, CaseIterable, ExpressibleByArgument {
    case sql
    case cql2Text = "cql2-text"
    case cql2JSON = "cql2-json"
    case tree
    case postgis, spatialite
  }

  @Argument(help: "A filter.")
  var text: String?
  @Option(help: ArgumentHelp("What it is written in: \(FilterLanguage.list).", valueName: "language"))
  var from: FilterLanguage?
  @Option(help: ArgumentHelp("Write it as \(Target.list).", valueName: "language"))
  var to: Target?
  @Option(help: ArgumentHelp("Check the filter against a layer of this source.", valueName: "source"))
  var check: String?
  @Option(help: ArgumentHelp("The layer to check against, by title, id or index.", valueName: "name"))
  var layer: String?
  @OptionGroup var sources: SourceOptions
  @Flag(help: "List the functions, each with an example.")
  var functions = false
  @Option(help: "Form of the answer: text or json.")
  var format: OutputFormat = .text
  @OptionGroup var reporting: ReportingOptions
  @OptionGroup var limits: LimitOptions

  func validate() throws {
    if format == .csv { throw ValidationError("--format csv is for tables; filter gives text or json.") }
    if functions {
      guard text == nil, check == nil, layer == nil, from == nil, to == nil else {
        throw ValidationError("--functions lists; it goes with --format alone.")
      }
    } else if text == nil || (check == nil && to == nil) {
      throw ValidationError("Give a filter and --to LANGUAGE or --check SOURCE, or --functions.")
    }
    if check == nil, to == .postgis || to == .spatialite {
      throw ValidationError(
        "--to postgis and spatialite need --check SOURCE, which tells the types of fields.")
    }
    if layer != nil, check == nil { throw ValidationError("--layer goes with --check.") }
  }

  func run() async throws {
    guard let text else {
      return try StandardOutput.write(
        format == .json
          ? FunctionCatalog.json.text(style: .pretty) + "\n"
          : FunctionCatalog.functions.map(\.listing).joined(separator: "\n"))
    }
    let language = from ?? (text.first { !$0.isWhitespace } == "{" ? .cql2JSON : .sqlWhere)
    var answer: JSONObject = ["ok": true]
    var fields: FilterFields?
    if let check {
      let document: MapDocument
      let catalog = try sources.catalog(reporting)
      var choice = LayerChoice()
      (choice.rule, choice.names) = layer.map { (.named, [$0]) } ?? (.single, [])
      choice.readsBasemap = false
      do { document = try await MapDocument.open(check, catalog: catalog, choice: choice) } catch {
        throw MapError(error)
      }
      for warning in document.warnings { Warnings.add(warning) }
      let checked = try await document.check(filter: text, in: language, layerNamed: layer)
      answer["layer"] = .string(checked.layer)
      fields = checked.fields
    }
    var lines = ["ok"]
    if let to {
      let read = try read(text, language)
      if let dialect = SQLDialect(rawValue: to.rawValue), let fields {
        let sql = try Self.sql(read, dialect, fields)
        lines = sql.lines
        for (name, value) in sql.json { answer[name] = value }
      } else {
        let filter = try written(read, to, fields)
        (lines, answer["filter"]) = ([filter], .string(filter))
      }
    }
    try StandardOutput.write(
      (format == .json ? JSONValue.object(answer).text(style: .pretty) : lines.joined(separator: "\n")) + "\n"
    )
  }

  private func read(_ text: String, _ language: FilterLanguage) throws(MapError) -> FilterText {
    let read: FilterText?
    do {
      read = try FilterText(text, in: language)
    } catch {
      throw MapError(.input, "\(error)", detail: error.caretPicture(in: text))
    }
    guard let read else { throw MapError(.input, "the filter is blank, which is no condition at all") }
    return read
  }

  /// The condition, its parameters, and what is left, a line each and by name.
  private static func sql(
    _ read: FilterText, _ dialect: SQLDialect, _ fields: FilterFields
  ) throws(MapError) -> (lines: [String], json: [(String, JSONValue)]) {
    let sql: SQLFilter
    do { sql = try read.expression.sql(for: dialect, fields: fields) } catch {
      throw MapError(.input, "\(error)")
    }
    let values = sql.parameters.map(\.json)
    var lines = [sql.text ?? "1 = 1"]
    for (place, value) in values.enumerated() { lines.append("-- \(place + 1): \(value.text())") }
    for loss in sql.losses { lines.append("-- \(loss)") }
    var json: [(String, JSONValue)] = [("sql", .string(lines[0])), ("parameters", .array(values))]
    if let residual = sql.residual {
      let tree = (try? residual.text(in: .cql2Text)) ?? residual.outline
      lines.append("-- left for memory: \(tree)")
      json += [("residual", .string(tree)), ("losses", .array(sql.losses.map { .string("\($0)") }))]
    }
    return (lines, json)
  }

  private func written(
    _ read: FilterText, _ target: Target, _ fields: FilterFields?
  ) throws(MapError) -> String {
    do throws(FilterWritingError) {
      switch target {
      case .sql: return try read.expression.text(in: .sqlWhere, fields: fields)
      case .cql2Text: return try read.expression.text(in: .cql2Text)
      case .cql2JSON: return try read.expression.text(in: .cql2JSON)
      case .tree, .postgis, .spatialite: return read.expression.outline
      }
    } catch {
      throw MapError(.input, "\(error)")
    }
  }
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

extension CaseIterable where Self: RawRepresentable<String> {
  /// The names of all cases, for help.
  fileprivate static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
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
