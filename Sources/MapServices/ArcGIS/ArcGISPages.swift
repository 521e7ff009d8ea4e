import MapFeatures
import MapFilter
import MapGeometry
import MapJSON

/// The fetching of features page by page, until there are as many as were counted.
///
/// A page that the service says is cut goes on from where it ended; what it says is not believed alone, and in the end
/// the number of features and that no id comes twice are checked.
struct ArcGISPages: Sendable {
  let layer: ArcGISLayer
  let query: ArcGISResource
  /// How many features must come.
  let count: Int
  /// False where more follow that are not asked for.
  let isWhole: Bool

  /// Pages that are under way at once.
  private static let concurrency = 4
  /// Ids in one question; services take about a thousand.
  static let idLimit = 1000

  /// A part of the features: a stretch of all in the order of their ids, or some ids.
  private enum Page: Sendable {
    case stretch(ArcGISResource.Parameters, Range<Int>)
    case ids(ArcGISResource.Parameters, [Int64])
  }

  func features(_ parts: [ArcGISResource.Parameters]) async throws -> FeatureColumns {
    let pages = try await pages(parts)
    let answers = await withTaskGroup(of: (place: Int, table: Result<FeatureColumns, any Error>).self) {
      group in
      var answers: [(place: Int, table: Result<FeatureColumns, any Error>)] = []
      var waiting = Array(pages.indices.reversed())
      var (underWay, most) = (0, Self.concurrency)
      // Pages that were asked for alone.
      var alone: Set<Int> = []
      func start() {
        while underWay < most, let place = waiting.popLast() {
          if most == 1 { alone.insert(place) }
          underWay += 1
          group.addTask { await (place, self.result(pages[place])) }
        }
      }
      start()
      for await answer in group {
        underWay -= 1
        if case .failure(let error as ServiceError) = answer.table, error.kind == .memory,
          !alone.contains(answer.place)
        {
          // Together they need more memory than there is; each alone may not.
          most = 1
          waiting.append(answer.place)
        } else {
          answers.append(answer)
          if case .failure = answer.table { (waiting, most) = ([], 0) }
        }
        start()
      }
      return answers
    }
    // Of several errors that of the first page counts, in whatever order they come.
    let tables = try answers.sorted { $0.place < $1.place }.map { try $0.table.get() }
    return try ordered(FeatureColumns(joining: tables, schema: layer.schema))
  }

  private func result(_ page: Page) async -> Result<FeatureColumns, any Error> {
    do { return .success(try await self.page(page)) } catch { return .failure(error) }
  }

  // MARK: Which pages

  private func pages(_ parts: [ArcGISResource.Parameters]) async throws -> [Page] {
    let size = layer.description.abilities.maxRecordCount
    if parts.count == 1, count <= size { return [.stretch(parts[0], 0..<count)] }
    guard layer.description.idField != nil else {
      throw layer.fault("\(count) features, and no field of object ids to fetch them by in pages of \(size)")
    }
    if parts.count == 1, layer.description.abilities.canPage, layer.description.abilities.canOrder {
      return stride(from: 0, to: count, by: size).map { .stretch(parts[0], $0..<min($0 + size, count)) }
    }
    var pages: [Page] = []
    for part in parts {
      let ids = try await ids(part)
      for start in stride(from: 0, to: ids.count, by: min(size, Self.idLimit)) {
        pages.append(.ids(part, Array(ids[start..<min(start + min(size, Self.idLimit), ids.count)])))
      }
    }
    return pages
  }

  /// The ids of a part, ascending.
  private func ids(_ part: ArcGISResource.Parameters) async throws(ServiceError) -> [Int64] {
    let answer = try await query.response(part + [("returnIdsOnly", "true"), ("f", "json")])
    let node = try answer.json()
    return try answer.read { () throws(JSONDecodingError) in
      // Older services write null for none.
      guard node.value.object?.index(of: "objectIds") != nil else {
        throw JSONDecodingError(.missing, at: node.path["objectIds"])
      }
      var ids: [Int64] = []
      for id in try node.elements("objectIds") { ids.append(Int64(try id.integer())) }
      return ids.sorted()
    }
  }

  // MARK: One page

  private func page(_ page: Page) async throws -> FeatureColumns {
    switch page {
    case .ids(let part, let ids):
      let list = ids.map { String($0) }.joined(separator: ",")
      let parameters = part.filter { $0.name != "objectIds" } + [("objectIds", list)]
      let table = try await answer(parameters).table
      guard table.rowCount == ids.count else {
        throw query.fault("\(table.rowCount) features came where \(ids.count) ids were asked for")
      }
      return table
    case .stretch(let part, let rows): return try await stretch(part, rows)
    }
  }

  /// A stretch, in as many answers as the service needs for it.
  ///
  /// Of the last one more is asked for than there should be, so that a number that was too small shows.
  private func stretch(
    _ part: ArcGISResource.Parameters, _ rows: Range<Int>
  ) async throws -> FeatureColumns {
    let abilities = layer.description.abilities
    let isLast = isWhole && rows.upperBound == count
    let size = isLast ? abilities.maxRecordCount : rows.count
    var (tables, start, isCut): ([FeatureColumns], Int, Bool) = ([], rows.lowerBound, true)
    while start < rows.upperBound || isLast, isCut {
      var parameters = part
      if let idField = layer.description.idField, abilities.canOrder {
        parameters.append(("orderByFields", idField))
      }
      if abilities.canPage {
        parameters += [
          ("resultOffset", "\(start)"), ("resultRecordCount", "\(max(1, rows.lowerBound + size - start))"),
        ]
      }
      let table: FeatureColumns
      (table, isCut) = try await answer(parameters)
      tables.append(table)
      start += table.rowCount
      if table.rowCount == 0 || start > rows.upperBound || !abilities.canPage { break }
    }
    guard start >= rows.upperBound else {
      throw query.fault(
        "\(start - rows.lowerBound) features came of \(rows.count) from number \(rows.lowerBound + 1) on, of \(count) that it counts"
      )
    }
    guard !isCut || abilities.canPage || !isWhole else {
      throw query.fault("it says that more features follow the \(count) that it counts")
    }
    return FeatureColumns(joining: tables, schema: layer.schema)
  }

  private func answer(
    _ parameters: ArcGISResource.Parameters
  ) async throws(ServiceError) -> (table: FeatureColumns, isCut: Bool) {
    let names = layer.schema.fields.map(\.name).joined(separator: ",")
    var parameters = parameters + [("outFields", names)]
    if let reference = layer.schema.spatialReference {
      parameters += [("returnGeometry", "true"), ("outSR", "\(reference.wkid)")]
    } else {
      parameters.append(("returnGeometry", "false"))
    }
    if layer.buffers.areUsed {
      let answer = try await query.response(parameters + [("f", "pbf")])
      if let page = try answer.page(of: layer.schema) { return page }
      layer.buffers.stop()
    }
    let answer = try await query.response(parameters + [("f", "json")])
    let node = try answer.json()
    return try answer.read { () throws(JSONDecodingError) in
      let isCut = try node.boolean("exceededTransferLimit") ?? false
      return (try layer.description.form.page(node), isCut)
    }
  }

  // MARK: All of them

  /// The features by their ids, checked.
  private func ordered(_ table: FeatureColumns) throws(ServiceError) -> FeatureColumns {
    let ordered = try byID(table)
    guard table.rowCount == count else {
      throw query.fault("its pages hold \(table.rowCount) features where it counts \(count)")
    }
    return ordered
  }

  private func byID(_ table: FeatureColumns) throws(ServiceError) -> FeatureColumns {
    guard let idField = layer.description.idField, let place = layer.schema.index(ofField: idField),
      case .integers(let ids) = table.columns[place].storage
    else { return table }
    guard table.columns[place].validity == nil else { throw query.fault("a feature without an object id") }
    if zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { return table }
    let rows = ids.indices.sorted { ids[$0] < ids[$1] }
    for (first, second) in zip(rows, rows.dropFirst()) where ids[first] == ids[second] {
      throw query.fault("the feature with object id \(ids[first]) comes twice in its pages")
    }
    return table.rows(rows)
  }
}

extension ArcGISAnswer {
  /// A page in protocol buffers; nil where its coordinates are rounded more than those that are stored.
  fileprivate func page(of schema: FeatureSchema) throws(ServiceError) -> (
    table: FeatureColumns, isCut: Bool
  )? {
    let bytes = try buffer()
    do throws(ProtobufError) {
      let buffer = try FeatureBuffer(bytes)
      guard buffer.isExact(for: schema) else { return nil }
      return (try buffer.columns(of: schema), buffer.isCut)
    } catch { throw malformed("protocol buffers: \(error)") }
  }
}

extension ArcGISResource {
  func fault(_ reason: String) -> ServiceError { ServiceError(reason, at: url) }
}
