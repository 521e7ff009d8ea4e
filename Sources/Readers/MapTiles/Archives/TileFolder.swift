package import MapModel
import MapSystem

/// Tiles as files, whose paths contain zoom, column and row.
struct TileFolder: Sendable {
  let template: TileTemplate
  let folder: String
  let zooms: ClosedRange<Int>
  /// The folders that the files may be in, also through links; nil for all.
  private let allowed: AllowedFolders?
  /// The bytes of some tile.
  let firstTile: [UInt8]

  /// The ends of the names of tiles, in the order of preference.
  private static let endings =
    [
      ".png", ".jpg", ".jpeg", ".webp", "@2x.png",
    ] + vectorEndings
  /// The ends of the names of vector tiles.
  private static let vectorEndings = [".pbf", ".mvt"]

  /// Whether the names of the files have an end of vector tiles.
  var isVector: Bool { Self.vectorEndings.contains { template.text.hasSuffix($0) } }

  /// The greatest number of folders of a level that are searched for a first tile.
  private static let searched = 8

  /// Opens a folder `{z}/{x}/{y}.png`, also with other endings, or a template of files.
  init(_ place: String, in allowed: AllowedFolders? = nil) throws(TileFileError) {
    self.allowed = allowed
    let isTemplate = TileTemplate.isTemplate(place)
    let templates = isTemplate ? [place] : Self.endings.map { "\(place)/{z}/{x}/{y}\($0)" }
    for text in templates {
      let template = try TileTemplate(text)
      let parts = text.split(separator: "/").map { String($0) }
      guard let fixed = parts.firstIndex(where: { $0.contains("{") }) else { continue }
      let start = (text.hasPrefix("/") ? "/" : "") + parts[..<fixed].joined(separator: "/")
      let folder = start.isEmpty ? "." : start
      var zooms: [Int] = []
      guard let tile = Self.find(parts[fixed...], in: folder, &zooms), let first = zooms.min(),
        let last = zooms.max()
      else { continue }
      let bytes: [UInt8]
      do { bytes = try Self.read(tile, limit: PMTilesFile.tileBytes, in: allowed) } catch {
        throw TileFileError(place, "\(error)")
      }
      (self.template, self.folder, self.zooms, firstTile) = (template, folder, first...last, bytes)
      return
    }
    throw TileFileError(
      place,
      isTemplate
        ? "no file has such a path"
        : "has no tiles {z}/{x}/{y} with the ending .png, .jpg, .webp, .pbf or .mvt")
  }

  /// Returns the first file whose path fits the rest of a template, and collects the numbers for the zoom.
  private static func find(_ parts: ArraySlice<String>, in folder: String, _ zooms: inout [Int]) -> String? {
    guard let part = parts.first else { return folder }
    guard part.contains("{") else { return find(parts.dropFirst(), in: "\(folder)/\(part)", &zooms) }
    let found = numbered(in: folder, as: part)
    let own = found.compactMap { TileTemplate.zoom(of: $0.numbers) }
    zooms += own.filter { $0 <= TileScheme.largestZoom }
    for item in found.prefix(searched) {
      var inner: [Int] = []
      if let file = find(parts.dropFirst(), in: "\(folder)/\(item.name)", &inner) {
        if own.isEmpty { zooms += inner }
        return file
      }
    }
    return nil
  }

  /// A name with its numbers by the names of their places, in the order of the template.
  private typealias NumberedName = (numbers: [(place: String, number: Int)], name: String)

  /// Returns the names in a folder that fit a part of a template, in order of the numbers.
  private static func numbered(in folder: String, as part: String) -> [NumberedName] {
    ((try? FileAccess.names(in: folder)) ?? []).compactMap { name in
      numbers(of: name[...], as: part[...]).map { ($0, name) }
    }.sorted { first, second in
      let (a, b) = (first.numbers.map(\.number), second.numbers.map(\.number))
      return a == b ? first.name < second.name : a.lexicographicallyPrecedes(b)
    }
  }

  /// Returns the numbers of a name; nil if it does not fit a part of a template.
  private static func numbers(
    of name: Substring, as part: Substring
  ) -> [(place: String, number: Int)]? {
    guard let start = part.firstIndex(of: "{"), let end = part[start...].firstIndex(of: "}") else {
      return name == part ? [] : nil
    }
    let text = part[..<start]
    guard name.hasPrefix(text) else { return nil }
    let rest = name.dropFirst(text.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits),
      let others = numbers(of: rest.dropFirst(digits.count), as: part[part.index(after: end)...])
    else { return nil }
    return [(String(part[start...end]), number)] + others
  }

  /// Returns the tiles of a level, at most one more than a limit.
  func tiles(zoom: Int, limit: Int) -> [TileIndex] {
    let parts = template.text.split(separator: "/").map { String($0) }
    let first = parts.firstIndex { $0.contains("{") } ?? parts.endIndex
    var tiles: [TileIndex] = []
    collect(parts[first...], in: folder, [:], zoom: zoom, limit: limit, &tiles)
    return tiles
  }

  /// Adds the tiles whose paths fit the rest of a template.
  private func collect(
    _ parts: ArraySlice<String>, in folder: String, _ numbers: [String: Int], zoom: Int, limit: Int,
    _ tiles: inout [TileIndex]
  ) {
    guard tiles.count <= limit else { return }
    guard let part = parts.first else {
      if let tile = TileTemplate.index(numbers, zoom: zoom) { tiles.append(tile) }
      return
    }
    guard part.contains("{") else {
      return collect(parts.dropFirst(), in: "\(folder)/\(part)", numbers, zoom: zoom, limit: limit, &tiles)
    }
    for item in Self.numbered(in: folder, as: part)
    where (TileTemplate.zoom(of: item.numbers) ?? zoom) == zoom {
      let all = numbers.merging(item.numbers.map { ($0.place, $0.number) }) { $1 }
      collect(parts.dropFirst(), in: "\(folder)/\(item.name)", all, zoom: zoom, limit: limit, &tiles)
    }
  }

  /// The metadata of `tiles.json`, `tilejson.json` or `metadata.json`; empty without any.
  var metadata: [UInt8] {
    for name in ["tiles.json", "tilejson.json", "metadata.json"] {
      let path = "\(folder)/\(name)"
      if FileAccess.exists(path),
        let bytes = try? Self.read(path, limit: PMTilesFile.metadataBytes, in: allowed)
      {
        return bytes
      }
    }
    return []
  }

  /// Returns the bytes of a tile; nil if there is no such file.
  func bytes(at tile: TileIndex) throws(TileError) -> [UInt8]? {
    let path = template.place(of: tile)
    guard FileAccess.exists(path) else { return nil }
    do { return try Self.read(path, limit: PMTilesFile.tileBytes, in: allowed) } catch {
      throw TileError("\(error)")
    }
  }

  private static func read(
    _ path: String, limit: Int, in allowed: AllowedFolders?
  ) throws(FileError) -> [UInt8] {
    guard let allowed else { return try FileAccess.read(path, limit: limit) }
    return try allowed.read(path, limit: limit)
  }
}

/// A path or address with places for zoom, column and row.
package struct TileTemplate: Hashable, Sendable {
  /// The text of the template.
  package private(set) var text: String
  private var subdomains: [String]
  /// The texts of zoom levels that are not their numbers.
  private let levels: [Int: String]

  /// The names of the places for zoom, column, row, and row from the bottom.
  ///
  /// - Source: TileJSON, and `WebTiledLayer` of the web map specification.
  private static let names: (zoom: [String], column: [String], row: [String], rowUp: String) = (
    ["{z}", "{level}", "{TileMatrix}"], ["{x}", "{col}", "{TileCol}"], ["{y}", "{row}", "{TileRow}"], "{-y}"
  )

  /// Returns whether a text has a place for the zoom.
  package static func isTemplate(_ text: String) -> Bool { names.zoom.contains { text.contains($0) } }

  /// Returns the zoom among numbers with the names of their places; nil for none.
  static func zoom(of numbers: [(place: String, number: Int)]) -> Int? {
    numbers.first { names.zoom.contains($0.place) }?.number
  }

  /// Returns the tile of a level with numbers by the names of their places; nil for a tile outside the level.
  static func index(_ numbers: [String: Int], zoom: Int) -> TileIndex? {
    func number(_ known: [String]) -> Int? { known.lazy.compactMap { numbers[$0] }.first }
    guard let column = number(names.column), (0..<1 << zoom).contains(column),
      let row = number(names.row) ?? numbers[names.rowUp].map({ (1 << zoom) - 1 - $0 }),
      (0..<1 << zoom).contains(row)
    else { return nil }
    return TileIndex(zoom: zoom, column: column, row: row)
  }

  /// Creates a template; `{subDomain}` and `{s}` take the subdomains in turn.
  ///
  /// - Parameter levels: the texts of zoom levels that are not their numbers.
  /// - Throws: ``TileFileError`` if a place is missing.
  package init(
    _ text: String, subdomains: [String] = [], levels: [Int: String] = [:]
  ) throws(TileFileError) {
    let names = Self.names
    guard names.zoom.contains(where: text.contains), names.column.contains(where: text.contains),
      names.row.contains(where: text.contains) || text.contains(names.rowUp)
    else {
      throw TileFileError(
        text, "is not a template with {z}, {x} and {y}, or {level}, {col} and {row}")
    }
    (self.text, self.levels) = (text, levels)
    self.subdomains = subdomains.isEmpty ? ["a", "b", "c"] : subdomains
  }

  /// Returns a template with parameters in its query, in place of those of the same names.
  package static func adding(_ parameters: [(name: String, value: String)], to text: String) -> String {
    guard !parameters.isEmpty else { return text }
    let path = text.prefix { $0 != "?" }
    let names = Set(parameters.map { $0.name.lowercased() })
    let kept = text[path.endIndex...].dropFirst().split(separator: "&").filter { part in
      !names.contains(part.prefix { $0 != "=" }.lowercased())
    }
    let added = parameters.map {
      PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value)
    }
    return "\(path)?" + (kept.map { String($0) } + added).joined(separator: "&")
  }

  /// Returns the template with another text, which must have the same places, and with only the first subdomain.
  package func onOneHost(text: String) -> TileTemplate {
    var template = self
    (template.text, template.subdomains) = (text, Array(subdomains.prefix(1)))
    return template
  }

  /// Returns the path or address of a tile.
  package func place(of tile: TileIndex) -> String {
    var place = text
    let rowUp = tile.zoom <= TileScheme.largestZoom ? (1 << tile.zoom) - 1 - tile.row : tile.row
    for (names, value) in [
      (Self.names.zoom, levels[tile.zoom] ?? "\(tile.zoom)"), (Self.names.column, "\(tile.column)"),
      (Self.names.row, "\(tile.row)"), ([Self.names.rowUp], "\(rowUp)"),
    ] {
      for name in names { place = place.replacing(name, with: value) }
    }
    // Columns left of the origin are negative.
    let number = (tile.column % subdomains.count + tile.row % subdomains.count) % subdomains.count
    let subdomain = subdomains[(number + subdomains.count) % subdomains.count]
    for name in ["{subDomain}", "{s}"] { place = place.replacing(name, with: subdomain) }
    return place.replacing("{r}", with: "")
  }
}
