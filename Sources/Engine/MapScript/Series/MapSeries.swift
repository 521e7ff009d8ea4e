import MapDrawing
public import MapFeatures
public import MapFilter
public import MapGeometry
package import MapJSON
public import MapLayout
import MapModel
import MapReaders
public import MapState
import MapSystem

/// A series of images: one for each feature of a layer, for each group of features, or for each step of time.
public struct MapSeries: Sendable {
  /// An image of the series.
  public struct Item: Sendable {
    /// The subject of an image.
    enum Subject: Sendable {
      /// Features of a layer, and the extent to show with its spatial reference.
      case features(objectIDs: [Int64], layer: Int, extent: Envelope)
      /// A span of time.
      case time(TimeExtent)
    }
    /// The subject of the image.
    let subject: Subject
    /// The path of the image.
    public let path: String
    /// The title and the line below it.
    let titles: (title: String, subtitle: String)

    /// The value of the group's field; nil for a feature and a step of time.
    public var group: AttributeValue?

    /// The id of the feature; nil for a group and a step of time.
    public var objectID: Int64? {
      if group == nil, case .features(let ids, _, _) = subject { ids.first } else { nil }
    }
    /// The number of features of the group and their extent; nil for a feature and a step of time.
    public var groupContents: (count: Int, extent: Envelope)? {
      if group != nil, case .features(let ids, _, let extent) = subject { (ids.count, extent) } else { nil }
    }
    /// The time of the image; nil for a feature.
    public var time: TimeExtent? { if case .time(let time) = subject { time } else { nil } }
  }

  /// The largest number of images of a series.
  ///
  /// - Source: design decision.
  static let limit = 10_000

  /// The images in the order of the features or steps.
  public let items: [Item]
  /// The features that have no image.
  public let warnings: [String]
  /// Whether everything but the feature of an image is muted.
  public var mutesOthers = false
  let document: MapDocument
  let view: MapView
  let request: ViewRequest
  /// The layout, with the extents of its insets.
  let layout: PageLayout

  /// Plans a series.
  ///
  /// - Parameters:
  ///   - document: the map.
  ///   - layer: the layer whose features that match its definition expression get an image.
  ///   - field: the field whose values make groups of features, each with an image; nil for an image of each feature.
  ///   - path: the path of each image, with fields in braces; for groups, the field and `{count}`.
  ///   - layout: the layout; its titles may have fields in braces.
  /// - Throws: `MapStateError`.
  public init(
    _ document: MapDocument, by layer: String, field: String? = nil, path: String, _ request: ViewRequest,
    _ layout: PageLayout
  ) async throws(MapStateError) {
    let (name, title) = (try NameTemplate(path), try NameTemplate(layout.title))
    let subtitle = try NameTemplate(layout.subtitle)
    let request = request.atOneTime.onScreen
    (self.document, self.request) = (document, request)
    var place = request
    place.fitsDefaultView = false
    view = try await document.view(place)
    let frozen = view.freeze()
    self.layout = try await document.placingInsets(of: layout, in: frozen)
    let index = try document.layerIndex(named: layer)
    let state = frozen.layers[index]
    var items: [Item] = []
    var warnings: [String] = []
    do {
      let query = try frozen.conditions(for: state, asking: FeatureQuestion(area: .everywhere)).query(
        for: .query)
      let fetched = try await state.source.fetch(query)
      let table = try fetched.shownColumns(on: frozen.spatialReference)
      let rows = try fetched.rows(query)
      let known = table.schema.fields.map(\.name)
      func column(_ name: String) throws(MapStateError) -> Int {
        guard let index = table.schema.index(ofField: name) else {
          throw Self.unknown(name, among: known, "layer \"\(state.name)\" has no field")
        }
        return index
      }
      let groupColumn = try field.map(column)
      for name in name.fields + title.fields + subtitle.fields {
        let index = groupColumn != nil && name == Self.countField ? nil : try column(name)
        if let index, let groupColumn, index != groupColumn {
          throw MapStateError(
            .usage, "{\(name)}: a series by groups has only {\(field ?? "")} and {\(Self.countField)}")
        }
      }
      let groups = groupColumn.map { Self.groups(rows, by: table.columns[$0]) } ?? rows.map { [$0] }
      guard groups.count <= Self.limit else {
        throw MapStateError(
          .input,
          "layer \"\(state.name)\" has \(groups.count) \(field == nil ? "features" : "groups"); "
            + "a series has at most \(Self.limit) images")
      }
      let ids = ObjectIDs(table)
      var paths = SeriesPaths()
      for group in groups {
        guard let first = group.first else { continue }
        func value(_ field: String) -> String {
          table.schema.index(ofField: field).map { table.columns[$0].value(at: first).labelText }
            ?? "\(group.count)"
        }
        let extent = try GroundExtent(
          of: [.rows(RowSet(rowCount: table.rowCount, rows: group), table)], on: view.plane
        ).extent()
        guard !extent.isEmpty else {
          let subject =
            field.map { "the group \($0) = \(value($0))" } ?? "feature \(ids.id(ofRow: first))"
          warnings.append("\(subject) of layer \"\(state.name)\" has no geometry and gets no image")
          continue
        }
        var item = Item(
          subject: .features(objectIDs: group.map { ids.id(ofRow: $0) }, layer: index, extent: extent),
          path: paths.unused(name.path(value)), titles: (title.text(value), subtitle.text(value)))
        item.group = groupColumn.map { table.columns[$0].value(at: first) }
        items.append(item)
      }
    } catch {
      throw MapStateError(error)
    }
    (self.items, self.warnings) = (items, warnings)
    if frozen.layers.contains(where: { $0.source.inMemory == nil }) { try await fetchOnce() }
  }

  /// The word in braces for the number of features of a group.
  private static let countField = "count"

  /// Returns the rows of each value of a column, in the order of their first rows; null is a value.
  private static func groups(_ rows: RowSet, by column: Column) -> [[Int]] {
    var (groups, places) = ([[Int]](), [AttributeValue: Int]())
    for row in rows {
      let value = column.value(at: row)
      if let place = places[value] {
        groups[place].append(row)
      } else {
        places[value] = groups.count
        groups.append([row])
      }
    }
    return groups
  }

  /// Fetches from services what the images show, so that few requests answer the whole series.
  private func fetchOnce() async throws(MapStateError) {
    var plan = layout
    // Classes in view and counts would fetch the features of each image.
    (plan.legendShowsViewOnly, plan.legendHasCounts) = (false, false)
    var views: [ViewState] = []
    for item in items { views.append(try await page(item, plan).map) }
    try await ViewState.fetch(forAll: views)
  }

  /// Plans a series with one image for each step of time from the first to the last feature with a time.
  ///
  /// Only layers with time fields change. All images show the same place. A time of the request limits the steps.
  ///
  /// - Parameters:
  ///   - document: the map.
  ///   - step: the length of the steps, which start at whole hours, days, weeks, months or years in UTC.
  ///   - path: the path of each image, with `{start}` and `{end}` for the first and the last unit of its step.
  ///   - layout: the layout; its titles may have the same words in braces.
  /// - Throws: `MapStateError`, also without a visible layer that has a time.
  public init(
    _ document: MapDocument, byTime step: TimeStep, path: String, _ request: ViewRequest,
    _ layout: PageLayout
  ) async throws(MapStateError) {
    let (name, title) = (try NameTemplate(path), try NameTemplate(layout.title))
    let subtitle = try NameTemplate(layout.subtitle)
    for field in name.fields + title.fields + subtitle.fields where !["start", "end"].contains(field) {
      throw Self.unknown(field, among: ["start", "end"], "a series by time has no field")
    }
    let request = request.atOneTime.onScreen
    (self.document, self.request) = (document, request)
    view = try await document.view(request)
    let frozen = view.freeze()
    self.layout = try await document.placingInsets(of: layout, in: frozen)
    let range = try await frozen.timeRange()
    guard let first = request.time?.start ?? range?.start, let last = request.time?.end ?? range?.end else {
      throw MapStateError(
        .input, "no visible layer has a time: a series by time needs a layer with timeInfo and values")
    }
    var (items, paths): ([Item], SeriesPaths) = ([], SeriesPaths())
    var start: Instant? = step.start(of: first)
    while let from = start, from <= last {
      guard items.count < Self.limit else {
        throw MapStateError(.input, "the time has more than \(Self.limit) steps; choose longer steps")
      }
      let next = step.next(after: from)
      let to = Instant(microseconds: (next?.microseconds ?? .max) - 1)
      func value(_ field: String) -> String { step.name(of: field == "start" ? from : to) }
      items.append(
        Item(
          subject: .time(TimeExtent(start: from, end: to)), path: paths.unused(name.path(value)),
          titles: (title.text(value), subtitle.text(value))))
      start = next
    }
    (self.items, warnings) = (items, [])
  }

  /// Returns statistics of an image as JSON: for each shown layer that has the fields, of its features in the extent.
  ///
  /// As other statistics, they ignore display filters. The time of the image applies.
  /// - Throws: `MapStateError`, also when no layer has the fields.
  public func statistics(
    _ query: StatisticsQuery, of page: MapPage
  ) async throws(MapStateError) -> JSONValue {
    let names = query.definitions.map(\.fieldName).filter { $0 != StatisticDefinition.allRows }
    let layers = page.map.layers.filter { layer in
      names.allSatisfy { layer.source.schema.index(ofField: $0) != nil }
    }
    if layers.isEmpty, let name = names.first {
      throw Self.unknown(
        name, among: page.map.layers.flatMap { $0.source.schema.fields.map(\.name) }, "no layer has the field"
      )
    }
    var answers: [JSONValue] = []
    for layer in layers where layer.isShown(atScale: page.map.viewpoint.scale) {
      var question = FeatureQuestion()
      question.time = page.map.conditions(for: layer).viewTime
      let table = try await page.map.statistics(of: layer, query, question)
      var answer: JSONObject = ["layer": .string(layer.name)]
      answer["records"] = table.json["records"] ?? []
      answers.append(.object(answer))
    }
    return .array(answers)
  }

  /// Returns the report on an image: its file, the feature or the time, the drawing, and the statistics that are asked.
  ///
  /// - Parameter file: the file of all images, and the page or image from 1; nil for a file of its own.
  /// - Throws: `MapStateError`.
  func report(
    on image: RenderedMap, of page: MapPage, _ item: Item, _ query: StatisticsQuery,
    in file: (path: String, page: Int)? = nil
  ) async throws(MapStateError) -> JSONValue {
    var report: JSONObject = ["file": .string(file?.path ?? item.path)]
    if let file { report["page"] = .number(file.page) }
    if let id = item.objectID { report["id"] = .number(Int(clamping: id)) }
    if let time = item.time { report["time"] = .string("\(time)") }
    for member in item.groupMembers { report[member.name] = member.value }
    report["report"] = image.report.json
    if !query.definitions.isEmpty { report["statistics"] = try await statistics(query, of: page) }
    return .object(report)
  }

  private static func unknown(_ field: String, among names: [String], _ text: String) -> MapStateError {
    let nearest = NearestName.of(field, among: names)
    return MapStateError(
      .input,
      "\(text) \"\(field)\"; "
        + (nearest.map { "did you mean \"\($0)\"?" }
          ?? "available: \(names.prefix(40).joined(separator: ", "))"),
      suggestion: nearest)
  }
}

extension MapSeries.Item {
  /// The members about a group in JSON: its value, its number of features and their extent; none for other images.
  package var groupMembers: [(name: String, value: JSONValue)] {
    guard let group, let (count, extent) = groupContents else { return [] }
    return [
      ("group", group.json), ("count", .number(count)), ("extent", extent.json),
      ("wkid", .number((extent.spatialReference ?? .webMercator).wkid)),
    ]
  }
}

/// The paths of a series, each only once.
private struct SeriesPaths {
  private var known: Set<String> = []

  /// Returns a path, with a number after its name if it was used before.
  mutating func unused(_ path: String) -> String {
    let suffix = FilePath.pathExtension(of: path)
    let stem = suffix.isEmpty ? path : String(path.dropLast(suffix.count + 1))
    var (unused, number) = (path, 1)
    // Names that differ only in case are the same file on some systems.
    while !known.insert(unused.lowercased()).inserted {
      number += 1
      unused = "\(stem)-\(number)" + (suffix.isEmpty ? "" : ".\(suffix)")
    }
    return unused
  }
}

extension ViewState {
  /// The first and the last instant of the features of visible layers with time fields; nil without any.
  fileprivate func timeRange() async throws(MapStateError) -> (start: Instant, end: Instant)? {
    var range: (start: Instant, end: Instant)?
    for layer in layers where layer.filtersByTime && layer.isShown(atScale: viewpoint.scale) {
      guard let info = layer.timeInfo else { continue }
      do {
        var question = FeatureQuestion(area: .everywhere)
        question.time = nil
        var conditions = conditions(for: layer, asking: question)
        conditions.question.time = nil
        let fetched = try await layer.source.fetch(conditions.query(for: .query))
        let table = try fetched.shownColumns(on: spatialReference)
        let columns = [info.startField, info.endField].compactMap { $0 }.compactMap {
          table.schema.index(ofField: $0)
        }
        for row in try fetched.rows(conditions.query(for: .query)) {
          for column in columns {
            let instant: Instant
            switch table.columns[column].value(at: row) {
            case .instant(let value): instant = value
            case .date(let date): instant = date.start
            default: continue
            }
            range = (min(range?.start ?? instant, instant), max(range?.end ?? instant, instant))
          }
        }
      } catch {
        throw MapStateError(error)
      }
    }
    return range
  }
}
