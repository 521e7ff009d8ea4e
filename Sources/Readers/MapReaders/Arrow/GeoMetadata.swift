import MapJSON

/// The geometry columns that GeoParquet's metadata describe.
///
/// - Source: GeoParquet 1.1, "File metadata".
struct GeoMetadata: Sendable {
  /// The descriptions of the fields, by their indices in the schema.
  private(set) var columns: [Int: JSONValue] = [:]
  /// The index of the main geometry: the primary column, or else the first one that is described.
  private(set) var main: Int?
  /// The defects of the metadata.
  private(set) var warnings: [String] = []

  /// Reads the `geo` metadata of a schema.
  init(of schema: ArrowSchema) {
    guard let text = schema.geoMetadata else { return }
    guard let json = try? JSONValue(parsing: text), json.object != nil else {
      warnings.append("its \"geo\" metadata are not a JSON object, and were ignored")
      return
    }
    let primary = json["primary_column"]?.string
    for (index, field) in schema.fields.enumerated() {
      if let column = json["columns"]?[field.name], column.object != nil { columns[index] = column }
    }
    let described = columns.keys.sorted()
    main = described.first { schema.fields[$0].name == primary } ?? described.first
    guard let main else {
      warnings.append("its \"geo\" metadata describe none of its fields, and were ignored")
      return
    }
    let name = schema.fields[main].name
    guard name != primary else { return }
    let defect = primary.map { "do not describe their primary column \"\($0)\"" } ?? "name no primary column"
    warnings.append("its \"geo\" metadata \(defect): the geometry is field \(name)")
  }

  /// Returns the name of the encoding of a field; nil without one.
  func encoding(ofField index: Int) -> String? { columns[index]?["encoding"]?.string }
}
