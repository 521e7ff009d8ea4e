import MapFeatures

/// The elements of KML.
enum KMLVocabulary {
  /// The elements with which a document may start.
  static let roots: Set<String> = ["kml", "Document", "Folder", "Placemark"]
  /// The elements of placemarks and folders that have no data: how and where they are shown.
  static let shown: Set<String> = [
    "open", "link", "Camera", "LookAt", "Metadata", "Schema",
    "balloonVisibility",
    "AbstractView", "NetworkLinkControl",
  ]

  /// Returns a scanner that knows the namespaces of KML, its extensions and its predecessors.
  static func scanner(_ bytes: [UInt8]) -> XMLScanner {
    XMLScanner(bytes, ownPrefixes: ["kml", "gx"]) { namespace in
      // The namespaces of versions 2.0 to 2.3; `http://earth.google.com/kml/2.2` and `https:` occur, too.
      namespace.contains("/kml/") && (namespace.contains("opengis.net") || namespace.contains("google.com"))
        || namespace.hasSuffix("opengis.net/kml")
    }
  }
}

/// The state while a KML document is read: the scanner, the folders so far, and losses.
struct KMLParser: Sendable {
  /// A folder or document.
  private struct Folder: Sendable {
    var name = ""
    let parent: Int?
    /// Whether the file hides it.
    var isHidden = false
    /// The layer of its placemarks; nil without any.
    var layer: KMLLayer?
  }

  var scanner: XMLScanner
  let options: ReadingOptions
  /// The placemark that is read.
  var placemark = KMLPlacemark()
  /// The types of fields by the identifier of their schema.
  var schemas: [String: KMLSchema] = [:]
  /// The shared styles by their identifiers.
  private var styles: [String: KMLStyleNode] = [:]
  private var folders: [Folder] = []
  private var skipped = SkippedRows()
  /// The names of the elements that are not read, with their numbers and the first place, in order of appearance.
  private(set) var unread: [(name: String, count: Int, place: Int)] = []

  init(_ bytes: [UInt8], _ options: ReadingOptions) {
    (scanner, self.options) = (KMLVocabulary.scanner(bytes), options)
  }

  // MARK: Folders

  /// Reads the whole document.
  mutating func document() throws(ReadFault) {
    folders.append(Folder(parent: nil))
    guard try scanner.next() == .start, scanner.isOwn, KMLVocabulary.roots.contains(scanner.name) else {
      throw ReadFault("KML starts with the element <kml>, not <\(scanner.name)>", at: scanner.place)
    }
    if scanner.name == "kml" { try folder(0) } else { try feature(in: 0) }
    while try scanner.next() != nil {}
  }

  /// Reads the contents of a folder up to its end.
  private mutating func folder(_ index: Int) throws(ReadFault) {
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      if part == .start { try feature(in: index) }
    }
  }

  /// Reads an element of a folder.
  private mutating func feature(in index: Int) throws(ReadFault) {
    guard scanner.isOwn else { return try scanner.skipElement() }
    switch scanner.name {
    case "Placemark": try placemark(in: index)
    case "Document", "Folder":
      folders.append(Folder(parent: index))
      try folder(folders.count - 1)
    case "name": folders[index].name = Self.trimmed(try scanner.elementText())
    case "Schema": try schema()
    case "visibility": folders[index].isHidden = KMLPlacemark.hides(try scanner.elementText())
    case "Style", "StyleMap", "CascadingStyle":
      let id = try scanner.attribute("id")
      let node =
        switch scanner.name {
        case "Style": KMLStyleNode(style: try style())
        case "StyleMap": try styleMap()
        default: try cascadingStyle()
        }
      if let id, styles[id] == nil { styles[id] = node }
    case "ExtendedData", "TimeStamp", "TimeSpan": try scanner.skipElement()
    case let name where KMLVocabulary.shown.contains(name) || KMLPlacemark.fields[name] != nil:
      try scanner.skipElement()
    case let name:
      note(unread: name)
      try scanner.skipElement()
    }
  }

  /// Counts an element that is not read.
  mutating func note(unread name: String) {
    if let known = unread.firstIndex(where: { $0.name == name }) {
      unread[known].count += 1
    } else if unread.count < 100 {
      unread.append((name, 1, scanner.place))
    }
  }

  // MARK: Placemarks

  private mutating func placemark(in index: Int) throws(ReadFault) {
    let depth = scanner.depth
    placemark.removeAll()
    do throws(ReadFault) { try readPlacemark() } catch {
      // A document that is not well-formed ends with the same error here.
      guard options.skipsBadRows else { throw error }
      try scanner.skip(toDepth: depth - 1)
      let bytes = scanner.bytes
      return skipped.note(FeatureReadError(error, in: bytes))
    }
    var layer = folders[index].layer ?? KMLLayer(options)
    // Not two copies of its columns.
    folders[index].layer = nil
    defer { folders[index].layer = layer }
    try layer.append(placemark, at: scanner.place)
  }

  private mutating func readPlacemark() throws(ReadFault) {
    if let id = try scanner.attribute("id") { placemark.set("id", Array(id.utf8)) }
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      guard scanner.isOwn else {
        try scanner.skipElement()
        continue
      }
      switch scanner.name {
      case "ExtendedData": try extendedData()
      case "TimeStamp", "TimeSpan": try time()
      case "Style": placemark.style.style = try style()
      case "StyleMap":
        let node = try styleMap()
        placemark.style = KMLStyleNode(url: node.url ?? placemark.style.url, style: node.style)
      case "styleUrl":
        let text = try scanner.elementText()
        placemark.style.url = String(decoding: text, as: UTF8.self)
        placemark.set("styleUrl", text)
      case let name where KMLPlacemark.fields[name] != nil:
        placemark.set(KMLPlacemark.fields[name] ?? name, try scanner.elementText())
      case let name where KMLVocabulary.shown.contains(name): try scanner.skipElement()
      default: try geometry()
      }
    }
  }

  private mutating func time() throws(ReadFault) {
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "when": placemark.set("timestamp", try scanner.elementText())
      case "begin", "end": placemark.set(scanner.name, try scanner.elementText())
      default: try scanner.skipElement()
      }
    }
  }

  static func trimmed(_ text: [UInt8]) -> String {
    let start = text.firstIndex { !XMLScanner.isSpace($0) } ?? text.count
    let end = text.lastIndex { !XMLScanner.isSpace($0) } ?? start - 1
    return String(decoding: text[start..<end + 1], as: UTF8.self)
  }

  // MARK: Result

  /// A folder with placemarks.
  typealias Table = (name: String, table: FeatureColumns, styles: KMLStyles?, folder: KMLFolder)

  /// Returns the tables of the folders with placemarks; one without rows if there is no placemark.
  ///
  /// - Parameter name: the name of a folder without one.
  func tables(name: String, fields: FieldSelection, warnings: [String]) -> [Table] {
    let kept = folders.indices.filter { folders[$0].layer != nil }
    let names = names(of: kept, fallback: name)
    // The losses of the whole file are stated with its first layer.
    let common = warnings + skipped.warnings + unreadWarnings
    let finished = kept.enumerated().compactMap { place, index in
      folders[index].layer.map {
        table(names[place], $0, in: index, fields, warnings: place == 0 ? common : [])
      }
    }
    return finished.isEmpty ? [table(name, KMLLayer(options), in: 0, fields, warnings: common)] : finished
  }

  private func table(
    _ name: String, _ contents: KMLLayer, in index: Int, _ fields: FieldSelection, warnings: [String]
  ) -> Table {
    let around = path(of: index)
    let hidden = around.contains { folders[$0].isHidden }
    let result = contents.result(
      fields: fields, schemas: schemas, styles: styles, isHidden: hidden, warnings: warnings)
    let folder = KMLFolder(
      // The first of the list stands for the file itself.
      numbers: around.compactMap { $0 > 0 ? $0 - 1 : nil }, isHidden: hidden, nameField: result.nameField,
      visibilityField: result.visibilityField, hiddenWarning: result.hiddenWarning)
    return (name, result.table, result.styles, folder)
  }

  /// The warning about elements that are not read, if there are any.
  private var unreadWarnings: [String] {
    guard !unread.isEmpty else { return [] }
    var (line, counted) = (1, 0)
    let list = unread.map { item in
      line += scanner.bytes[counted..<max(item.place, counted)].count { $0 == 0x0A }
      counted = max(item.place, counted)
      return "\(item.count) <\(item.name)> (\(item.count == 1 ? "" : "first in ")line \(line))"
    }
    return ["elements that are not read: \(list.joined(separator: ", "))"]
  }

  /// Returns the names of folders, which are unique.
  private func names(of indices: [Int], fallback: String) -> [String] {
    var names = indices.map { folders[$0].name.isEmpty ? fallback : folders[$0].name }
    let counts = names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    for (place, index) in indices.enumerated() where counts[names[place]] ?? 0 > 1 {
      // The names of the folder and those around it.
      let path = path(of: index).map { folders[$0].name }.filter { !$0.isEmpty }
      if !path.isEmpty { names[place] = path.joined(separator: "/") }
    }
    // For each name in use, the number to try for its next duplicate: a file may have many folders of one name.
    var (used, numbers): (Set<String>, [String: Int]) = ([], [:])
    return names.map { name in
      guard !used.insert(name).inserted else { return name }
      var number = numbers[name] ?? 2
      while !used.insert("\(name) \(number)").inserted { number += 1 }
      numbers[name] = number + 1
      return "\(name) \(number)"
    }
  }

  /// Returns a folder and those around it, the outermost first.
  private func path(of index: Int) -> [Int] {
    var (path, next): ([Int], Int?) = ([], index)
    while let index = next {
      path.append(index)
      next = folders[index].parent
    }
    return path.reversed()
  }
}

/// A placemark while it is read.
struct KMLPlacemark: Sendable {
  /// The fields of a placemark's own elements, by the names of these.
  static let fields = [
    "name": "Name", "description": "description", "Snippet": "snippet", "snippet": "snippet",
    "address": "address",
    "phoneNumber": "phoneNumber", "visibility": "visibility", "styleUrl": "styleUrl",
  ]

  /// A value of the extended data.
  struct Datum: Sendable {
    let name: String
    let alias: String?
    /// The identifier of the schema that declares the field; nil for a value without one.
    let schema: String?
    let text: [UInt8]
  }

  private(set) var own: [(name: String, text: [UInt8])] = []
  var data: [Datum] = []
  var shape = KMLShape()
  var style = KMLStyleNode()

  /// Whether the text of `visibility` hides a folder or placemark.
  static func hides(_ text: [UInt8]) -> Bool { ["0", "false"].contains(KMLParser.trimmed(text)) }

  /// Whether the file hides the placemark.
  var isHidden: Bool { own.contains { $0.name == "visibility" && Self.hides($0.text) } }

  mutating func removeAll() {
    own.removeAll(keepingCapacity: true)
    data.removeAll(keepingCapacity: true)
    shape.removeAll()
    style = KMLStyleNode()
  }

  /// Sets the text of an own element; a repeated one has its last text.
  mutating func set(_ name: String, _ text: [UInt8]) {
    if let known = own.firstIndex(where: { $0.name == name }) {
      own[known].text = text
    } else {
      own.append((name, text))
    }
  }
}
