import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyles
import MapSystem
import MapTiles

/// The place of tiles on a server.
struct ServedPlace {
  /// The address of an archive, of a description, or a template.
  let address: String
  /// Whether a person named the host.
  let isNamedByPerson: Bool
  /// The description of a TileJSON file; nil without one.
  var description: TileMetadata?
  /// The least and the greatest level of a TileJSON file; nil where it states none.
  var zooms: (least: Double?, greatest: Double?) = (nil, nil)

  /// The index of the tiles of an Esri service; nil without one.
  var presence: TilePresence?

  /// Whether it is an archive that is read by byte ranges.
  var isArchive: Bool { FilePath.pathExtension(of: SourceAddress.shown(address)) == "pmtiles" }
}

/// Sources of a style whose tiles are on a server.
extension StyleSourceOpening {
  /// The levels of a template that states none.
  ///
  /// - Source: MapLibre Style Specification, sources of the type `vector`: 0 to 22.
  private static let templateZooms = 0...22

  /// Opens vector tiles: an archive, the tiles at a template, or those of a description.
  ///
  /// - Throws: ``MapStateError``.
  func vectorTiles(of place: ServedPlace) async throws(MapStateError) -> VectorTiles {
    if place.isArchive || source.url?.hasPrefix("pmtiles://") == true { return try await archive(at: place) }
    guard !TileTemplate.isTemplate(place.address) else { return try tiles(at: place, takesAncestors: false) }
    let (served, address) = try await description(at: place)
    let template = try StylePlace.resolved(served.template, at: address)
    // An answer is not a person: it may name only its own host.
    let isSame = StylePlace(address: place.address, isNamedByDocument: false).isNamedByPerson(template)
    var tiled = ServedPlace(address: template, isNamedByPerson: place.isNamedByPerson && isSame)
    (tiled.description, tiled.zooms) = (served.metadata, served.zooms)
    if let index = served.index { tiled.presence = await presence(at: index, of: address, place) }
    return try tiles(at: tiled, takesAncestors: served.takesAncestors, describedAt: place.address)
  }

  private func tiles(
    at place: ServedPlace, takesAncestors: Bool, describedAt description: String? = nil
  ) throws(MapStateError) -> VectorTiles {
    let shown = SourceAddress.shown(place.address)
    let fetch = try files.catalog.services.vectorTiles(
      at: place.address,
      secretsOf: description.flatMap { $0.contains("?") ? $0 : nil } ?? files.place.address,
      isNamedByDocument: !place.isNamedByPerson)
    let layers = place.description?.vectorLayers.map(\.name) ?? []
    return VectorTiles(
      place: shown, zooms: try zooms(Self.templateZooms, place.zooms, shown),
      extent: bounds ?? place.description?.extent, attribution: place.description?.attribution ?? "",
      layers: self.layers, layerNames: layers.isEmpty ? nil : layers,
      fields: (place.description?.vectorLayers ?? []).fieldNames, takesAncestors: takesAncestors,
      fetchAll: place.presence.map { $0.asking(fetch) } ?? fetch)
  }

  /// Returns the index of a service's tiles; nil if it cannot be read.
  ///
  /// Without it, all tiles are asked for.
  private func presence(at index: String, of service: String, _ place: ServedPlace) async -> TilePresence? {
    guard let address = try? StylePlace.resolved(index, at: service) else { return nil }
    let isSame = StylePlace(address: place.address, isNamedByDocument: false).isNamedByPerson(address)
    let bytes = try? await files.catalog.services.content(
      at: SourceAddress.withParameter("f=json", address), secretsOf: files.place.address,
      isNamedByDocument: !(place.isNamedByPerson && isSame), limit: ServedTiles.descriptionBytes,
      isGood: StyleFiles.Kind.json.isGood)
    return (bytes ?? nil).flatMap { try? JSONValue(parsing: $0) }.flatMap { TilePresence($0) }
  }

  /// Returns the description at an address, and the address against which its template is resolved.
  private func description(
    at place: ServedPlace
  ) async throws(MapStateError) -> (ServedVectorTiles, address: String) {
    let isService = SourceAddress.isVectorTileServer(place.address)
    let address = isService ? SourceAddress.withParameter("f=json", place.address) : place.address
    let shown = SourceAddress.shown(place.address)
    let bytes = try await files.catalog.services.content(
      at: address, secretsOf: files.place.address, isNamedByDocument: !place.isNamedByPerson,
      limit: ServedTiles.descriptionBytes, isGood: ServedTiles.isDescription)
    guard let bytes else { throw MapStateError(.service, "\(shown): does not exist") }
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      throw MapStateError(.service, "\(shown): is HTML or XML, not TileJSON")
    }
    do {
      let json = try JSONValue(parsing: bytes)
      // The paths of a service are relative to itself.
      return (
        try ServedVectorTiles(json, at: shown),
        isService ? SourceAddress.folder(place.address) : place.address
      )
    } catch {
      throw MapStateError(.service, error is TileFileError ? "\(error)" : "\(shown): \(error)", cause: error)
    }
  }

  private func archive(at place: ServedPlace) async throws(MapStateError) -> VectorTiles {
    let archive = try await pmtiles(at: place)
    try Self.checkVector(archive.format, archive.place)
    let layers = archive.metadata.vectorLayers.map(\.name)
    return VectorTiles(
      place: archive.place, zooms: try zooms(archive.zooms, (nil, nil), archive.place),
      extent: bounds ?? archive.metadata.extent, attribution: archive.metadata.attribution,
      layers: self.layers,
      layerNames: layers.isEmpty ? nil : layers, fields: archive.metadata.vectorLayers.fieldNames
    ) { tiles in await archive.tiles(tiles).mapValues { $0.flatMap(Self.unpacked) } }
  }

  /// Returns a tile without gzip, which the header of an archive may not state.
  private static func unpacked(_ bytes: [UInt8]?) -> Result<[UInt8]?, TileError> {
    do throws(TileError) { return .success(try bytes.map(TileArchive.unpacked)) } catch {
      return .failure(error)
    }
  }

  private func pmtiles(at place: ServedPlace) async throws(MapStateError) -> ServedPMTiles {
    do {
      return try await ServedPMTiles(
        place: SourceAddress.shown(place.address),
        read: try files.catalog.services.parts(
          at: place.address, secretsOf: files.place.address, isNamedByDocument: !place.isNamedByPerson))
    } catch let error as MapStateError { throw error } catch {
      throw MapStateError(.service, "\(error)", cause: error)
    }
  }

  // MARK: Images

  /// Opens tiles of images: an archive, the tiles at a template, or those of a description.
  ///
  /// - Throws: ``MapStateError``.
  func images(of place: ServedPlace) async throws(MapStateError) -> any TileSource {
    let tiles: any TileSource
    if place.isArchive || source.url?.hasPrefix("pmtiles://") == true {
      do { tiles = try await DecodedTiles(try await pmtiles(at: place)) } catch {
        throw error as? MapStateError ?? MapStateError(.service, "\(error)", cause: error)
      }
    } else {
      tiles = try await files.catalog.webTiles(
        at: place.address, isNamedByDocument: !place.isNamedByPerson, subdomains: [], grid: nil,
        secretsOf: files.place.address)
    }
    let levels = tiles.scheme.levels.map(\.zoom)
    let zooms = try zooms((levels.min() ?? 0)...(levels.max() ?? 0), place.zooms, tiles.place)
    guard let part = PartialTiles(tiles, zooms: zooms, extent: bounds ?? place.description?.extent) else {
      throw MapStateError(.input, "\(tiles.place): has no tiles in the bounds of the source")
    }
    return part
  }
}

extension TilePresence {
  /// Returns a function that asks only for tiles that may exist.
  fileprivate func asking(_ fetch: @escaping VectorTiles.FetchAll) -> VectorTiles.FetchAll {
    { tiles in
      var results: [TileIndex: Result<[UInt8]?, TileError>] = [:]
      for tile in tiles {
        if hasNoData(tile) {
          results[tile] = .success([])
        } else if isBelowLeaf(tile) {
          results[tile] = .success(nil)
        }
      }
      let found = await fetch(tiles.filter { results[$0] == nil })
      return results.merging(found) { $1 }
    }
  }
}

extension SourceAddress {
  /// Whether an address is that of an Esri vector tile service.
  static func isVectorTileServer(_ address: String) -> Bool {
    folder(shown(address)).lowercased().hasSuffix("/vectortileserver/")
  }

  /// Returns an address with one slash at the end of its path, and its query.
  static func folder(_ address: String) -> String {
    let path = address.prefix { $0 != "?" }
    return String(path.reversed().drop { $0 == "/" }.reversed()) + "/" + address[path.endIndex...]
  }

  /// Returns an address with one more parameter.
  static func withParameter(_ pair: String, _ address: String) -> String {
    address + (address.contains("?") ? "&" : "?") + pair
  }
}
