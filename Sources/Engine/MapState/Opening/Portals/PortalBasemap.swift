import MapDocuments
import MapJSON
package import MapModel
import MapSystem

/// Basemaps that are items of a portal.
extension SourceCatalog {
  /// The number of items that one answer of a search has.
  ///
  /// - Source: ArcGIS REST API, "Search": at most 100.
  private static let pageSize = 100
  /// The greatest number of items of a gallery.
  ///
  /// - Source: design decision; the gallery of ArcGIS Online has fewer than 100.
  private static let most = 1000

  /// Returns the basemap of a style, of tiles, or of an item of a portal, and the warnings about it.
  ///
  /// The basemap of a web map is its own, without its other layers; that of a layer is the layer.
  /// - Throws: ``MapStateError``.
  package func basemap(
    at place: String
  ) async throws(MapStateError) -> (basemap: Basemap, warnings: [DocumentWarning]) {
    let item = PortalItemAddress(source: place, portal: services.portal)
    guard let item, try standIn(for: item.url) == nil else {
      return (Basemap(baseLayer: try await basemapLayer(at: item?.url ?? place)), [])
    }
    return try await basemap(of: services.item(item))
  }

  /// Returns the basemap with a title in the gallery of the portal, and the warnings about it.
  ///
  /// - Throws: ``MapStateError`` of kind usage for a title that no basemap has, with the nearest ones.
  package func basemap(
    titled title: String
  ) async throws(MapStateError) -> (basemap: Basemap, warnings: [DocumentWarning]) {
    let portal = PortalItemAddress.base(services.portal ?? PortalItemAddress.arcGISOnline)
    let items = try await gallery(of: portal)
    let titles = items.map { $0["title"]?.string ?? "" }
    let wanted = title.lowercased()
    guard let index = titles.firstIndex(where: { $0.lowercased() == wanted }),
      let address = PortalItemAddress(items[index]["id"]?.string ?? "", in: portal)
    else {
      let containing = titles.filter { $0.lowercased().contains(wanted) }
      let near = containing.isEmpty ? NearestName.all(of: title, among: titles) : containing
      let advice = near.isEmpty ? "" : "did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))? "
      throw MapStateError(
        .usage,
        "\(portal): no basemap titled \"\(title)\" in its gallery; \(advice)available: "
          + titles.filter { !$0.isEmpty }.joined(separator: ", "), suggestion: near.first)
    }
    return try await basemap(of: PortalItemDescription(items[index], at: address))
  }

  /// Returns the items of the gallery of basemaps: those of the group that the portal names.
  private func gallery(of portal: String) async throws(MapStateError) -> [JSONValue] {
    let service = portal + "/sharing/rest"
    let settings = try await services.portalJSON(at: service + "/portals/self")
    let names = ["basemapGalleryGroupQuery", "vectorBasemapGalleryGroupQuery"]
    guard let query = names.lazy.compactMap({ settings[$0]?.string }).first(where: { !$0.isEmpty }) else {
      throw MapStateError(.service, "\(portal): the portal names no group of basemaps")
    }
    let groups = try await results(of: service + "/community/groups", query, most: 1)
    guard let group = groups.first?["id"]?.string, PortalItemAddress.isID(group) else {
      throw MapStateError(.service, "\(portal): its group of basemaps is not found: \(query)")
    }
    return try await results(
      of: service + "/content/groups/\(group)/search", "type:\"web map\"", most: Self.most)
  }

  /// Returns the results of a search, from all its pages.
  ///
  /// - Throws: ``MapStateError`` also for an answer without results, and for more results than `most` above one page.
  private func results(
    of address: String, _ query: String, most: Int
  ) async throws(MapStateError) -> [JSONValue] {
    var (found, start) = ([JSONValue](), 1)
    while true {
      let page = try await services.portalJSON(
        at: address, [("q", query), ("num", "\(Self.pageSize)"), ("start", "\(start)")])
      guard let results = page["results"]?.array else {
        throw MapStateError(.service, "\(address): its answer has no \"results\"")
      }
      found += results
      let next = page["nextStart"]?.integer ?? -1
      guard next > start, found.count < most else {
        let total = page["total"]?.integer ?? found.count
        guard most == 1 || found.count >= total else {
          throw MapStateError(.service, "\(address): sent \(found.count) of \(total) results")
        }
        return found
      }
      start = next
    }
  }

  private func basemap(
    of item: PortalItemDescription
  ) async throws(MapStateError) -> (basemap: Basemap, warnings: [DocumentWarning]) {
    let map = try await webMap(of: item)
    let basemap: JSONValue =
      item.isMap
      ? map["baseMap"] ?? [:]
      : ["title": .string(item.title), "baseMapLayers": map["operationalLayers"] ?? []]
    var catalog = self
    (catalog.allowedFolders, catalog.services.portal, catalog.drawingData) = ([], item.address.portal, nil)
    (catalog.joins, catalog.reading) = (TableJoins(), ReadingOptions())
    let name = item.address.url
    let document = try await MapDocument.open(
      json: ["operationalLayers": [], "baseMap": basemap], name: name, folder: name + "/", catalog: catalog)
    guard let basemap = document.map.basemap else {
      throw MapStateError(
        .service,
        "\(name): the item \"\(item.title)\" has no basemap that can be drawn"
          + (document.warnings.first.map { ": \($0)" } ?? ""))
    }
    let warnings = document.warnings.filter { !$0.isRemark }.map {
      DocumentWarning(path: nil, message: "basemap \"\(item.title)\": \($0)", outcome: $0.outcome)
    }
    return (basemap, warnings)
  }
}
