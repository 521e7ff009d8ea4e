import MapDocuments
import MapFeatures
import MapReaders

/// The tables of files that several layers of a document show; each is read once, with the fields of all its layers.
struct SharedTables {
  /// A file with the options of its reading.
  private struct File: Hashable {
    let url: String
    let options: ReadingOptions

    /// Nil for a layer that does not show a file.
    init?(_ layer: WebMapLayer) {
      guard case .url(let url) = layer.content, SourceAddress.scheme(of: url) == nil else { return nil }
      (self.url, options) = (url, layer.reading)
    }
  }

  private var fields: [File: FieldSelection] = [:]
  private var tables: [File: any FeatureSource] = [:]

  init(of layers: [WebMapLayer], _ catalog: SourceCatalog, _ fields: FieldSelection) {
    for layer in layers {
      guard let file = File(layer) else { continue }
      let wanted = layer.fields(catalog, fields)
      self.fields[file] = self.fields[file]?.union(wanted) ?? wanted
    }
  }

  /// Returns the fields to read for a layer and for those that share its table.
  func fields(of layer: WebMapLayer, _ catalog: SourceCatalog, _ others: FieldSelection) -> FieldSelection {
    File(layer).flatMap { fields[$0] } ?? layer.fields(catalog, others)
  }

  /// The table of a layer, if it was read for another.
  subscript(layer: WebMapLayer) -> (any FeatureSource)? { File(layer).flatMap { tables[$0] } }

  /// Keeps the table of a layer for others over the same file.
  mutating func keep(_ table: any FeatureSource, for layer: WebMapLayer) {
    if let file = File(layer) { tables[file] = table }
  }
}

extension WebMapLayer {
  /// Returns the options for reading the layer's file.
  func reading(_ catalog: SourceCatalog) -> ReadingOptions {
    var options = catalog.reading
    if let own = reading.sourceReference { options.sourceReference = own }
    if let own = reading.delimiter { options.delimiter = own }
    options.textFields = reading.textFields
    if reading.xField != nil {
      (options.xField, options.yField) = (reading.xField, reading.yField)
      // Esri's CSV layers have degrees unless they state another spatial reference.
      options.sourceReference = options.sourceReference ?? .wgs84
    }
    return options
  }

  /// Returns the fields of the layer's file that the layer and the caller need.
  fileprivate func fields(_ catalog: SourceCatalog, _ others: FieldSelection) -> FieldSelection {
    let options = reading(catalog)
    return others.union(fields).union(FieldSelection([options.xField, options.yField].compactMap { $0 }))
  }
}
