import MapGeometry
package import MapJSON
package import MapSystem

/// A vector tile package (`.vtpk`), or the files of a vector tile service in a folder: a style with its images, glyphs and
/// tiles.
///
/// - Source: Esri, vector tile packages and the resources of vector tile services: below `p12/` of a package, or in the
///   folder itself, `root.json` describes the tiles, `resources/styles/root.json` is the style, and `tile` has the tiles.
package final class VectorTilePackage: Sendable {
  /// The path of the archive or folder.
  package var path: String { files.path }
  /// The folders that files may be in, also through links; nil for all.
  package var folders: AllowedFolders? { files.allowed }
  /// The style; nil without one.
  package let style: JSONValue?
  /// The name of the style's file in the package; empty without a style.
  package let styleName: String
  /// The description of the service; nil without one.
  let description: JSONValue?
  let files: PackageFiles
  /// The start of the names of the service's files, such as `p12/`.
  let root: String

  /// The greatest size of a style, of a description and of an index.
  ///
  /// - Source: design decision; the largest styles of Esri have 2 MB.
  private static let largestJSON = 32 << 20

  /// Returns whether a path is a package: a zip archive named `.vtpk`, or a folder with the files of a service.
  package static func isPackage(_ path: String) -> Bool {
    if (try? FileAccess.checkFolder(path)) != nil {
      return markers.contains { FileAccess.exists(FilePath.join(path, $0)) }
    }
    guard FilePath.pathExtension(of: path) == "vtpk", case .file(let head) = FileAccess.look(at: path) else {
      return false
    }
    return head.starts(with: [0x50, 0x4B])
  }

  /// Returns whether a path is a package with a style.
  package static func hasStyle(_ path: String) -> Bool {
    isPackage(path) && (try? VectorTilePackage(path))?.style != nil
  }

  /// The files and folders that only a folder of a service has.
  private static let markers = ["p12", "root.json", "resources/styles/root.json", "styles/root.json", "tile"]

  /// Opens a package.
  ///
  /// - Parameters:
  ///   - style: the path of the style in the package; nil for the usual one.
  ///   - folders: the folders that files may be in, also through links; nil for all.
  /// - Throws: ``TileFileError``.
  package init(
    _ path: String, style: String? = nil, in folders: AllowedFolders? = nil
  ) throws(TileFileError) {
    files = try PackageFiles(path, in: folders)
    let isNested = files.has("p12/root.json") || files.has("p12/resources/styles/root.json")
    let root = isNested ? "p12/" : ""
    self.root = root
    let own = try Self.json(root + "root.json", files)
    description = own.flatMap { Self.isStyle($0) ? nil : $0 }
    let folder = description?["defaultStyles"]?.string ?? "resources/styles"
    var found: (json: JSONValue, name: String)?
    let usual = ["\(folder)/root.json", "resources/styles/root.json", "styles/root.json", "style.json"]
    for name in style.map({ [$0] }) ?? usual.map({ root + $0 }) {
      guard found == nil, let plain = PackageFiles.plain(name), let json = try Self.json(plain, files)
      else { continue }
      found = (json, plain)
    }
    if found == nil, let own, Self.isStyle(own) { found = (own, root + "root.json") }
    (self.style, styleName) = (found?.json, found?.name ?? "")
  }

  private static func isStyle(_ json: JSONValue) -> Bool {
    json["version"]?.integer == 8 && json["layers"] != nil
  }

  private static func json(_ name: String, _ files: PackageFiles) throws(TileFileError) -> JSONValue? {
    guard let bytes = try files.bytes(name, limit: largestJSON) else { return nil }
    do { return try JSONValue(parsing: bytes) } catch { throw TileFileError(files.path, "\(name): \(error)") }
  }

  /// Returns the bytes of a file that the style names; nil if the package does not have it.
  ///
  /// A relative address starts at the style. Of an absolute one, the part from `resources/` on is looked up.
  ///
  /// - Throws: ``TileFileError`` for a file that is too large or cannot be read.
  package func resource(at address: String, limit: Int) throws(TileFileError) -> [UInt8]? {
    for name in names(of: address) {
      if let bytes = try files.bytes(name, limit: limit) { return bytes }
    }
    return nil
  }

  private func names(of address: String) -> [String] {
    let text = String(address.prefix { $0 != "?" }).replacing("%20", with: " ")
    guard let start = text.firstRange(of: "://")?.upperBound else {
      let folder = FilePath.folder(of: styleName)
      return [PackageFiles.plain(FilePath.join(folder, text))].compactMap { $0 }
    }
    let parts = text[start...].split(separator: "/").map { String($0) }
    let inside = parts.lastIndex(of: "resources").map { parts[($0 + 1)...] }
    // Glyphs are in a folder of their font, so two or three steps are looked up at other places.
    let ends = ([inside] + [3, 2, 1].map { parts.suffix($0) }).compactMap { $0?.joined(separator: "/") }
    return ends.flatMap { [root + "resources/" + $0, root + $0] }.compactMap { PackageFiles.plain($0) }
  }

  /// Whether the package has files of glyphs.
  package var hasGlyphs: Bool {
    ["resources/fonts", "fonts"].contains { !files.names(in: root + $0).isEmpty }
  }

  /// The path of the tiles: that of the package, or of the only archive in its folder; nil without tiles.
  package var tiles: String? {
    if !levelNames.isEmpty { return path }
    let archives = files.names(in: root.isEmpty ? "" : String(root.dropLast())).filter {
      ["pmtiles", "mbtiles", "vtpk"].contains(FilePath.pathExtension(of: $0))
    }
    if archives.count == 1, (try? FileAccess.checkFolder(path)) != nil {
      return FilePath.join(path, root + archives[0])
    }
    let folder = FilePath.join(path, root + "tiles")
    return (try? FileAccess.checkFolder(folder)) != nil ? folder : nil
  }

  // MARK: Tiles of the package itself

  /// The names of the folders of levels: `L05` of bundles, and `5` of single tiles.
  private var levelNames: [String] {
    files.names(in: root + "tile").filter { level(ofName: $0) != nil }
  }

  private func level(ofName name: String) -> Int? {
    let digits = name.hasPrefix("L") ? name.dropFirst() : name[...]
    guard !digits.isEmpty, digits.count <= 3, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return Int(digits)
  }

  /// Returns the tiles of the package itself; nil if it has none.
  ///
  /// - Throws: ``TileFileError`` for a grid that is not drawn.
  func ownTiles() throws(TileFileError) -> PackageTiles? {
    let names = levelNames
    guard !names.isEmpty else { return nil }
    let grid = try VectorTileGrid(description?["tileInfo"], at: path)
    let zooms = names.compactMap { level(ofName: $0) }.compactMap { grid.zoom(ofLevel: $0) }
    guard let first = zooms.min(), let last = zooms.max() else {
      throw TileFileError(path, "its tiles are of levels that its \"tileInfo\" does not have")
    }
    let presence = try Self.json(root + "tilemap/root.json", files).flatMap { TilePresence($0) }
    return PackageTiles(
      files: files, folder: root + "tile", grid: grid, zooms: first...last,
      isCompact: names.contains { $0.hasPrefix("L") }, presence: presence)
  }
}

extension VectorTilePackage {
  /// The name, the attribution, the extent and the layers of the tiles.
  ///
  /// Packages do not list the layers, so these are the ones that the style shows.
  var metadata: TileMetadata {
    var metadata = TileMetadata()
    metadata.name = description?["name"]?.string ?? ""
    metadata.attribution = TileMetadata.plain(description?["copyrightText"]?.string ?? "")
    metadata.extent = extent
    var names: [String] = []
    var known: Set<String> = []
    for layer in style?["layers"]?.array ?? [] {
      if let name = layer["source-layer"]?.string, known.insert(name).inserted { names.append(name) }
    }
    metadata.vectorLayers = VectorTileDescription.all(.array(names.map { ["id": .string($0)] }))
    return metadata
  }

  /// The extent that the service states; nil for none in Web Mercator.
  private var extent: Envelope? {
    guard let extent = description?["fullExtent"] ?? description?["initialExtent"],
      let left = extent["xmin"]?.double, let bottom = extent["ymin"]?.double,
      let right = extent["xmax"]?.double, let top = extent["ymax"]?.double,
      [left, bottom, right, top].allSatisfy(\.isFinite), left < right, bottom < top,
      let wkid = (extent["spatialReference"]?["latestWkid"] ?? extent["spatialReference"]?["wkid"])?.integer,
      SpatialReference(wkid: wkid) == .webMercator
    else { return nil }
    return Envelope(xMin: left, yMin: bottom, xMax: right, yMax: top, spatialReference: .webMercator)
  }
}
