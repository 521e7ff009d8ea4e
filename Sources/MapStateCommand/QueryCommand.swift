package import ArgumentParser
import MapState

package struct QueryCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "The features in the visible extent, as GeoJSON, NDJSON, CSV or text.",
    discussion: """
      GeoJSON is in WGS 84 with the object id as "id". Applies the definition expression; ignores the display \
      filter. A plain data file has no view: without a view option all its rows answer.
      -o FILE writes the format of the file's ending: .geojson and .json (GeoJSON), .ndjson and .geojsonl (one \
      feature per line), .csv, .gpkg and .fgb (in the data's own reference unless --out-wkid names another). \
      -o - is standard output.
      """)

  /// The form of the features.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case geojson, ndjson, csv, text, json
  }

  @OptionGroup package var map: MapOptions
  @OptionGroup package var question: QuestionOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("Fields to give out, * for all.", valueName: "f[,f…]"))
  var outFields: FieldList?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Order of the features, ascending by default; nulls are last, with :desc first, unless given.",
      valueName: "f[:asc|desc][:nulls-first|nulls-last][,…]"))
  var orderBy: FieldList?
  @Option(parsing: .unconditional, help: ArgumentHelp("Features to leave out at the start.", valueName: "n"))
  var offset = 0
  @Option(
    parsing: .unconditional, help: ArgumentHelp("The most features to give out; 0 is all.", valueName: "n"))
  var maxFeatures = 0
  @Flag(help: "Without geometry.")
  var noGeometry = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Geometries and extent in this reference instead of WGS 84.", valueName: "wkid"))
  var outWkid: Int?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Leave out vertices while lines stay within so many units of the output's reference.",
      valueName: "distance"))
  var maxOffset: NumberOption?
  @Flag(help: "The object ids alone, one a line.")
  var ids = false
  @Flag(help: "The extent of the features alone, as xmin,ymin,xmax,ymax,wkid.")
  var extentOnly = false
  @Flag(help: "Their number alone.")
  var countOnly = false
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write a file in the format of its ending; - is standard output.", valueName: "file"))
  var output: String?
  @Option(
    help: "Form of the answer: geojson, ndjson, csv or text; json for --ids, --extent-only and --count-only.")
  var format: Format?

  package init() {}

  package func validate() throws {
    if offset < 0 { throw ValidationError("--offset is \(offset); it must be 0 or more.") }
    if let outWkid, outWkid < 1 { throw ValidationError("--out-wkid is \(outWkid); it must be above 0.") }
    if let maxOffset = maxOffset?.value, maxOffset < 0 {
      throw ValidationError("--max-offset is \(maxOffset); it must be 0 or more.")
    }
    if maxFeatures < 0 { throw ValidationError("--max-features is \(maxFeatures); it must be 0 or more.") }
    if [ids, extentOnly, countOnly].filter({ $0 }).count > 1 {
      throw ValidationError(
        "--ids, --extent-only and --count-only each say what comes out; give one of them.")
    }
    do {
      _ = try page
      _ = try target
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// True where a part of the features is the answer instead of the features.
  private var isSummary: Bool { ids || extentOnly || countOnly }

  /// The form of the answer and its file, if any.
  private enum Target {
    case output(Format)
    case file(FeatureFile, path: String)
    case summary(Format, path: String)
  }

  private var target: Target {
    get throws(MapError) {
      guard let path = output, path != "-", !FileAccess.isStream(path) else {
        if isSummary, let format, format == .csv || format == .ndjson {
          throw MapError(
            .usage, "--ids, --extent-only and --count-only write text or JSON, not \(format.rawValue)")
        }
        return .output(format ?? (isSummary ? .text : .geojson))
      }
      if isSummary { return .summary(try Self.summaryFormat(of: path, asked: format), path: path) }
      let file = try FeatureFile(path: path)
      if let format, format.file != file {
        throw Self.contradiction(format, path)
      }
      return .file(file, path: path)
    }
  }

  private static func contradiction(_ format: Format?, _ path: String) -> MapError {
    let name = format?.rawValue ?? ""
    return MapError(.usage, "--format \(name) contradicts the ending of \(path); give one of them")
  }

  /// Ids, extent and count are no features: a file of them is text or JSON.
  private static func summaryFormat(of path: String, asked: Format?) throws(MapError) -> Format {
    let isJSON = asked == .json || asked == .geojson
    switch (FilePath.pathExtension(of: path), asked) {
    case ("txt", nil), ("txt", .text): return .text
    case ("json", nil): return .json
    case ("json", _) where isJSON: return .json
    case ("txt", _), ("json", _): throw contradiction(asked, path)
    default:
      throw MapError(
        .usage, "\(path): --ids, --extent-only and --count-only write text or JSON; available: .txt .json")
    }
  }

  private var page: FeaturePage {
    get throws(MapError) {
      var page = FeaturePage()
      page.orderByFields = try (orderBy?.names ?? []).map(OrderBy.init(text:))
      (page.resultOffset, page.maxFeatures) = (offset, maxFeatures)
      return page
    }
  }

  private var fields: FieldSelection {
    get throws(MapError) {
      let order = try page.orderByFields.map(\.fieldName)
      if ids || extentOnly || countOnly { return FieldSelection(map, question, names: order) }
      guard let names = outFields?.names, !names.isEmpty, !names.contains("*") else { return .all }
      return FieldSelection(map, question, names: names + order)
    }
  }

  package func run() async throws {
    let asked = try await question.ask(map, try fields, .single)
    let target = try target
    let features = try await asked.view.features(
      of: asked.layer, asked.question, page: try page, fieldNames: outFields?.names ?? [],
      hasGeometry: !noGeometry, output: geometryOutput(target))
    await map.warnOfAnswers(in: asked.document, asked.view)
    for warning in features.table.warnings where !asked.layer.source.warnings.contains(warning) {
      Warnings.add("layer \"\(asked.layer.name)\": \(warning)")
    }
    switch target {
    case .output(let format):
      let bytes = try answer(features, format, asked)
      if let output, output != "-" {
        try write(bytes, to: output, asked.document)
      } else {
        try StandardOutput.write(bytes)
      }
    case .summary(let format, let path):
      try write(try answer(features, format, asked), to: path, asked.document)
    case .file(let format, let path):
      let (bytes, warnings) = try format.bytes(
        of: features, keepsReference: outWkid != nil, layer: FilePath.stem(of: path))
      for warning in warnings { Warnings.add(warning) }
      try write(bytes, to: path, asked.document)
    }
    try await noteCut(features.rows.count, of: asked)
  }

  /// The spatial reference and the vertices of the geometries: formats with a reference of their own keep the data's.
  private func geometryOutput(_ target: Target) -> GeometryOutput? {
    let offset = maxOffset?.value ?? 0
    guard case .file(let format, _) = target, format.namesReference else {
      return GeometryOutput(wkid: outWkid, maxAllowableOffset: offset)
    }
    var output = GeometryOutput()
    output.reference = outWkid.map { SpatialReference(wkid: $0) }
    output.maxAllowableOffset = offset
    return output
  }

  private func write(_ bytes: [UInt8], to path: String, _ document: MapDocument) throws(MapError) {
    do {
      try FileAccess.write([(bytes, path)], keeping: document.inputs)
    } catch {
      throw MapError(error)
    }
  }

  /// Reports a result that `--max-features` has cut.
  private func noteCut(_ count: Int, of asked: AskedQuestion) async throws(MapError) {
    guard maxFeatures > 0, count == maxFeatures, !Warnings.isQuiet else { return }
    var options = CountOptions()
    (options.question, options.layers) = (asked.question, asked.layers)
    guard let all = try await asked.view.counts(options).layers.first?.count, all > offset + count else {
      return
    }
    StandardError.note(
      "\(count.grouped) of \(all.grouped) features written; --max-features \(maxFeatures)")
  }

  private func answer(
    _ features: FeatureRows, _ format: Format, _ asked: AskedQuestion
  ) throws(MapError) -> [UInt8] {
    let isJSON = format == .json || format == .geojson
    func line(_ json: JSONValue) -> [UInt8] { Array((json.text() + "\n").utf8) }
    if ids {
      if isJSON { return line(features.idsJSON.answering(asked)) }
      return Array(features.objectIDs.map { "\($0)\n" }.joined().utf8)
    }
    // Its own extent is the answer.
    if extentOnly {
      var json = features.extentJSON.object ?? JSONObject()
      json["exact"] = .boolean(asked.layer.source.isExact)
      json["warnings"] = Warnings.json
      return isJSON ? line(.object(json)) : Array((features.extentText + "\n").utf8)
    }
    if countOnly {
      let count = features.rows.count
      let json: JSONValue = ["count": .number(count)]
      return isJSON ? line(json.answering(asked)) : Array("\(count)\n".utf8)
    }
    guard let file = format.file else { return Array(Self.table(features).utf8) }
    let bytes = try file.bytes(of: features, keepsReference: outWkid != nil, layer: "").bytes
    // GeoJSON is data; JSON is an answer, which repeats what was asked in members that GeoJSON readers pass over.
    let start = Array(#"{"type":"FeatureCollection","#.utf8)
    guard format == .json, bytes.starts(with: start) else { return bytes }
    let members = Array(JSONValue.object([:]).answering(asked).text().utf8.dropFirst().dropLast())
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

extension QueryCommand.Format {
  /// The format of a file; nil for text.
  fileprivate var file: FeatureFile? {
    switch self {
    case .geojson, .json: .geoJSON
    case .ndjson: .ndjson
    case .csv: .csv
    case .text: nil
    }
  }
}
