import MapDrawing
import MapFeatures
import MapGeometry
import MapJSON
public import MapLayout
import MapModel
public import MapState
import MapSystem

/// A series of images: one for each feature of a layer.
public struct MapSeries: Sendable {
  /// An image of the series.
  public struct Item: Sendable {
    /// The row of the feature in its table.
    let row: Int
    /// The id of the feature.
    public let objectID: Int64
    /// The path of the image.
    public let path: String
    /// The title and the line below it.
    let titles: (title: String, subtitle: String)
    /// The extent to show, with its spatial reference.
    let extent: Envelope
  }

  /// The largest number of images of a series.
  ///
  /// - Source: design decision.
  static let limit = 10_000

  /// The images in the order of the features.
  public let items: [Item]
  /// The features that have no image.
  public let warnings: [String]
  private let document: MapDocument
  private let view: MapView
  private let request: ViewRequest
  private let layout: PageLayout

  /// Plans a series.
  ///
  /// - Parameters:
  ///   - document: the map.
  ///   - layer: the layer whose features that match its definition expression get an image.
  ///   - path: the path of each image, with fields in braces.
  ///   - layout: the layout; its titles may have fields in braces.
  /// - Throws: `MapStateError`.
  public init(
    _ document: MapDocument, by layer: String, path: String, _ request: ViewRequest, _ layout: PageLayout
  ) async throws(MapStateError) {
    let (name, title) = (try NameTemplate(path), try NameTemplate(layout.title))
    let subtitle = try NameTemplate(layout.subtitle)
    (self.document, self.request, self.layout) = (document, request, layout)
    var place = request
    place.fitsDefaultView = false
    view = try await document.view(place)
    let frozen = view.freeze()
    let state = frozen.layers[try document.layerIndex(named: layer)]
    var items: [Item] = []
    var warnings: [String] = []
    do {
      let query = try frozen.conditions(for: state, asking: FeatureQuestion(area: .everywhere)).query(
        for: .query)
      let fetched = try await state.source.fetch(query)
      let table = try fetched.shownColumns(on: frozen.spatialReference)
      let rows = try fetched.rows(query)
      guard rows.count <= Self.limit else {
        throw MapStateError(
          .input,
          "layer \"\(state.name)\" has \(rows.count) features; a series has at most \(Self.limit) images")
      }
      for field in name.fields + title.fields + subtitle.fields
      where table.schema.index(ofField: field) == nil {
        let names = table.schema.fields.map(\.name)
        let nearest = NearestName.of(field, among: names)
        throw MapStateError(
          .input,
          "layer \"\(state.name)\" has no field \"\(field)\"; "
            + (nearest.map { "did you mean \"\($0)\"?" }
              ?? "available: \(names.prefix(40).joined(separator: ", "))"),
          suggestion: nearest)
      }
      let ids = ObjectIDs(table)
      var known: Set<String> = []
      for row in rows {
        func value(_ field: String) -> String {
          table.schema.index(ofField: field).map { table.columns[$0].value(at: row).labelText } ?? ""
        }
        let box = table.geometry?.envelope(ofRow: row) ?? .empty
        guard !box.isEmpty else {
          warnings.append(
            "feature \(ids.id(ofRow: row)) of layer \"\(state.name)\" has no geometry and gets no image")
          continue
        }
        var path = name.path(value)
        let suffix = FilePath.pathExtension(of: path)
        let stem = suffix.isEmpty ? path : String(path.dropLast(suffix.count + 1))
        var number = 1
        // Names that differ only in case are the same file on some systems.
        while !known.insert(path.lowercased()).inserted {
          number += 1
          path = "\(stem)-\(number)" + (suffix.isEmpty ? "" : ".\(suffix)")
        }
        items.append(
          Item(
            row: row, objectID: ids.id(ofRow: row), path: path,
            titles: (title.text(value), subtitle.text(value)),
            extent: box.with(
              spatialReference: table.schema.spatialReference?.shown(on: frozen.spatialReference))))
      }
    } catch {
      throw MapStateError(error)
    }
    (self.items, self.warnings) = (items, warnings)
  }

  /// Returns the page of an image, fitted to its feature with a margin.
  ///
  /// - Throws: `MapStateError`.
  public func page(_ item: Item) async throws(MapStateError) -> MapPage {
    var layout = layout
    (layout.title, layout.subtitle) = item.titles
    return try await MapPage(layout, width: request.size.width, height: request.size.height) {
      (width, height) async throws(MapStateError) in
      try view.resize(width: width, height: height)
      var target = Viewpoint(boundingGeometry: item.extent, rotation: request.rotation ?? .nan)
      if item.extent.width == 0, item.extent.height == 0 {
        target = Viewpoint(
          center: item.extent.center, scale: MapView.scaleOfPoint, rotation: request.rotation ?? .nan)
      }
      try view.setViewpoint(target, padding: request.padding ?? min(width, height) * 0.06)
      return view.freeze()
    }
  }
}
