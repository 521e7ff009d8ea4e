import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders

/// Fetches features page by page until their number matches the count.
///
/// A page that the service marks as cut is continued from its end. The mark may be missing or wrong. At the end, the
/// number of features and the uniqueness of their ids are therefore verified.
struct ArcGISPages: Sendable {
  let layer: ArcGISLayer
  let query: ArcGISResource
  /// The number of features expected.
  let count: Int
  /// Whether `count` covers all matching features; false if only the first ones are requested.
  let isWhole: Bool

  /// The number of pages requested at once.
  private static let concurrency = 4
  /// The number of ids in one request; services accept about a thousand.
  static let idLimit = 1000

  /// A part of the features: a range of all features in the order of their ids, or a list of ids.
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
      // Pages that were requested while no other was under way.
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
          // The pages together need more memory than is available; each alone may fit.
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
    // If several pages fail, the error of the first page is reported, whatever order they arrive in.
    let tables = try answers.sorted { $0.place < $1.place }.map { try $0.table.get() }
    return try ordered(FeatureColumns(joining: tables, schema: layer.schema))
  }

  private func result(_ page: Page) async -> Result<FeatureColumns, any Error> {
    do { return .success(try await self.page(page)) } catch { return .failure(error) }
  }

  // MARK: Page selection

  private func pages(_ parts: [ArcGISResource.Parameters]) async throws -> [Page] {
    let size = layer.description.abilities.maxRecordCount
    if parts.count == 1, count <= size { return [.stretch(parts[0], 0..<count)] }
    guard layer.description.idField != nil else {
      throw layer.fault("no object id field: \(count) features cannot be fetched in pages of \(size)")
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

  /// Returns the ids of a part in ascending order.
  private func ids(_ part: ArcGISResource.Parameters) async throws(ServiceError) -> [Int64] {
    let answer = try await query.response(part + [("returnIdsOnly", "true"), ("f", "json")])
    var ids: [Int64] = []
    let node = try answer.json(inBatches: "objectIds") { (values) throws(JSONDecodingError) in
      for value in values { ids.append(Int64(try value.integer())) }
    }
    return try answer.read { () throws(JSONDecodingError) in
      // Older services write null if there are none.
      guard node.value.object?.index(of: "objectIds") != nil else {
        throw JSONDecodingError(.missing, at: node.path["objectIds"])
      }
      _ = try node.elements("objectIds")
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
        throw query.fault("expected the features of \(ids.count) ids, received \(table.rowCount)")
      }
      return table
    case .stretch(let part, let rows): return try await stretch(part, rows)
    }
  }

  /// Fetches a range of features, in as many answers as the service needs.
  ///
  /// The last range requests a full page, so that a count that was too small is detected.
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
        "expected \(rows.count) features starting at \(rows.lowerBound + 1) of \(count), received \(start - rows.lowerBound)"
      )
    }
    guard !isCut || abilities.canPage || !isWhole else {
      throw query.fault("it reports more features than the \(count) that it counts")
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
    let form = layer.description.form
    var tables: [FeatureColumns] = []
    let node = try answer.json(inBatches: "features") { (features) throws(JSONDecodingError) in
      tables.append(try form.table(of: features, isFirst: tables.isEmpty))
    }
    return try answer.read { () throws(JSONDecodingError) in
      let isCut = try node.boolean("exceededTransferLimit") ?? false
      _ = try node.required("features").elements()
      try form.checkReference(of: node)
      return (tables.count == 1 ? tables[0] : FeatureColumns(joining: tables, schema: form.schema), isCut)
    }
  }

  // MARK: All pages

  /// Returns the features in the order of their ids, after verifying their number.
  private func ordered(_ table: FeatureColumns) throws(ServiceError) -> FeatureColumns {
    let ordered = try byID(table)
    guard table.rowCount == count else {
      throw query.fault("its pages hold \(table.rowCount) features, but it counts \(count)")
    }
    return ordered
  }

  private func byID(_ table: FeatureColumns) throws(ServiceError) -> FeatureColumns {
    guard let idField = layer.description.idField, let place = layer.schema.index(ofField: idField),
      let ids = table.columns[place].integers
    else { return table }
    guard table.columns[place].validity == nil else { throw query.fault("a feature without an object id") }
    if zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { return table }
    let rows = ids.indices.sorted { ids[$0] < ids[$1] }
    for (first, second) in zip(rows, rows.dropFirst()) where ids[first] == ids[second] {
      throw query.fault("the feature with object id \(ids[first]) occurs twice in its pages")
    }
    return table.rows(rows)
  }
}

extension ArcGISAnswer {
  /// Returns a page in protocol buffers; nil if its coordinates are rounded more coarsely than the stored ones.
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
