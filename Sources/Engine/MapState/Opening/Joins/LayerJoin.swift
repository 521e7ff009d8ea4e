import MapFeatures
import MapSystem

/// A table to join to a layer, as `[LAYER: ]FILE:KEY[=FIELD]`, before the layers and files are known.
///
/// KEY is a field of the table and FIELD one of the layer; without FIELD, both have the same name. FILE is the longest
/// one that exists, or else ends at the last colon. A name in double quotes may contain colons and equal signs.
public struct LayerJoin: Hashable, Sendable {
  /// The text as written.
  public let text: String

  /// Creates a join from its text.
  public init(_ text: String) { self.text = text }

  /// The parts between the colons outside of quotes.
  private var parts: ArraySlice<String> { QuotedNames.split(text, at: ":")[...] }

  /// Returns the name in some parts, without quotes and without the blank after the name of a layer.
  private static func name(_ parts: ArraySlice<String>) -> String {
    let text = parts.joined(separator: ":")
    return QuotedNames.unquoted(parts.startIndex > 0 ? String(text.dropFirst()) : text)
  }
}

extension LayerJoin: ExpressibleByStringLiteral {
  /// Creates a join from a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

/// The tables that are joined to layers when a map is opened.
public struct TableJoins: Hashable, Sendable {
  /// The joins in their order; a later one may use the fields of an earlier one.
  public var joins: [LayerJoin] = []
  /// Whether the first of several rows with one key is taken; otherwise duplicate keys are an error.
  public var takesFirst = false
  /// The layer of joins that name none; nil for the only layer.
  public var layer: String?
  /// The folders of relative paths; the first that has the file.
  package var folders = ["."]
  /// Whether `-` is standard input.
  package var readsStandardInput = false

  /// Creates an empty list.
  public init() {}

  /// Whether there is nothing to join.
  var isEmpty: Bool { joins.isEmpty }

  /// Returns the fields to read of layers: all of them for a join, because the names of added fields depend on them.
  func fields(_ asked: FieldSelection) -> FieldSelection { isEmpty ? asked : .all }
}

/// A join whose layer and file are known.
struct ResolvedJoin {
  /// The index of the layer.
  let layer: Int
  /// The path or address of the table.
  let place: String
  /// The table as the user wrote it.
  let file: String
  let key: String
  let field: String
}

extension TableJoins {
  /// Returns the joins with their layers and files, in order.
  ///
  /// - Parameter tableOfLayer: The index of the table that each name in `names` means.
  /// - Throws: ``MapStateError`` for an unknown layer, and of kind usage for a text without a key.
  func resolved(_ names: LayerNames, tableOfLayer: [Int]? = nil) throws(MapStateError) -> [ResolvedJoin] {
    let tableOfLayer = tableOfLayer ?? Array(names.layers.indices)
    return try joins.map { join throws(MapStateError) in
      var (index, parts) = try join.layer(among: names)
      let (file, key, field) = try join.names(in: parts, exists: exists)
      if index == nil, !exists(file), let name = join.possibleLayer {
        // The text before a colon and a blank is then a misspelt name.
        _ = try names.index(of: name)
      }
      if index == nil { index = try layer.map { name throws(MapStateError) in try names.index(of: name) } }
      if index == nil, Set(tableOfLayer).count == 1 { index = 0 }
      guard let index else {
        throw MapStateError(
          names.layers.isEmpty ? .input : .usage,
          "join \(join.text): write \"NAME: FILE:KEY\" or name a layer with --layer; available: \(names.list)"
        )
      }
      return ResolvedJoin(
        layer: tableOfLayer[index], place: place(of: file), file: file, key: key, field: field)
    }
  }

  /// The paths and addresses that the joins may name, whatever the names of the layers are.
  package var possibleFiles: [String] {
    joins.flatMap(\.possibleFiles).map { file in
      let place = place(of: file)
      return SourceAddress.scheme(of: place) == nil ? SourceAddress.split(place, folder: ".").path : place
    }
  }

  /// Returns the texts of the joins with other paths of their files, for a case in another folder.
  package func texts(_ path: (String) -> String) -> [String] {
    joins.map { join in
      let files = join.possibleFiles.filter { SourceAddress.scheme(of: $0) == nil && $0 != "-" && exists($0) }
      guard let file = files.max(by: { $0.count < $1.count }), let place = join.text.firstRange(of: file)
      else {
        return join.text
      }
      return join.text[..<place.lowerBound] + path(file) + join.text[place.upperBound...]
    }
  }

  private func exists(_ file: String) -> Bool {
    file == "-" || folders.contains { Self.exists(file, in: $0) }
  }

  private static func exists(_ file: String, in folder: String) -> Bool {
    FileAccess.exists(FilePath.join(folder, SourceAddress.split(file, folder: folder).path))
  }

  /// Returns the path of a file in the first folder that has it.
  private func place(of file: String) -> String {
    guard SourceAddress.scheme(of: file) == nil, file != "-" else { return file }
    return FilePath.join(folders.first { Self.exists(file, in: $0) } ?? folders[0], file)
  }
}

extension LayerJoin {
  /// Returns the layer with the longest known name before a colon and a blank, and the parts after it.
  fileprivate func layer(
    among names: LayerNames
  ) throws(MapStateError) -> (index: Int?, parts: ArraySlice<String>) {
    let parts = parts
    for end in parts.indices.dropFirst().reversed() where parts[end].hasPrefix(" ") {
      let name = Self.name(parts[..<end])
      if names.isKnown(name) { return (try names.index(of: name), parts[end...]) }
    }
    return (nil, parts)
  }

  /// The name of a layer that the text may begin with; nil without a colon and a blank.
  fileprivate var possibleLayer: String? {
    let parts = parts
    return parts.indices.dropFirst().first { parts[$0].hasPrefix(" ") }.map { Self.name(parts[..<$0]) }
  }

  /// The files that the text may name.
  fileprivate var possibleFiles: [String] {
    let parts = parts
    return parts.indices.filter { $0 == 0 || parts[$0].hasPrefix(" ") }.flatMap { start in
      parts.indices.filter { $0 > start }.map { Self.name(parts[start..<$0]) }
    }
  }

  /// Returns the names in `FILE:KEY[=FIELD]`.
  ///
  /// - Throws: ``MapStateError`` of kind usage.
  fileprivate func names(
    in parts: ArraySlice<String>, exists: (String) -> Bool
  ) throws(MapStateError) -> (file: String, key: String, field: String) {
    // The scheme of an address is no file.
    let ends = parts.indices.dropFirst().filter { !parts[$0].hasPrefix("//") }
    let end = ends.last { exists(Self.name(parts[..<$0])) } ?? ends.last ?? parts.endIndex
    let (file, keys) = (Self.name(parts[..<end]), parts[end...].joined(separator: ":"))
    guard !file.isEmpty, !keys.isEmpty else {
      throw MapStateError(
        .usage, "join \(text): names no key; write FILE:KEY or FILE:KEY=FIELD, such as population.csv:GEOID")
    }
    let sides = QuotedNames.split(keys, at: "=")
    let key = QuotedNames.unquoted(sides[0])
    let field =
      sides.count == 1 ? key : QuotedNames.unquoted(sides.dropFirst().joined(separator: "="))
    guard !key.isEmpty, !field.isEmpty else {
      throw MapStateError(
        .usage, "join \(text): the equal sign needs a field on both sides, as in population.csv:GEOID=FIPS")
    }
    return (file, key, field)
  }
}
