import ArgumentParser
import MapState

struct QueryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "The features in the visible extent, as GeoJSON, NDJSON, CSV or text.",
    discussion: """
      GeoJSON is in WGS 84 with the object id as "id". The definition expression holds, the display filter does \
      not. A plain data file has no view: without a view option all its rows answer.
      """)

  /// The form of the features.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case geojson, ndjson, csv, text, json
  }

  @OptionGroup var map: MapOptions
  @OptionGroup var question: QuestionOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("Fields to give out, * for all.", valueName: "f[,f…]"))
  var outFields: FieldList?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Order of the features; null last, :desc first.", valueName: "f[:desc][,…]"))
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
  @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file.", valueName: "file"))
  var output: String?
  @Option(
    help: "Form of the answer: geojson, ndjson, csv or text; json for --ids, --extent-only and --count-only.")
  var format: Format?

  func validate() throws {
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
    do { _ = try page } catch { throw ValidationError("\(error)") }
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

  func run() async throws {
    let document = try await map.open(try fields)
    let state = try await map.view(of: document).freeze()
    let layer = state.layers[try map.oneLayerIndex(in: document)]
    let features = try await state.features(
      of: layer, try question.question(map: map, document: document), page: try page,
      fieldNames: outFields?.names ?? [], hasGeometry: !noGeometry,
      output: GeometryOutput(wkid: outWkid, maxAllowableOffset: maxOffset?.value ?? 0))
    await map.warnOfAnswers(in: document, state)
    let bytes = try answer(features)
    if let output {
      do {
        try FileAccess.write([(bytes, output)], keeping: document.inputs)
      } catch {
        throw MapError(error)
      }
    } else {
      try StandardOutput.write(bytes)
    }
  }

  private func answer(_ features: FeatureRows) throws -> [UInt8] {
    let isJSON = format == .json || format == .geojson
    if ids {
      let ids = features.objectIDs
      return Array((isJSON ? features.idsJSON.text() + "\n" : ids.map { "\($0)\n" }.joined()).utf8)
    }
    if extentOnly {
      let json = features.extentJSON
      return Array((isJSON ? json.text() : features.extentText).utf8) + [0x0A]
    }
    if countOnly {
      let count = features.rows.count
      return Array((isJSON ? "{\"count\":\(count)}\n" : "\(count)\n").utf8)
    }
    let keeps = outWkid != nil
    do {
      switch format ?? .geojson {
      case .geojson, .json: return try GeoJSONWriter(features, keepsReference: keeps).collection()
      case .ndjson: return try GeoJSONWriter(features, keepsReference: keeps).lines()
      case .csv: return Array(try DelimitedWriter(features, keepsReference: keeps).text().utf8)
      case .text: return Array(Self.table(features).utf8)
      }
    } catch {
      throw MapError(error)
    }
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
