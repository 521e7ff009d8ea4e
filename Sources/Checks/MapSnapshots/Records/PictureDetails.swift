import MapCairo
import MapDocuments
import MapDrawing
import MapFeatures
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapReaders
import MapState

/// The contents of an image, and the item that owns each of its pixels.
struct PictureDetails: Sendable {
  let record: PictureRecord
  /// The owner of each pixel as a number in red, green and blue, highest byte first.
  ///
  /// The number is the index of the owner among all items of the record plus 1, or 0 if nothing was painted.
  let owners: Bitmap
  /// Whether a feature or one of its labels is drawn; without an owner image, also one with a transparent symbol.
  private(set) var showsFeature = true

  /// The maximum number of items in a layer whose names are recorded; larger layers record only ids.
  ///
  /// - Source: design decision; it halves the record of 20,000 points.
  private static let textLimit = 2000

  init(record: PictureRecord, owners: Bitmap) { (self.record, self.owners) = (record, owners) }

  /// Creates the details of a drawn case.
  ///
  /// - Parameter paintsOwners: Whether to paint the owner image; without it, it has one pixel, and a comparison of
  ///   records is still complete.
  /// - Cost: a second symbolisation, and a third of the painting for the owner image.
  /// - Throws: `MapStateError`.
  init(_ drawn: DrawnSnapshot, paintsOwners: Bool = true) async throws(MapStateError) {
    let view = drawn.view
    do {
      let (list, origin, parts) = try await drawn.displayLists()
      var tables: [FeatureTexts] = []
      for layer in view.layers {
        tables.append(FeatureTexts(try await layer.source.whole().shownColumns(on: .webMercator)))
      }
      var layers: [PictureRecord.Layer] = []
      for layer in list.layers where layer.index >= 0 {
        guard view.layers.indices.contains(layer.index) else {
          layers.append(
            layer.record(name: layer.name, classes: [], texts: nil, textLimit: 0, funnel: []))
          continue
        }
        let state = view.layers[layer.index]
        var recorded = layer.record(
          name: drawn.layerNames[layer.index], classes: Self.classes(of: state, in: view),
          texts: tables[layer.index], textLimit: Self.textLimit,
          funnel: drawn.report.layers[layer.index].funnel?.stages.map { ($0.name, $0.count ?? 0) } ?? [])
        recorded.definition = state.documentJSON.shortened
        recorded.isShown = state.isShown(atScale: view.viewpoint.scale)
        layers.append(recorded)
      }
      // Only labels of the map's layers are recorded, not those of the basemap.
      for layer in list.labels where view.layers.indices.contains(layer.index) {
        layers.append(
          layer.record(
            name: drawn.layerNames[layer.index],
            classes: view.layers[layer.index].labelDefinitions.map(\.displayName),
            texts: tables[layer.index], textLimit: 0, funnel: []))
      }
      for part in parts {
        layers.append(
          part.record(name: part.name, classes: [], texts: nil, textLimit: 0, funnel: [], isPart: true))
      }
      let map = try paintsOwners ? Self.owners(of: list) : Bitmap(width: 1, height: 1)
      if let origin, paintsOwners {
        var page = try Bitmap(width: drawn.bitmap.width, height: drawn.bitmap.height)
        for y in 0..<page.height {
          for x in 0..<page.width { page[x, y] = PixelColor(red: 0, green: 0, blue: 0, alpha: 255) }
        }
        page.replace(x: origin.x, y: origin.y, by: map)
        owners = page
      } else {
        owners = map
      }
      let extent = view.extent
      var record = PictureRecord(
        pixels: StableHash.hexadecimal(of: drawn.bitmap.pixels), width: drawn.bitmap.width,
        height: drawn.bitmap.height, background: view.canvasColor?.hexadecimal ?? "none",
        basemap: view.basemap.map { $0.style?.rawValue ?? "layers" } ?? "none",
        extent: [extent.xMin, extent.yMin, extent.xMax, extent.yMax], rotation: view.viewpoint.rotation,
        layers: layers, owners: StableHash.hexadecimal(of: owners.pixels), view: Self.view(drawn),
        warnings: drawn.warnings.map(Self.withoutFolders), styles: await StyleRecord.all(of: drawn))
      if let origin {
        (record.mapSize, record.mapOrigin) = ([list.width, list.height], [origin.x, origin.y])
      }
      self.record = record
      let hasLabels = list.labels.contains {
        view.layers.indices.contains($0.index) && $0.batches.contains { !$0.itemRows.isEmpty }
      }
      // The features of a heat map own no pixels.
      let hasImage = layers.indices.contains { place in
        list.layers.indices.contains(place)
          && list.layers[place].batches.contains { if case .image = $0 { true } else { false } }
          && layers[place].funnel.contains { ["drawn", "edge"].contains($0.name) && $0.count > 0 }
      }
      showsFeature =
        hasLabels || hasImage
        || (paintsOwners
          ? ownedPixels > 0 : list.layers.contains { $0.batches.contains { !$0.itemRows.isEmpty } })
    } catch {
      throw MapStateError(error)
    }
  }

  /// The number of pixels that belong to a feature.
  var ownedPixels: Int {
    let pixels = owners.pixels
    return stride(from: 0, to: pixels.count - 3, by: 4).count {
      pixels[$0] != 0 || pixels[$0 + 1] != 0 || pixels[$0 + 2] != 0
    }
  }

  /// Returns the properties of a view that are not members of the record themselves.
  private static func view(_ drawn: DrawnSnapshot) -> JSONObject {
    let view = drawn.view
    let ratio = view.pixelRatio
    var members: JSONObject = [
      "spatialReference": .number(view.spatialReference.wkid),
      "size": [.number(Double(drawn.bitmap.width) / ratio), .number(Double(drawn.bitmap.height) / ratio)],
      "pixelRatio": .number(ratio),
      "center": [.number(view.viewpoint.center.x), .number(view.viewpoint.center.y)],
      "scale": .number(view.viewpoint.scale),
    ]
    if let time = view.timeExtent {
      let ends = [time.start, time.end].map { $0.map { "\($0)" } ?? ".." }
      members["time"] = .string(ends.joined(separator: "/"))
    }
    if view.referenceScale > 0 { members["referenceScale"] = .number(view.referenceScale) }
    if !view.fonts.isEmpty { members["fonts"] = .array(view.fonts.map { .string($0.family) }) }
    if let layout = drawn.layout { members["page"] = .object(page(layout)) }
    let tiles = view.tileLayers.filter { $0.isShown(atScale: view.viewpoint.scale) }
    if !tiles.isEmpty {
      members["tiles"] = .array(
        tiles.map { ["title": .string($0.name), "opacity": .number($0.opacity)] })
    }
    let basemap = view.basemap?.ownLayers.filter { $0.isShown(atScale: view.viewpoint.scale) } ?? []
    if !basemap.isEmpty { members["basemapLayers"] = .array(basemap.map { $0.documentJSON.shortened }) }
    return members
  }

  /// Returns the parts of a page as properties.
  private static func page(_ layout: PageLayout) -> JSONObject {
    var members: JSONObject = [
      "title": .string(layout.title), "subtitle": .string(layout.subtitle),
      "legend": .string(layout.legend?.rawValue ?? "none"), "legendTitle": .string(layout.legendTitle),
      "legendInView": .boolean(layout.legendShowsViewOnly), "legendCounts": .boolean(layout.legendHasCounts),
      "legendBars": .boolean(layout.legendHasBars), "scaleBar": .string(layout.scaleBar?.rawValue ?? "none"),
      "northArrow": .boolean(layout.northArrow), "attribution": .boolean(layout.attribution),
      "frame": .boolean(layout.frame),
    ]
    if !layout.insets.isEmpty {
      members["insets"] = .array(layout.insets.map { .string("\($0)") })
    }
    if layout.locator { members["locator"] = true }
    if layout.legendHasCharts { members["legendCharts"] = true }
    if let columns = layout.legendColumns { members["legendColumns"] = .number(columns) }
    if let margin = layout.margin { members["margin"] = .number(margin) }
    if !layout.attributionText.isEmpty { members["attributionText"] = .string(layout.attributionText) }
    return members
  }

  /// Returns a warning with file names instead of paths, so that it is the same in every folder.
  private static func withoutFolders(_ warning: String) -> String {
    warning.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard let slash = word.lastIndex(of: "/"), slash != word.startIndex || word.count > 1 else {
        return String(word)
      }
      return String(word[word.index(after: slash)...])
    }.joined(separator: " ")
  }

  /// Returns the names of the classes of a layer's items: of its bins, or of its features and then of its clusters.
  ///
  /// A cluster has the name of the layer's class with its index if there is one.
  private static func classes(of layer: LayerState, in view: ViewState) -> [String] {
    let own = layer.renderer.classNames
    let grouped = view.aggregationRenderer(of: layer)?.classNames ?? []
    let isBins = layer.aggregation?.bins != nil && !grouped.isEmpty
    return isBins ? grouped : own + grouped.dropFirst(own.count)
  }

  private static func owners(of list: DisplayList) throws -> Bitmap {
    let image = try IDPainter.image(of: list)
    // The number of the first item of each row of each layer, counted over all layers.
    var numbers: [Int: [Int32: Int]] = [:]
    var count = 0
    for layer in list.layers where layer.index >= 0 {
      var own: [Int32: Int] = [:]
      for row in layer.batches.flatMap(\.itemRows) {
        count += 1
        if own[row] == nil { own[row] = count }
      }
      numbers[layer.index] = own
    }
    var pixels = [UInt8](repeating: 255, count: image.layer.count * 4)
    var last: (layer: Int16, row: Int32, number: Int) = (-1, -1, 0)
    for at in image.layer.indices {
      if image.layer[at] != last.layer || image.row[at] != last.row {
        let number = image.layer[at] < 0 ? 0 : numbers[Int(image.layer[at])]?[image.row[at]] ?? 0
        last = (image.layer[at], image.row[at], number)
      }
      pixels[at * 4] = UInt8(truncatingIfNeeded: last.number >> 16)
      pixels[at * 4 + 1] = UInt8(truncatingIfNeeded: last.number >> 8)
      pixels[at * 4 + 2] = UInt8(truncatingIfNeeded: last.number)
    }
    return try Bitmap(width: image.width, height: image.height, pixels: pixels)
  }

  /// Returns the number of the pixel's owner; 0 for none.
  static func owner(in picture: Bitmap, at pixel: Int) -> Int {
    let at = pixel * 4
    return Int(picture.pixels[at]) << 16 | Int(picture.pixels[at + 1]) << 8 | Int(picture.pixels[at + 2])
  }
}

/// The names and attributes by which users recognise a table's features.
struct FeatureTexts: Sendable {
  private let table: FeatureColumns
  private let ids: ObjectIDs
  private let nameColumn: Int?

  init(_ table: FeatureColumns) {
    self.table = table
    ids = ObjectIDs(table)
    nameColumn = table.columns.firstIndex { $0.type == .text }
  }

  func id(ofRow row: Int32) -> Int64 { ids.id(ofRow: Int(row)) }

  /// Returns the value of the row's first text field, at most 40 characters.
  func name(ofRow row: Int32) -> String {
    nameColumn.map { String(table.columns[$0].value(at: Int(row)).plainText.prefix(40)) } ?? ""
  }

  /// Returns the first fields and their values for the feature with an id; nil if there is none.
  func attributes(ofID id: Int64, limit: Int = 6) -> [(name: String, value: String)]? {
    guard let row = (0..<table.rowCount).first(where: { ids.id(ofRow: $0) == id }) else { return nil }
    return zip(table.schema.fields, table.columns).prefix(limit).map { field, column in
      (field.name, String(column.value(at: row).plainText.prefix(60)))
    }
  }
}

extension JSONValue {
  /// The value with long texts, such as images, replaced by their hashes.
  var shortened: JSONValue {
    switch self {
    case .string(let text) where text.utf8.count > 400:
      return .string("\(text.utf8.count) bytes, hash \(StableHash.hexadecimal(of: Array(text.utf8)))")
    case .array(let elements): return .array(elements.map(\.shortened))
    case .object(var object):
      for member in object.members { object[member.name] = member.value.shortened }
      return .object(object)
    default: return self
    }
  }
}

extension DisplayBatch {
  /// The row of every item, in painting order.
  fileprivate var itemRows: [Int32] {
    switch self {
    case .markers(let markers): markers.row
    case .paths(let paths): paths.row
    case .shapes(let shapes): shapes.paths.row
    case .labels(let labels): labels.items.map(\.row)
    case .image: []
    }
  }
}

extension DisplayLayer {
  fileprivate func record(
    name: String, classes: [String], texts: FeatureTexts?, textLimit: Int,
    funnel: [(name: String, count: Int)], isPart: Bool = false
  ) -> PictureRecord.Layer {
    var looks: [PictureRecord.Look] = []
    var places: [PictureRecord.Look: Int] = [:]
    var items: [PictureRecord.Item] = []
    // Parts of a page have texts and no funnel, like labels.
    var isLabels = isPart
    func look(_ classIndex: Int, _ text: String) -> Int {
      let look = PictureRecord.Look(classIndex: classIndex, text: text)
      if let place = places[look] { return place }
      looks.append(look)
      places[look] = looks.count - 1
      return looks.count - 1
    }
    let hasTexts = batches.reduce(0) { $0 + $1.itemRows.count } <= textLimit
    func add(_ row: Int32, _ look: Int, _ place: [Double], _ text: String? = nil) {
      let text = text ?? (hasTexts ? texts?.name(ofRow: row) ?? "" : "")
      // Coordinates are rounded as in the file, so that a new record and one that was read compare equal.
      let place = place.map { ($0 * 1000).rounded() / 1000 }
      items.append(PictureRecord.Item(id: texts?.id(ofRow: row) ?? 0, look: look, place: place, text: text))
    }
    func add(_ paths: PathBatch) {
      let used = paths.styles.map { ($0.classIndex, $0.dump) }
      for item in paths.row.indices {
        let (classIndex, text) = used[Int(paths.style[item])]
        add(
          paths.row[item], look(classIndex, "\(paths.geometry.kind.rawValue) \(text)"),
          paths.geometry.summary(ofRow: item))
      }
    }
    for batch in batches {
      switch batch {
      case .markers(let markers):
        let used = markers.styles.map { ($0.classIndex, $0.dump) }
        for item in markers.row.indices {
          let (classIndex, text) = used[Int(markers.style[item])]
          add(markers.row[item], look(classIndex, text), [markers.x[item], markers.y[item]])
        }
      case .paths(let paths): add(paths)
      case .shapes(let shapes): add(shapes.paths)
      case .image: break
      case .labels(let labels):
        isLabels = true
        for item in labels.items {
          let style = labels.styles[Int(item.style)]
          add(
            item.row, look(style.classIndex, style.dump),
            [item.box.xMin, item.box.yMin, item.box.xMax, item.box.yMax], item.text)
        }
      }
    }
    return PictureRecord.Layer(
      name: name, isLabels: isLabels, opacity: opacity, classes: classes, looks: looks, items: items,
      funnel: funnel)
  }
}

extension CoordinateBuffer {
  /// Returns numbers that distinguish shapes to a hundredth of a pixel, and that change little when vertices move.
  ///
  /// They are the sides of the bounding box, the number of vertices, the length, and the first moments along both
  /// axes.
  fileprivate func summary(ofRow row: Int) -> [Double] {
    let box = envelope(ofRow: row)
    // A shape without vertices has no box.
    guard !box.isEmpty else { return [Double](repeating: 0, count: 8) }
    var (count, length, alongX, alongY) = (0, 0.0, 0.0, 0.0)
    for part in parts(ofRow: row) {
      let range = vertices(ofPart: part)
      count += range.count
      for vertex in range.dropFirst() {
        let (dx, dy) = (x[vertex] - x[vertex - 1], y[vertex] - y[vertex - 1])
        let step = (dx * dx + dy * dy).squareRoot()
        length += step
        alongX += step * (x[vertex] + x[vertex - 1]) / 2
        alongY += step * (y[vertex] + y[vertex - 1]) / 2
      }
    }
    let divisor = length > 0 ? length : 1
    return [
      box.xMin, box.yMin, box.xMax, box.yMax, Double(count), length, alongX / divisor, alongY / divisor,
    ]
  }
}
