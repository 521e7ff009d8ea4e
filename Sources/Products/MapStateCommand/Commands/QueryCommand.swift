package import ArgumentParser
import MapScript
import MapState
import MapSystem

package struct QueryCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "List features, by default those in the visible extent.",
    usage: "mapstate query <source> [-o <file>] [<options>]",
    discussion: """
      Writes GeoJSON in WGS 84 with the object ID as "id". Applies the definition expression; ignores the display \
      filter. A plain data file has no viewpoint: all its features are listed unless an option sets an extent.

      The ending of the -o file sets its format: .geojson and .json (GeoJSON), .ndjson and .geojsonl (one feature per \
      line), .csv, .gpkg, .fgb, .arrow (an Arrow IPC file), .arrows (a stream) or .parquet (GeoParquet, in the order of \
      a Hilbert curve without --order-by). The last five keep the spatial reference of the data unless --out-wkid \
      names another. --format arrow writes a stream.

      \(RelationHelp.text)

      EXAMPLES:
        mapstate query Styles/data/world-cities.csv --where "POP > 9000000" --ids
        mapstate query Styles/us-counties.json --layer Counties -o counties.csv
        mapstate query Styles/world-rivers.json --bounds 5,45,15,55 --count-only
      """)

  /// The format of the features.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case geojson, ndjson, csv, text, json, arrow
  }

  @OptionGroup(title: HelpGroup.question) package var question: QuestionOptions
  @OptionGroup(title: HelpGroup.features) var selection: FeatureOptions
  @OptionGroup(title: HelpGroup.output) var answer: FeatureOutput
  @OptionGroup package var map: MapOptions

  package init() {}

  package func validate() throws {
    do {
      _ = try page
      _ = try target
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// The format of the answer and its file, if any.
  private enum Target {
    case output(Format)
    case file(FeatureFile, path: String)
    case summary(Format, path: String)
  }

  private var target: Target {
    get throws(MapStateError) {
      guard let path = answer.output, path != "-", !FileAccess.isStream(path) else {
        if answer.isSummary, let format = answer.format, [.csv, .ndjson, .arrow].contains(format) {
          throw MapStateError(
            .usage, "--ids, --extent-only and --count-only write text or JSON, not \(format.rawValue)")
        }
        return .output(answer.format ?? (answer.isSummary ? .text : .geojson))
      }
      if answer.isSummary {
        return .summary(try Self.summaryFormat(of: path, asked: answer.format), path: path)
      }
      let file = try FeatureFile(path: path)
      if let format = answer.format, format.file != file, !(format == .arrow && file == .arrow) {
        throw Self.contradiction(format, path)
      }
      return .file(file, path: path)
    }
  }

  private static func contradiction(_ format: Format?, _ path: String) -> MapStateError {
    let name = format?.rawValue ?? ""
    return MapStateError(.usage, "--format \(name) contradicts the ending of \(path); give one of them")
  }

  /// The format of a file of ids, an extent or a count: text or JSON.
  private static func summaryFormat(of path: String, asked: Format?) throws(MapStateError) -> Format {
    let isJSON = asked == .json || asked == .geojson
    switch (FilePath.pathExtension(of: path), asked) {
    case ("txt", nil), ("txt", .text): return .text
    case ("json", nil): return .json
    case ("json", _) where isJSON: return .json
    case ("txt", _), ("json", _): throw contradiction(asked, path)
    default:
      throw MapStateError(
        .usage, "\(path): --ids, --extent-only and --count-only write text or JSON; available: .txt .json")
    }
  }

  private var page: FeaturePage {
    get throws(MapStateError) {
      var page = FeaturePage()
      page.orderByFields = try (selection.orderBy?.texts ?? []).map(OrderBy.init(text:))
      (page.resultOffset, page.maxFeatures) = (selection.offset, selection.maxFeatures)
      return page
    }
  }

  private var fields: FieldSelection {
    get throws(MapStateError) {
      let order = try page.orderByFields.map(\.fieldName)
      if answer.isSummary { return FieldSelection(map, question, names: order) }
      guard let names = selection.outFields?.names, !names.isEmpty, !names.contains("*") else { return .all }
      return FieldSelection(map, question, names: names + order)
    }
  }

  package func run() async throws {
    let target = try target
    let asked = try await question.ask(
      map, try fields, .single, asksRows: true, passesRows: passesRows(target))
    warnOfSelection(target, asked)
    if case .file(let format, let path) = target, passesRows(target),
      let count = try await pass(asked, format, to: path)
    {
      await map.warnOfAnswers(in: asked.document, asked.view)
      return asked.noteTexts(count: count)
    }
    let features = try await asked.view.features(
      of: asked.layer, asked.question, page: try page, fieldNames: selection.outFields?.names ?? [],
      hasGeometry: !selection.noGeometry, output: geometryOutput(target))
    await map.warnOfAnswers(in: asked.document, asked.view)
    asked.noteTexts(count: features.rows.count)
    for warning in features.table.warnings where !asked.layer.source.warnings.contains(warning) {
      Warnings.add("layer \"\(asked.layer.name)\": \(warning)")
    }
    let matched = try await asked.view.matched(
      by: asked.question, of: asked.layer, try page, count: features.rows.count)
    let cut = matched.flatMap {
      Exactness.reason(count: features.rows.count, offset: selection.offset, of: $0)
    }
    switch target {
    case .output(let format):
      if answer.output ?? "-" == "-", let writer = try rowWriter(of: features, format) {
        try naming { try writer.write { try StandardOutput.write($0) } }
        break
      }
      let bytes = try bytes(of: features, format, asked, cut)
      if let output = answer.output, output != "-" {
        try write(bytes, to: output, asked.document)
      } else {
        try StandardOutput.write(bytes)
      }
    case .summary(let format, let path):
      try write(try bytes(of: features, format, asked, cut), to: path, asked.document)
    case .file(let format, let path):
      if let writer = try format.rowWriter(of: features, keepsReference: selection.outWkid != nil) {
        try naming {
          try FileAccess.write(to: path, keeping: asked.document.inputs) { try writer.write(to: $0) }
        }
        break
      }
      let (bytes, warnings) = try format.bytes(
        of: features, keepsReference: selection.outWkid != nil, layer: FilePath.stem(of: path),
        keepsOrder: selection.orderBy != nil)
      for warning in warnings { Warnings.add(warning) }
      try write(bytes, to: path, asked.document)
    }
    if let matched {
      StandardError.note(
        "\(features.rows.count.grouped) of \(matched.grouped) features written; --max-features \(selection.maxFeatures)"
      )
    }
  }

  /// Whether rows can be written while they are read: all, in the order of the table.
  private func passesRows(_ target: Target) -> Bool {
    guard case .file(let format, _) = target else { return false }
    return format.isWrittenByRows && selection.orderBy == nil && selection.offset == 0
      && selection.maxFeatures == 0
  }

  /// Writes the features piece by piece; returns their number.
  ///
  /// Nil, without a file, if the source is not read in pieces, and if there are no features: notes about an empty answer
  /// need the values of all rows.
  private func pass(
    _ asked: AskedQuestion, _ format: FeatureFile, to path: String
  ) async throws(MapStateError) -> Int? {
    let found = try await asked.view.featuresInPieces(
      of: asked.layer, asked.question, fieldNames: selection.outFields?.names ?? [],
      hasGeometry: !selection.noGeometry, output: geometryOutput(.file(format, path: path)))
    guard let found,
      let writer = try format.rowWriter(of: found.none, keepsReference: selection.outWkid != nil),
      (writer as? DelimitedWriter)?.dependsOnValues != true
    else { return nil }
    return try naming {
      var count = 0
      do {
        try FileAccess.write(to: path, keeping: asked.document.inputs) { add in
          count = try writer.write(partCount: found.count, { try found.features(ofPiece: $0) }, to: add)
          guard count > 0 else { throw NoFeatures() }
        }
      } catch is NoFeatures { return nil }
      return count
    }
  }

  /// Runs a body that writes an answer, with errors for users.
  private func naming<Value>(_ body: () throws -> Value) throws(MapStateError) -> Value {
    do { return try body() } catch { throw MapStateError(error) }
  }

  /// The end of writing an answer without features.
  private struct NoFeatures: Error {}

  /// The writer of an answer that is only features; nil for other answers.
  private func rowWriter(
    of features: FeatureRows, _ format: Format
  ) throws(MapStateError) -> (any RowWriter)? {
    guard !answer.isSummary, format != .json, let file = format.file else { return nil }
    return try file.rowWriter(of: features, keepsReference: selection.outWkid != nil)
  }

  /// Warns of options that do not change the answer.
  private func warnOfSelection(_ target: Target, _ asked: AskedQuestion) {
    let needsGeometry = [
      ("--out-wkid", selection.outWkid != nil), ("--max-offset", selection.maxOffset != nil),
    ]
    func warn(_ options: [(name: String, isGiven: Bool)], _ reason: String) {
      for option in options where option.isGiven {
        Warnings.add("\(option.name) has no effect: \(reason)")
      }
    }
    if answer.isSummary {
      let isCut = selection.maxFeatures > 0 || selection.offset > 0
      warn([("--out-fields", selection.outFields != nil)], "the answer has no fields")
      warn([("--order-by", selection.orderBy != nil && !answer.ids && !isCut)], "the answer has no order")
    }
    let kind = asked.layer.source.schema.geometryKind
    if answer.ids || answer.countOnly {
      warn(needsGeometry + [("--no-geometry", selection.noGeometry)], "the answer has no geometries")
    } else if selection.noGeometry || kind == nil {
      warn(needsGeometry, "the answer has no geometries")
    } else if case .output(.text) = target, !answer.isSummary {
      warn(needsGeometry, "the format text has no geometries")
    } else if kind?.isPoints == true {
      warn([("--max-offset", selection.maxOffset != nil)], "points are not simplified")
    }
  }

  /// The spatial reference and generalisation of the geometries; formats that store a spatial reference keep the data's.
  private func geometryOutput(_ target: Target) -> GeometryOutput? {
    let offset = selection.maxOffset?.value ?? 0
    let format: FeatureFile? =
      switch target {
      case .file(let file, _): file
      case .output(let format): format.file
      case .summary: nil
      }
    guard let format, format.namesReference else {
      return GeometryOutput(reference: selection.outWkid, maxAllowableOffset: offset)
    }
    var output = GeometryOutput()
    output.reference = selection.outWkid
    output.maxAllowableOffset = offset
    return output
  }

  private func write(_ bytes: [UInt8], to path: String, _ document: MapDocument) throws(MapStateError) {
    do {
      try FileAccess.write([(bytes, path)], keeping: document.inputs)
    } catch {
      throw MapStateError(error)
    }
  }

  private func bytes(
    of features: FeatureRows, _ format: Format, _ asked: AskedQuestion, _ cut: String?
  ) throws(MapStateError) -> [UInt8] {
    let isJSON = format == .json || format == .geojson
    func line(_ json: JSONValue) -> [UInt8] { Array((json.text() + "\n").utf8) }
    if answer.ids {
      if isJSON { return line(features.idsJSON.answering(asked, cut: cut)) }
      return Array(features.objectIDs.map { "\($0)\n" }.joined().utf8)
    }
    // The answer is the extent of the features, not the extent that was asked.
    if answer.extentOnly {
      var json = features.extentJSON.object ?? JSONObject()
      json.set(inexactReason: asked.layer.source.inexactReason ?? cut)
      json["warnings"] = Warnings.json
      return isJSON ? line(.object(json)) : Array((features.extentText + "\n").utf8)
    }
    if answer.countOnly {
      let count = features.rows.count
      let json: JSONValue = ["count": .number(count)]
      return isJSON ? line(json.answering(asked, cut: cut)) : Array("\(count)\n".utf8)
    }
    guard let file = format.file else { return Array(Self.table(features).utf8) }
    let bytes = try file.bytes(of: features, keepsReference: selection.outWkid != nil, layer: "").bytes
    // The format json adds the question in members that GeoJSON readers ignore.
    let start = Array(#"{"type":"FeatureCollection","#.utf8)
    guard format == .json, bytes.starts(with: start) else { return bytes }
    let members = Array(JSONValue.object([:]).answering(asked, cut: cut).text().utf8.dropFirst().dropLast())
    return start + members + [UInt8(ascii: ",")] + bytes.dropFirst(start.count)
  }

  private static func table(_ features: FeatureRows) -> String {
    let table = features.table
    let names = features.fields.map { table.schema.fields[$0].name }
    let rows = zip(features.objectIDs, features.rows).map { id, row in
      [.integer(id)] + features.fields.map { table.columns[$0].value(at: row) }
    }
    return AlignedTable.text(values: rows, head: ["#"] + names)
  }
}

/// The features, fields and geometries to list.
struct FeatureOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fields to write; default: all (*).", valueName: "field[,field…]"))
  var outFields: FieldList?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Order by fields. Nulls come last, unless :nulls-first follows.",
      valueName: "field[:asc|desc][:nulls-first|nulls-last][,…]"))
  var orderBy: FieldList?
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Number of features to skip at the start.", valueName: "n"))
  var offset = 0
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Maximum number of features to write; 0 is no limit.", valueName: "n"))
  var maxFeatures = 0
  @Flag(help: "Write no geometries.")
  var noGeometry = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Spatial reference to write, as in --reference; default: 4326, or the data's if the format states one.",
      valueName: "wkid"),
    transform: { try SpatialReference(text: $0) })
  var outWkid: SpatialReference?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Simplify geometries by at most this distance, in units of the output's spatial reference.",
      valueName: "distance"))
  var maxOffset: NumberOption?

  func validate() throws {
    if offset < 0 { throw ValidationError("--offset is \(offset); it must be 0 or more.") }
    if let maxOffset = maxOffset?.value, maxOffset < 0 {
      throw ValidationError("--max-offset is \(maxOffset); it must be 0 or more.")
    }
    if maxFeatures < 0 { throw ValidationError("--max-features is \(maxFeatures); it must be 0 or more.") }
  }
}

/// The form and the file of the answer of `query`.
struct FeatureOutput: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "File to write, in the format of its ending; - is standard output.", valueName: "file"),
    completion: .file())
  var output: String?
  @Option(help: ArgumentHelp("Format of the answer; default: geojson.", valueName: "format"))
  var format: QueryCommand.Format?
  @Flag(help: "Write only the object IDs, one per line.")
  var ids = false
  @Flag(help: "Write only the extent of the features: xmin,ymin,xmax,ymax,wkid.")
  var extentOnly = false
  @Flag(help: "Write only the number of features.")
  var countOnly = false

  /// True when the answer is a summary instead of features.
  var isSummary: Bool { ids || extentOnly || countOnly }

  func validate() throws {
    if [ids, extentOnly, countOnly].filter({ $0 }).count > 1 {
      throw ValidationError("--ids, --extent-only and --count-only cannot be combined; give one of them.")
    }
  }
}

extension QueryCommand.Format {
  /// The format of a file; nil for text.
  fileprivate var file: FeatureFile? {
    switch self {
    case .geojson, .json: .geoJSON
    case .ndjson: .ndjson
    case .csv: .csv
    case .arrow: .arrowStream
    case .text: nil
    }
  }
}
