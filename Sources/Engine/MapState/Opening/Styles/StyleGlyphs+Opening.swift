import MapModel
import MapSystem
import MapTiles

extension StyleGlyphs {
  /// Creates the glyph files at a template of a style; nil for an address that is not asked for.
  ///
  /// - Throws: ``MapStateError`` for a template without `{fontstack}` or `{range}`, and for a folder outside the allowed
  ///   ones.
  convenience init?(template url: String, _ files: StyleFiles) throws(MapStateError) {
    for part in ["{fontstack}", "{range}"] where !url.contains(part) {
      throw MapStateError(
        .input,
        "\(SourceAddress.shown(url)): has no \(part); write a template such as fonts/{fontstack}/{range}.pbf")
    }
    let read: @Sendable (Name) async throws(MapStateError) -> [UInt8]?
    switch try files.place.target(url) {
    case .file(let path) where files.catalog.stylePackage != nil:
      guard files.catalog.stylePackage?.hasGlyphs == true else { return nil }
      read = { name throws(MapStateError) in
        try await files.bytes(at: name.replacing(in: path, isWeb: false), .glyphs)
      }
    case .file(let path):
      guard !path.split(separator: "/").contains("..") else {
        throw MapStateError(.input, "\(path): has \"..\" in a template")
      }
      let start = FilePath.folder(of: path.prefix { $0 != "{" } + "x")
      _ = try files.catalog.path(of: start, documentFolder: files.place.folder, allowsFolders: true)
      read = { name throws(MapStateError) in
        try await files.bytes(at: name.replacing(in: path, isWeb: false), .glyphs)
      }
    case .web(let address):
      let standIn = try files.catalog.standIn(for: address)
      if case .file(let template)? = standIn {
        read = { name throws(MapStateError) in
          let path = name.replacing(in: template, isWeb: false)
          guard FileAccess.exists(path) else { return nil }
          do { return try FileAccess.read(path, limit: StyleFiles.Kind.glyphs.limit) } catch {
            throw MapStateError(error)
          }
        }
      } else {
        guard files.asksServers || files.catalog.stylePackage?.hasGlyphs == true else { return nil }
        read = { name throws(MapStateError) in
          try await files.bytes(at: name.replacing(in: address, isWeb: true), .glyphs)
        }
      }
    }
    self.init { names in
      let usable = names.filter(\.isUsable)
      let found = await TileRequests.results(of: usable, noun: "glyph files") { name in
        do throws(MapStateError) { return .success(try await read(name)) } catch {
          return .failure(TileError(error.description))
        }
      }
      return found.mapValues { $0.mapError { StyleGlyphError($0.description) } }
        .merging(names.filter { !$0.isUsable }.map { ($0, .success(nil)) }) { first, _ in first }
    }
  }
}

extension StyleGlyphs.Name {
  /// Whether the stack can be the name of a folder in a folder.
  fileprivate var isUsable: Bool {
    !stack.isEmpty && !stack.hasPrefix(".") && !stack.contains { $0 == "/" || $0 == "\0" }
  }

  /// Returns a template with the name and the range of the file.
  fileprivate func replacing(in template: String, isWeb: Bool) -> String {
    // Servers of glyphs take the commas between the names as they are.
    let stack = isWeb ? FilePath.percentEncoded(stack).replacing("%2C", with: ",") : stack
    return template.replacing("{fontstack}", with: stack).replacing(
      "{range}", with: "\(range * 256)-\(range * 256 + 255)")
  }
}
