package import MapJSON
package import MapModel
import MapStyles
import MapSystem
import MapTiles

extension SourceCatalog {
  /// Reads the style at a path or address with its sources.
  ///
  /// - Throws: ``MapStateError``.
  func mapStyle(
    at path: String, isNamedByDocument: Bool = false
  ) async throws(MapStateError) -> MapStyle {
    if let scheme = SourceAddress.scheme(of: path), scheme != "file" {
      let served = try await servedStyle(at: path, isNamedByDocument: isNamedByDocument)
      guard let served else {
        throw MapStateError(.input, "\(SourceAddress.shown(path)): is not a MapLibre style of version 8")
      }
      return try await mapStyle(served.json, name: served.name, at: served.place)
    }
    let path = path.hasPrefix("file://") ? String(path.dropFirst("file://".count)) : path
    guard let json = try Self.style(at: path) else {
      throw MapStateError(.input, "\(path): is not a MapLibre style of version 8")
    }
    return try await mapStyle(json, name: path, folder: FilePath.folder(of: path))
  }

  /// Opens the sources of a style; one that cannot be had is named in ``MapStyle/missingSources``.
  ///
  /// - Parameter folder: the folder, or the address of a folder, at which relative addresses start.
  /// - Throws: ``MapStateError`` for JSON that is no style, and for ``styleTiles`` that cannot be used.
  package func mapStyle(
    _ json: JSONValue, name: String, folder: String
  ) async throws(MapStateError) -> MapStyle {
    try await mapStyle(json, name: name, at: StylePlace(folder: folder))
  }

  /// Opens the sources of a style at a place.
  ///
  /// - Throws: ``MapStateError``.
  func mapStyle(
    _ json: JSONValue, name: String, at place: StylePlace
  ) async throws(MapStateError) -> MapStyle {
    let files = StyleFiles(place: place, catalog: self)
    let document: StyleDocument
    do throws(StyleDocumentError) { document = try StyleDocument(json) } catch {
      throw MapStateError(.input, "\(name): \(error)", path: error.path.description, cause: error)
    }
    let given = try styleTiles.byName(of: document, name)
    var (sources, missing): ([String: MapStyle.Source], [String: String]) = ([:], [:])
    var attributions: [String] = []
    let used = Set(document.layers.compactMap(\.source))
    for source in document.sources where used.contains(source.name) {
      let opening = StyleSourceOpening(
        source: source, files: files, given: given[source.name],
        layers: Set(document.layers.filter { $0.source == source.name }.compactMap(\.sourceLayer)))
      do {
        let opened = try await opening.opened()
        sources[source.name] = opened.content
        attributions.append(opened.attribution)
      } catch {
        // What the user names must be there; what the style names may be missing.
        if let file = given[source.name] {
          throw MapStateError(.input, "--tiles \(file): \(error)", cause: error)
        }
        missing[source.name] = error.description
      }
    }
    let sprites = SpriteFiles(document.sprites, files)
    var glyphs: StyleGlyphs?
    var glyphProblem: String?
    do {
      glyphs = try document.glyphs.flatMap { url throws(MapStateError) in
        try StyleGlyphs(template: url, files)
      }
    } catch { glyphProblem = "glyph files are not read: \(error)" }
    return MapStyle(
      document, place: name, sources: sources,
      sprites: StyleSprites(files: sprites.files, isServed: sprites.isServed) {
        await sprites.read(isDouble: $0)
      },
      glyphs: glyphs, glyphProblem: glyphProblem, attribution: attributions.joinedOnce,
      missingSources: missing)
  }
}

extension [String] {
  /// Returns the archives of `--tiles`, each as `FILE` or `SOURCE=FILE`, by the names of the style's sources.
  ///
  /// - Throws: ``MapStateError`` of kind usage for a source that the style does not have, and for a file without a name
  ///   where several sources have tiles.
  fileprivate func byName(
    of style: StyleDocument, _ place: String
  ) throws(MapStateError) -> [String: String] {
    let tiled = style.sources.filter { [.vector, .raster, .rasterDEM].contains($0.type) }
    let list = tiled.map { "\"\($0.name)\"" }.joined(separator: ", ")
    var files: [String: String] = [:]
    for text in self {
      if let equals = text.firstIndex(of: "="),
        let source = tiled.first(where: { $0.name == text[..<equals] })
      {
        files[source.name] = String(text[text.index(after: equals)...])
        continue
      }
      guard FileAccess.exists(text) || TileTemplate.isTemplate(text) || !text.contains("=") else {
        throw MapStateError(
          .usage, "--tiles \(text): \(place) has no source of this name; available: \(list)")
      }
      // An archive says which of the sources it can replace.
      let archive: TileArchive
      do { archive = try TileArchive(text) } catch {
        throw MapStateError(.input, "--tiles \(error)", cause: error)
      }
      let fitting = tiled.filter { ($0.type == .vector) == (archive.format == .vector) }
      guard fitting.count == 1 else {
        throw MapStateError(
          .usage,
          fitting.isEmpty
            ? "--tiles \(text): \(place) has no source of \(archive.format == .vector ? "vector tiles" : "images")"
            : "--tiles \(text): \(place) has several sources; write SOURCE=FILE with one of \(list)")
      }
      files[fitting[0].name] = text
    }
    return files
  }
}
