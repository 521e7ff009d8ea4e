import MapImages
import MapJSON
import MapModel
import MapSystem
import MapTiles

/// The files of a style's images: `NAME.json` and `NAME.png`, or `NAME@2x.json` and `NAME@2x.png`.
struct SpriteFiles {
  /// The prefixes of the images' names, each with the path of its files without their endings.
  private var paths: [(prefix: String, path: String)] = []
  private var problems: [String] = []
  private let folders: AllowedFolders
  /// The package with the files, whose addresses are then the paths; nil for others.
  private let package: VectorTilePackage?

  /// The paths of the files, also of those for larger pixel ratios that may be missing.
  var files: [String] {
    guard package == nil else { return [] }
    return paths.flatMap { path in
      ["", "@2x"].flatMap { ["\(path.path)\($0).json", "\(path.path)\($0).png"] }
    }
  }

  /// Finds the files; those at an address are looked up by their name beside the style.
  init(_ sprites: [(id: String, url: String)], folder: String, catalog: SourceCatalog) {
    (folders, package) = (catalog.folders(of: folder), catalog.stylePackage)
    if package != nil {
      for sprite in sprites {
        if has(sprite.url + ".json") {
          paths.append((sprite.id, sprite.url))
        } else {
          problems.append("there are no images \(SourceAddress.shown(sprite.url)).json")
        }
      }
      return
    }
    for sprite in sprites {
      let isRemote = SourceAddress.scheme(of: sprite.url) != nil && !sprite.url.hasPrefix("file://")
      let name = String(SourceAddress.shown(sprite.url).split(separator: "/").last ?? "")
      let local = isRemote ? name : sprite.url.replacing("file://", with: "", maxReplacements: 1)
      let found: String
      do { found = try catalog.path(of: local + ".json", documentFolder: folder) } catch {
        problems.append("\(error)")
        continue
      }
      if FileAccess.exists(found) {
        paths.append((sprite.id, String(found.dropLast(5))))
      } else {
        problems.append(
          isRemote
            ? "images at \(SourceAddress.shown(sprite.url)) are not read; put \(name).json and \(name).png beside the style"
            : "there are no images \(sprite.url).json")
      }
    }
  }

  private func has(_ file: String) -> Bool {
    package.map { ((try? $0.resource(at: file, limit: Self.largestSize)) ?? nil) != nil }
      ?? FileAccess.exists(file)
  }

  private func bytes(_ file: String) throws -> [UInt8] {
    guard let package else { return try folders.read(file) }
    return try package.resource(at: file, limit: Self.largestSize) ?? []
  }

  /// The greatest size of a file in bytes.
  ///
  /// - Source: design decision; the largest sprites of Esri have 1 MB.
  private static let largestSize = 64 << 20

  /// Reads the images for a pixel ratio of 1 or 2.
  func read(isDouble: Bool) -> StyleSprites.Read {
    var (sprites, problems) = ([StyleSprite](), problems)
    for (prefix, path) in paths {
      let larger = "\(path)@2x"
      let hasLarger = isDouble && has(larger + ".json") && has(larger + ".png")
      let file = hasLarger ? larger : path
      do {
        sprites.append(
          StyleSprite(
            prefix: prefix, index: try JSONValue(parsing: bytes(file + ".json")),
            bitmap: try Bitmap(pngData: bytes(file + ".png")), pixelRatio: hasLarger ? 2 : 1))
      } catch {
        problems.append(error is FileError ? "\(error)" : "\(file): \(error)")
      }
    }
    return (sprites, problems)
  }
}
