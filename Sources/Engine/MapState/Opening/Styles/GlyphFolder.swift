import MapModel
import MapSystem
import MapTiles

/// The glyph files of a style on this machine.
struct GlyphFolder: Sendable {
  /// The path, with `{fontstack}` and `{range}`.
  private let template: String
  private let folders: AllowedFolders
  /// The package with the files; nil for others.
  private let package: VectorTilePackage?

  /// The largest size of a glyph file in bytes.
  ///
  /// - Source: design decision; a file has 256 glyphs, and large ones of Chinese take 300 KB.
  private static let largestSize = 4 << 20

  /// Finds the files that a style names; nil for an address.
  ///
  /// - Throws: ``MapStateError`` for a template without `{fontstack}` or `{range}`, and for a folder outside the allowed
  ///   ones.
  init?(_ url: String, folder: String, catalog: SourceCatalog) throws(MapStateError) {
    for part in ["{fontstack}", "{range}"] where !url.contains(part) {
      throw MapStateError(
        .input,
        "\(SourceAddress.shown(url)): has no \(part); write a template such as fonts/{fontstack}/{range}.pbf")
    }
    package = catalog.stylePackage
    guard package == nil else {
      guard package?.hasGlyphs == true else { return nil }
      (template, folders) = (url, catalog.folders(of: folder))
      return
    }
    let path = url.hasPrefix("file://") ? String(url.dropFirst(7)) : url
    guard SourceAddress.scheme(of: path) == nil else { return nil }
    guard !path.split(separator: "/").contains("..") else {
      throw MapStateError(.input, "\(path): has \"..\" in a template")
    }
    let fixed = String(path.prefix { $0 != "{" })
    let start = FilePath.folder(of: fixed + "x")
    let root = try catalog.path(of: start, documentFolder: folder, allowsFolders: true)
    folders = catalog.folders(of: folder)
    template = FilePath.join(root, start == "." ? path : String(path.dropFirst(start.count + 1)))
  }

  /// Returns the bytes of a file; nil if there is none.
  ///
  /// - Parameters:
  ///   - stack: the names of the fonts with commas between them.
  ///   - range: the first of 256 characters, divided by 256.
  /// - Throws: an error that names the file, if it cannot be read.
  func bytes(stack: String, range: Int) throws -> [UInt8]? {
    guard !stack.isEmpty, !stack.hasPrefix("."), !stack.contains(where: { $0 == "/" || $0 == "\0" }) else {
      return nil
    }
    let path = template.replacing("{fontstack}", with: stack).replacing(
      "{range}", with: "\(range * 256)-\(range * 256 + 255)")
    if let package { return try package.resource(at: path, limit: Self.largestSize) }
    guard FileAccess.exists(path) else { return nil }
    return try folders.read(path, limit: Self.largestSize)
  }
}
