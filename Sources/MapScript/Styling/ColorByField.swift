import MapDocuments
import MapFeatures
import MapFilter
import MapGeometry
public import MapJSON
import MapModel
public import MapState
import MapSystem

/// A renderer derived from the data: one colour per value for text, five classes of equal count for numbers.
struct ColorByField {
  /// The colours of text values, distinguishable with colour blindness.
  ///
  /// - Source: Paul Tol, "Colour Schemes", technical note SRON/EPS/TN/09-002, scheme *muted*; its pale grey is
  ///   reserved for all other values.
  private static let qualitative: [Color] = [
    0xCC6677, 0x332288, 0xDDCC77, 0x117733, 0x88CCEE, 0x882255, 0x44AA99, 0x999933, 0xAA4499,
  ].map(color)
  /// The colours of number classes from light to dark, readable in greyscale.
  ///
  /// - Source: ColorBrewer, *YlGnBu* with five classes; the lightest colour is one step darker.
  private static let sequential: [Color] = [0xC7E9B4, 0x7FCDBB, 0x41B6C4, 0x2C7FB8, 0x253494].map(color)
  private static let rest = Color(red: 170, green: 170, blue: 170)

  private static func color(_ value: UInt32) -> Color {
    Color(red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }

  /// Returns the renderer for a field of a table.
  ///
  /// Text: the nine most frequent values get colours; ties are broken by Unicode scalar order. All other values are
  /// grey. Numbers: classes break at the quintiles, and equal breaks are merged. Null values are grey.
  static func renderer(_ field: String, table: FeatureColumns) throws(MapStateError) -> RendererForm {
    guard let index = table.schema.index(ofField: field) else {
      let known = table.schema.fields.map(\.name).joined(separator: ", ")
      throw MapStateError(.input, "no field named \"\(field)\"; available: \(known.isEmpty ? "none" : known)")
    }
    let column = table.columns[index]
    let name = table.schema.fields[index].name
    let kind = table.schema.geometryKind ?? .point
    switch column.storage {
    case .integers(let values): return breaks(name, numbers(values.map(Double.init), column), kind)
    case .reals(let values): return breaks(name, numbers(values, column), kind)
    case .text(let codes, let dictionary): return values(name, codes, dictionary, kind)
    default:
      throw MapStateError(
        .input,
        "field \"\(name)\" holds \(column.type.rawValue) values; only text and numbers can be coloured")
    }
  }

  private static func numbers(_ values: [Double], _ column: Column) -> [Double] {
    values.indices.filter { column.isValid($0) }.map { values[$0] }.sorted()
  }

  private static func breaks(_ field: String, _ sorted: [Double], _ kind: GeometryKind) -> RendererForm {
    var bounds: [Double] = []
    if let last = sorted.last {
      bounds = (1...5).map { $0 == 5 ? last : sorted[max(0, sorted.count * $0 / 5 - 1)] }
      bounds = bounds.enumerated().filter { $0 == 0 || bounds[$0 - 1] < $1 }.map(\.1)
    }
    // With fewer classes, the first and the last colour of the ramp are kept.
    let colors = bounds.indices.map { index in
      sequential[bounds.count == 1 ? 2 : index * (sequential.count - 1) / (bounds.count - 1)]
    }
    var below = sorted.first ?? 0
    let classes = zip(bounds, colors).map { bound, color in
      defer { below = bound }
      return ClassBreaksRenderer.ClassBreak(
        minimum: below, maximum: bound, label: "\(plain(below)) to \(plain(bound))",
        symbol: symbol(color, kind))
    }
    return .classBreaks(
      ClassBreaksRenderer(
        fieldName: field, classBreaks: classes, includesLowestMinimum: true,
        defaultSymbol: symbol(rest, kind),
        defaultLabel: "No data"))
  }

  private static func values(
    _ field: String, _ codes: [Int32], _ dictionary: [String], _ kind: GeometryKind
  ) -> RendererForm {
    var counts = [Int](repeating: 0, count: dictionary.count)
    for code in codes where code >= 0 { counts[Int(code)] += 1 }
    let order = dictionary.indices.sorted { a, b in
      counts[a] != counts[b]
        ? counts[a] > counts[b]
        : dictionary[a].unicodeScalars.lexicographicallyPrecedes(dictionary[b].unicodeScalars)
    }
    let classes = zip(order, qualitative).map { code, color in
      UniqueValueRenderer.UniqueValue(
        values: [dictionary[code]], label: dictionary[code], symbol: symbol(color, kind))
    }
    return .uniqueValue(
      UniqueValueRenderer(
        fieldNames: [field], uniqueValues: classes, defaultSymbol: symbol(rest, kind), defaultLabel: "Other"))
  }

  private static func symbol(_ color: Color, _ kind: GeometryKind) -> SymbolForm {
    let symbol = SymbolForm.standard(for: kind).colored(color)
    guard case .fill(var fill) = symbol else { return symbol }
    fill.outline = SimpleLineSymbol(color: .white, width: 0.5)
    return .fill(fill)
  }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(clamping: number))" : "\(number)"
  }
}

extension MapDocument {
  /// Returns the same data coloured by a field.
  ///
  /// - Throws: `MapStateError`: of kind usage if the source is a document, which has its own renderers; of kind input
  ///   if the field does not exist.
  public func colored(by field: String) async throws(MapStateError) -> MapDocument {
    guard isPlainData, let layer = layers.first else {
      throw MapStateError(.usage, "--color-by needs plain data; a web map document sets its own renderers")
    }
    let source = layer.layer.source
    let table: FeatureColumns
    do { table = try await source.whole().columns() } catch { throw MapStateError(error) }
    var document = layer.document
    document.renderer = try ColorByField.renderer(field, table: table)
    return MapDocument(plainData: document, source: source, path: path)
  }

  /// Returns the same data with labels from a field, black with a white halo.
  ///
  /// - Throws: `MapStateError`: of kind usage if the source is a document, which sets its own labels; of kind input if
  ///   the field does not exist.
  public func labelled(by field: String) throws(MapStateError) -> MapDocument {
    guard isPlainData, let layer = layers.first else {
      throw MapStateError(
        .usage, "--label needs plain data; a web map document sets its labels in labelingInfo")
    }
    let schema = layer.layer.source.schema
    guard let index = schema.index(ofField: field) else {
      let names = schema.fields.map(\.name).joined(separator: ", ")
      throw MapStateError(.input, "--label: no field named \"\(field)\"; available: \(names)")
    }
    let name = schema.fields[index].name
    let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    // A bracket in the field name would end a simple expression.
    let expression: any LabelExpression =
      name.contains("]")
      ? ArcadeLabelExpression(arcadeString: "$feature[\"\(quoted)\"]")
      : SimpleLabelExpression(simpleExpression: "[\(name)]")
    var definition = LabelDefinition(labelExpression: expression, textSymbol: TextSymbol(size: 12))
    definition.textSymbol.haloColor = .white
    definition.textSymbol.haloWidth = 1.5
    definition.deconflictionStrategy = .dynamic
    var document = layer.document
    (document.labelsAreEnabled, document.labelDefinitions) = (true, [definition])
    return MapDocument(plainData: document, source: layer.layer.source, path: path)
  }

  /// Returns a warning if the saved document needs permission to read data outside its folder; otherwise nil.
  package func folderWarning(savedAt path: String) -> String? {
    guard let folder = FileAccess.realPath(FilePath.folder(of: path)),
      let data = FileAccess.realPath(self.path),
      !data.hasPrefix(folder == "/" ? folder : folder + "/")
    else { return nil }
    return "\(path): the data are outside its folder; open it with --allow-path \(FilePath.folder(of: data))"
  }

  /// Returns the document as JSON, to be saved at a path.
  ///
  /// The document contains the view's viewpoint and time and the layer's filters. The path of the data is relative
  /// to the document's folder if the data are below it, else absolute.
  /// - Throws: `MapStateError` of kind usage if the source is already a document.
  public func documentJSON(view: MapView, savedAt path: String) throws(MapStateError) -> JSONValue {
    guard isPlainData else {
      throw MapStateError(.usage, "--save-document needs plain data; this is already a document")
    }
    guard self.path != "-" else {
      throw MapStateError(.usage, "--save-document needs data from a file, not from standard input")
    }
    var saved = webMap
    let place = view.viewpoint
    saved.viewpoint = Viewpoint(center: place.center, scale: place.scale, rotation: place.rotation)
    saved.background = map.backgroundColor
    saved.timeExtent = view.timeExtent
    // Options may have changed the layer, so its current values are saved.
    let layer = layers[0].layer
    saved.layers[0].definition.$definitionExpression = layer.definitionFilter
    saved.layers[0].displayFilter = layer.displayFilterDefinition?.form
    saved.layers[0].isVisible = layer.isVisible
    saved.basemap = map.basemap
    if let folder = FileAccess.realPath(FilePath.folder(of: path)), let data = FileAccess.realPath(self.path)
    {
      let prefix = folder == "/" ? folder : folder + "/"
      // A document may read files below its folder. Data elsewhere need --allow-path and an absolute path.
      saved.layers[0].content = .url(data.hasPrefix(prefix) ? String(data.dropFirst(prefix.count)) : data)
    }
    return saved.json
  }
}
