import MapGeometry
package import MapJSON
public import MapModel

extension Map {
  /// Returns the map as the text of a web map document.
  ///
  /// Unknown members round-trip unchanged; edited properties are written with their current values. These properties
  /// are:
  ///
  /// - the layers with their filters, symbols, visibility, opacity and scales
  /// - the basemap, tables and bookmarks
  /// - the initial viewpoint and time, the scale limits and the background.
  ///
  /// A table is written as its address or full path; a table in memory is written with its features. Before a map has
  /// read its document, the text lacks the document's layers.
  public func toJSON() -> String { json.text(style: .pretty) }

  /// The map as a web map document.
  package var json: JSONValue {
    ModelGate.withLock {
      let now = state.snapshot
      let read = now.webMap
      let known = now.isOpened ? now : (read.map { State(of: $0) } ?? State()).under(now)
      var root = read?.source?.object ?? JSONObject()
      root["operationalLayers"] = .array(
        OperationalLayerWriter(read: read, isOpened: now.isOpened).entries(of: now.layers))
      if root["baseMap"] == nil || known.basemap !== read?.basemap {
        root["baseMap"] = WebMap.json(known.basemap)
      } else if let read, let basemap = known.basemap, now.isOpened, !basemap.isAsRead {
        root["baseMap"] = read.changedJSON(basemap)
      }
      if known.initialViewpoint != read?.viewpoint {
        root.set(["initialState", "viewpoint"], known.initialViewpoint.map { EsriViewpointCodec.json($0) })
      }
      if known.initialTimeExtent != read?.timeExtent {
        root.set(["initialState", "timeExtent"], known.initialTimeExtent.map { WebMap.json($0) })
      }
      for (name, scale, before) in [
        ("minScale", known.minScale, read?.minScale), ("maxScale", known.maxScale, read?.maxScale),
        ("referenceScale", known.referenceScale, read?.referenceScale),
      ] where scale != before ?? 0 {
        root[name] = .number(scale)
      }
      if known.backgroundColor != read?.background ?? .white {
        let color = known.backgroundColor ?? Color(red: 0, green: 0, blue: 0, alpha: 0)
        root["background"] = ["color": EsriMembers.json(color)]
      }
      if known.bookmarks != read?.bookmarks ?? [] { root["bookmarks"] = bookmarks(known.bookmarks, read) }
      if let tables = tables(now) { root["tables"] = tables }
      if root["spatialReference"] == nil { root["spatialReference"] = spatialReference.json }
      if root["version"] == nil { root["version"] = "2.31" }
      return .object(root)
    }
  }

  /// Returns the bookmarks, unchanged ones as they were read, followed by those that could not be read.
  private func bookmarks(_ bookmarks: [Bookmark], _ read: WebMap?) -> JSONValue {
    var report = DocumentReport()
    let raw = read?.source?["bookmarks"] ?? []
    let checked = try? DocumentWalk.check(JSONNode(["bookmarks": raw]), as: .map, &report)
    var left = zip(raw.array ?? [], checked?["bookmarks"]?.value.array ?? []).map { value, checked in
      (value: value, bookmark: WebMap.bookmark(JSONNode(checked), &report))
    }
    var written: [JSONValue] = []
    for bookmark in bookmarks {
      if let place = left.firstIndex(where: { $0.bookmark == bookmark }) {
        written.append(left.remove(at: place).value)
      } else {
        written.append([
          "name": .string(bookmark.name), "viewpoint": EsriViewpointCodec.json(bookmark.viewpoint),
        ])
      }
    }
    return .array(written + left.filter { $0.bookmark == nil }.map(\.value))
  }

  /// Returns the tables, unchanged ones as they were read; nil when there are none and never were.
  private func tables(_ now: State) -> JSONValue? {
    let raw = now.webMap?.source?["tables"]?.array ?? []
    let read = now.isOpened ? now.webMap?.tables ?? [] : []
    // A table that could not be opened stays.
    let unread = raw.indices.filter { index in !read.contains { $0.entry == index && $0.isOpened } }
    var written: Set<Int> = []
    let own = now.tables.compactMap { table -> JSONValue? in
      let content = table.table.content.snapshot
      if let origin = content.origin, origin.isOf(now.webMap), let entry = origin.entry,
        raw.indices.contains(entry)
      {
        // Tables of one collection or group share an entry.
        return written.insert(entry).inserted ? raw[entry] : nil
      }
      var layer = WebMapLayer(id: "", title: content.name, url: "")
      layer.content = table.writtenContent
      return layer.json
    }
    guard !raw.isEmpty || !own.isEmpty else { return nil }
    return .array(own + unread.map { raw[$0] })
  }
}
