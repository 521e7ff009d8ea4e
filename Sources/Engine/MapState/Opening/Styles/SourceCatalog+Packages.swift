import MapDocuments
import MapModel
import MapSystem
import MapTiles

/// Styles of vector tile packages, and of the layers of vector tiles of web maps.
extension SourceCatalog {
  /// Returns the style of a document's layer of vector tiles: that of the stand-in for one of its addresses, of a file, or
  /// of a server.
  ///
  /// - Throws: ``MapStateError``.
  func style(
    of layer: WebMapTileLayer, documentFolder: String
  ) async throws(MapStateError) -> MapStyle {
    let work = CurrentWork.begin("reading \(SourceAddress.shown(layer.place))")
    defer { CurrentWork.end(work) }
    for address in layer.addresses {
      switch try standIn(for: address) {
      case .file(let path):
        do { return try await style(atPath: path) } catch {
          throw MapStateError(
            error.kind, "\(SourceAddress.shown(address)): its stand-in \(error)", cause: error)
        }
      case .service(let other): return try await mapStyle(at: other)
      case .source:
        throw MapStateError(
          .input, "\(SourceAddress.shown(address)): its stand-in has features, not a style")
      case nil: continue
      }
    }
    guard SourceAddress.scheme(of: layer.place) == nil else {
      return try await mapStyle(at: layer.place, isNamedByDocument: true)
    }
    let path = try path(of: layer.place, documentFolder: documentFolder, allowsFolders: true)
    return try await style(atPath: path, in: folders(of: documentFolder))
  }

  /// Reads the style at a path or address that the caller names.
  ///
  /// - Throws: ``MapStateError``.
  func style(at place: String) async throws(MapStateError) -> MapStyle {
    guard SourceAddress.scheme(of: place) == nil else { return try await mapStyle(at: place) }
    return try await style(atPath: place)
  }

  /// Reads the style in a package, in the folder of a service or item, or in a file.
  ///
  /// - Parameter folders: the folders that files may be in, also through links; nil for all.
  /// - Throws: ``MapStateError``.
  private func style(
    atPath path: String, in folders: AllowedFolders? = nil
  ) async throws(MapStateError) -> MapStyle {
    if VectorTilePackage.isPackage(path) { return try await style(of: package(at: path, in: folders)) }
    if case .folder = FileAccess.look(at: path) {
      return try await mapStyle(at: FilePath.join(path, "style.json"))
    }
    // The relative addresses of a style in `resources/styles` lead to other folders of its service.
    for (folder, depth) in [("resources/styles", 2), ("styles", 1)] {
      guard FilePath.folder(of: path).hasSuffix("/" + folder) else { continue }
      let root = (0...depth).reduce(path) { place, _ in FilePath.folder(of: place) }
      guard folders?.contains(root, allowsFolders: true) ?? true else { continue }
      return try await style(
        of: package(at: root, style: "\(folder)/\(FilePath.name(of: path))", in: folders))
    }
    if TileArchive.isTiles(path) {
      throw MapStateError(
        .input,
        "\(path): has tiles without a style; map the address to a style, a folder with a style, or a .vtpk")
    }
    guard FileAccess.exists(path) else { throw MapStateError(.input, "\(path): does not exist") }
    return try await mapStyle(at: path)
  }

  /// Opens a package.
  ///
  /// - Throws: ``MapStateError``.
  func package(
    at path: String, style: String? = nil, in folders: AllowedFolders? = nil
  ) throws(MapStateError) -> VectorTilePackage {
    do { return try VectorTilePackage(path, style: style, in: folders) } catch {
      throw MapStateError(.input, "\(error)", cause: error)
    }
  }

  /// Reads the style of a package with its tiles.
  ///
  /// - Throws: ``MapStateError`` also for a package without a style.
  func style(of package: VectorTilePackage) async throws(MapStateError) -> MapStyle {
    guard let style = package.style else {
      throw MapStateError(.input, "\(package.path): has no style, such as resources/styles/root.json")
    }
    var catalog = self
    catalog.stylePackage = package
    return try await catalog.mapStyle(
      style, name: package.path,
      folder: FilePath.join(package.path, FilePath.folder(of: package.styleName)))
  }
}
