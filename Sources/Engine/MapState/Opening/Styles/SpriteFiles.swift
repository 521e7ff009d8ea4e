import MapImages
import MapJSON
import MapModel
import MapSystem
import MapTiles

/// The files of a style's images: `NAME.json` and `NAME.png`, or `NAME@2x.json` and `NAME@2x.png`.
struct SpriteFiles: Sendable {
  /// The prefixes of the images' names, each with the address of its files without their endings.
  private var places: [(prefix: String, url: String)] = []
  private var problems: [String] = []
  private let own: StyleFiles

  /// Whether some files are on a server.
  private(set) var isServed = false

  /// The paths of the files on this machine, also of those for larger pixel ratios that may be missing.
  var files: [String] {
    guard own.catalog.stylePackage == nil else { return [] }
    return places.filter { SourceAddress.scheme(of: $0.url) == nil }.flatMap { item in
      ["", "@2x"].flatMap { ratio in
        [".json", ".png"].map { FilePath.join(own.place.folder, "\(item.url)\(ratio)\($0)") }
      }
    }
  }

  /// Finds the files; those at an address that is not asked for are looked up by their name beside the style.
  init(_ sprites: [(id: String, url: String)], _ own: StyleFiles) {
    self.own = own
    for sprite in sprites {
      if isInPackage(sprite.url) {
        places.append((sprite.id, sprite.url))
        continue
      }
      do {
        switch try own.place.target(sprite.url) {
        case .file where own.catalog.stylePackage != nil:
          problems.append("there are no images \(sprite.url).json")
        case .file(let path):
          try addFiles(path, prefix: sprite.id, else: "there are no images \(sprite.url).json")
        case .web(let address):
          let hasStandIn =
            ((try? own.catalog.standIn(for: Self.name(address, ".json", isDouble: false))) ?? nil) != nil
          if own.asksServers || hasStandIn {
            isServed = true
            places.append((sprite.id, address))
            continue
          }
          let name = String(SourceAddress.shown(address).split(separator: "/").last ?? "")
          try addFiles(
            name, prefix: sprite.id,
            else:
              "images at \(SourceAddress.shown(address)) are fetched only with --online; or put \(name).json and "
              + "\(name).png beside the style")
        }
      } catch { problems.append("\(error)") }
    }
  }

  private func isInPackage(_ url: String) -> Bool {
    let file = Self.name(url, ".json", isDouble: false)
    let found = try? own.catalog.stylePackage?.resource(at: file, limit: StyleFiles.Kind.json.limit)
    return (found ?? nil) != nil
  }

  private mutating func addFiles(
    _ path: String, prefix: String, else problem: String
  ) throws(MapStateError) {
    let found = try own.catalog.path(of: path + ".json", documentFolder: own.place.folder)
    if FileAccess.exists(found) { places.append((prefix, path)) } else { problems.append(problem) }
  }

  /// Returns the address of a file; the query of an address stays at its end.
  private static func name(_ url: String, _ ending: String, isDouble: Bool) -> String {
    let path = url.prefix { $0 != "?" || SourceAddress.scheme(of: url) == nil }
    return path + (isDouble ? "@2x" : "") + ending + url[path.endIndex...]
  }

  /// Reads the images for a pixel ratio of 1 or 2.
  func read(isDouble: Bool) async -> StyleSprites.Read {
    var (sprites, problems) = ([StyleSprite](), problems)
    for (prefix, url) in places {
      do {
        var sprite = isDouble ? try await self.sprite(prefix, url, isDouble: true) : nil
        if sprite == nil { sprite = try await self.sprite(prefix, url, isDouble: false) }
        guard let sprite else { throw MapStateError(.input, "there are no images \(shown(url, false)).json") }
        sprites.append(sprite)
      } catch { problems.append("\(error)") }
    }
    return (sprites, problems)
  }

  /// Returns a sprite; nil if one of its files does not exist.
  private func sprite(
    _ prefix: String, _ url: String, isDouble: Bool
  ) async throws(MapStateError) -> StyleSprite? {
    let json = try await own.bytes(at: Self.name(url, ".json", isDouble: isDouble), .json)
    guard let json else { return nil }
    guard let image = try await own.bytes(at: Self.name(url, ".png", isDouble: isDouble), .image) else {
      return nil
    }
    do {
      return StyleSprite(
        prefix: prefix, index: try JSONValue(parsing: json), bitmap: try Bitmap(pngData: image),
        pixelRatio: isDouble ? 2 : 1)
    } catch { throw MapStateError(.input, "\(shown(url, isDouble)): \(error)") }
  }

  /// Returns the path or address of a sprite without the endings of its files, for messages.
  private func shown(_ url: String, _ isDouble: Bool) -> String {
    let name = SourceAddress.shown(Self.name(url, "", isDouble: isDouble))
    return SourceAddress.scheme(of: url) == nil ? FilePath.join(own.place.folder, name) : name
  }
}
