import MapFeatures
import MapSystem

/// A table to join to a layer, as `[LAYER: ]FILE:KEY[=FIELD]`, before the layers and files are known.
///
/// KEY is a field of the table and FIELD one of the layer; without FIELD, both have the same name. A name in double
/// quotes may contain colons and equal signs.
public struct LayerJoin: Hashable, Sendable {
  /// The text as written.
  public let text: String

  /// Creates a join from its text.
  public init(_ text: String) { self.text = text }
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
    var found: [ResolvedJoin] = []
    for join in joins {
      let (named, text) = try names.split(text: join.text)
      let parts = try parts(of: text, join)
      if named == nil, !exists(parts.file), let colon = join.text.firstRange(of: ": ") {
        // The text before a colon and a blank is then a misspelt name.
        _ = try names.index(of: String(join.text[..<colon.lowerBound]))
      }
      var index = named
      if index == nil { index = try layer.map { name throws(MapStateError) in try names.index(of: name) } }
      if index == nil, Set(tableOfLayer ?? Array(names.layers.indices)).count == 1 { index = 0 }
      guard let index else {
        throw MapStateError(
          names.layers.isEmpty ? .input : .usage,
          "join \(join.text): write \"NAME: FILE:KEY\" or name a layer with --layer; available: \(names.list)"
        )
      }
      found.append(
        ResolvedJoin(
          layer: tableOfLayer?[index] ?? index, place: place(of: parts.file), file: parts.file,
          key: parts.key, field: parts.field))
    }
    return found
  }

  /// The paths and addresses that the joins may name, whatever the names of the layers are.
  package var possibleFiles: [String] {
    joins.flatMap { join in
      let starts = [join.text.startIndex] + join.text.ranges(of: ": ").map(\.upperBound)
      return starts.flatMap { start -> [String] in
        let text = String(join.text[start...])
        return Self.places(of: ":", in: text).map { colon in
          let file = place(of: String(text[..<colon]))
          return SourceAddress.scheme(of: file) == nil ? SourceAddress.split(file, folder: ".").path : file
        }
      }
    }
  }

  /// Divides `FILE:KEY[=FIELD]`: the file is the longest one that exists, or else ends at the first colon of the last
  /// part of the path.
  private func parts(
    of text: String, _ join: LayerJoin
  ) throws(MapStateError) -> (file: String, key: String, field: String) {
    let colons = Self.places(of: ":", in: text).filter { colon in
      colon != text.startIndex && !text[colon...].hasPrefix("://")
    }
    let known = colons.last { exists(String(text[..<$0])) }
    let slash = Self.places(of: "/", in: text).last ?? text.startIndex
    guard let colon = known ?? colons.first(where: { $0 > slash }) ?? colons.first,
      case let keys = String(text[text.index(after: colon)...]), !keys.isEmpty
    else {
      throw MapStateError(
        .usage,
        "join \(join.text): names no key; write FILE:KEY or FILE:KEY=FIELD, such as population.csv:GEOID")
    }
    let file = String(text[..<colon])
    guard let equal = Self.places(of: "=", in: keys).first else {
      let key = Self.unquoted(keys)
      return (file, key, key)
    }
    let (key, field) = (String(keys[..<equal]), String(keys[keys.index(after: equal)...]))
    guard !key.isEmpty, !field.isEmpty else {
      throw MapStateError(
        .usage,
        "join \(join.text): the equal sign needs a field on both sides, as in population.csv:GEOID=FIPS")
    }
    return (file, Self.unquoted(key), Self.unquoted(field))
  }

  /// Returns the places of a character outside of double quotes.
  private static func places(of wanted: Character, in text: String) -> [String.Index] {
    var (places, isQuoted) = ([String.Index](), false)
    for place in text.indices {
      if text[place] == "\"" { isQuoted.toggle() }
      if text[place] == wanted, !isQuoted { places.append(place) }
    }
    // A quote without its end is part of a name.
    return isQuoted ? text.indices.filter { text[$0] == wanted } : places
  }

  private static func unquoted(_ name: String) -> String {
    guard name.count > 2, name.first == "\"", name.last == "\"" else { return name }
    return String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
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
