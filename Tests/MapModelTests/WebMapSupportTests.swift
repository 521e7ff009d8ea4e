import Foundation
import MapDocuments
import MapJSON
import MapModel
import Testing

/// The tables of the guide's article on web maps, written from the lists of the codecs.
///
/// `MAPSTATE_WRITE_GUIDE=1 swift test --filter WebMapSupportTests` writes them into the article.
@Suite(.serialized) struct WebMapSupportTests {
  private static let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Engine/MapState/MapState.docc/WebMapSupport.md")

  @Test("The article's table of kinds agrees with the warnings of documents")
  func kinds() throws {
    try Self.expect(try Self.kindsTable(), between: "kinds")
  }

  @Test("The article's tables of members agree with the lists of the codecs")
  func members() throws {
    let objects = DocumentObject.allCases.filter { !$0.hasVariants }
    #expect(objects.reduce(0) { $0 + $1.members.count } == 1236)
    try Self.expect(objects.map(Self.table).joined(separator: "\n"), between: "members")
  }

  // MARK: Kinds

  /// The types of layers, renderers, visual variables and symbols, by whether a document with one gets a warning.
  private static func kindsTable() throws -> String {
    let renderers = DocumentObject.renderers.keys.sorted()
    let symbols = DocumentObject.symbols.keys.sorted()
    let layers = [
      "ArcGISFeatureLayer", "GeoJSON", "CSV", "GroupLayer", "ArcGISMapServiceLayer",
      "ArcGISTiledMapServiceLayer", "ArcGISImageServiceLayer", "ArcGISStreamLayer", "GeoRSS", "KML",
      "OGCFeatureLayer", "SubtypeGroupLayer", "VectorTileLayer", "WebTiledLayer", "WFS", "WMS", "MediaLayer",
    ]
    func place(_ type: String) -> String {
      switch type {
      case "GroupLayer": ",\"layers\":[]"
      case "OGCFeatureLayer": ",\"url\":\"https://example.com\",\"collectionId\":\"a\""
      case "WFS": ",\"url\":\"https://example.com\",\"wfsInfo\":{\"name\":\"a\"}"
      case "ArcGISMapServiceLayer": ",\"url\":\"https://example.com/MapServer\",\"layers\":[{\"id\":0}]"
      default: ",\"url\":\"a.geojson\""
      }
    }
    var text = "| | drawn | not drawn |\n|---|---|---|\n"
    text += try row("layers", layers) { type in
      let map = try WebMap(
        JSONValue(
          parsing: """
            {"operationalLayers":[{"id":"a","title":"A","layerType":"\(type)"\
            \(place(type))}]}
            """), hasTiles: { _ in true })
      return !map.warnings.contains { $0.description.contains("is not supported") }
    }
    text += row("renderers", renderers) { type in
      // A renderer without its other members is an error only where it is read.
      guard let read = try? DocumentReading.renderer("{\"type\":\"\(type)\"}") else { return true }
      return !read.warnings.contains { $0.contains("are not drawn yet") }
    }
    text += row("visual variables", DocumentObject.visualVariables.keys.sorted()) { _ in true }
    text += row("symbols", symbols) { type in
      let inner = type == "CIMSymbolReference" ? ",\"symbol\":{\"type\":\"CIMPointSymbol\"}" : ""
      guard let read = try? DocumentReading.symbol("{\"type\":\"\(type)\"\(inner)}") else { return true }
      return !read.warnings.contains { $0.contains("are not drawn yet") }
    }
    return text
  }

  private static func row(
    _ title: String, _ types: [String], isDrawn: (String) throws -> Bool
  ) rethrows -> String {
    let drawn = try types.filter(isDrawn)
    let others = types.filter { !drawn.contains($0) }
    func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
    return "| \(title) | \(list(drawn)) | \(list(others)) |\n"
  }

  // MARK: Members

  /// A heading and a table of the members of an object: those that are alike in one row, and a row with its reason for
  /// each that is approximated or not drawn.
  private static func table(_ object: DocumentObject) -> String {
    var (drawn, read, noEffect): ([String], [String], [String]) = ([], [], [])
    var approximated: [(name: String, support: String, reason: String)] = []
    var notDrawn = approximated
    for member in object.members {
      let name = "`\(member.name)`"
      switch member.treatment {
      case .read: drawn.append(name)
      case .aside: read.append(name)
      case .noEffect: noEffect.append(name)
      case .partly(let reason, _): approximated.append((name, "approximated", Self.reason(reason)))
      case .notDrawn(let reason, _):
        if reason.hasPrefix("approximated") {
          approximated.append((name, "approximated", Self.reason(reason)))
        } else {
          notDrawn.append((name, "not drawn", Self.reason(reason)))
        }
      }
    }
    func together(_ names: [String], _ support: String) -> [(name: String, support: String, reason: String)] {
      names.isEmpty ? [] : [(names.joined(separator: ", "), support, "")]
    }
    let rows =
      together(drawn, "drawn") + approximated + notDrawn + together(read, "read")
      + together(noEffect, "no effect")
    let lines = rows.map { "| \($0.name) | \($0.support) | \($0.reason) |\n" }
    return "### \(words(object.rawValue))\n\n| members | | reason |\n|---|---|---|\n\(lines.joined())"
  }

  /// A warning without the words that repeat the column before.
  private static func reason(_ warning: String) -> String {
    let words = ["approximated", "not drawn yet", "not drawn", "not applied yet", "not applied"]
    guard let word = words.first(where: warning.hasPrefix) else { return warning }
    let rest = warning.dropFirst(word.count)
    return rest.isEmpty ? "" : rest.hasPrefix(": ") ? String(rest.dropFirst(2)) : warning
  }

  /// A name in camel case as words: "Class breaks renderer".
  private static func words(_ name: String) -> String {
    let text = name.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  // MARK: The article

  /// Expects a text between two marks of the article, or writes it there when the environment asks.
  private static func expect(_ text: String, between mark: String) throws {
    let article = try String(contentsOf: Self.article, encoding: .utf8)
    let begin = try #require(article.range(of: "<!-- \(mark) begin -->\n\n"))
    let end = try #require(article.range(of: "\n<!-- \(mark) end -->"))
    if ProcessInfo.processInfo.environment["MAPSTATE_WRITE_GUIDE"] == "1" {
      let written = article.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: text)
      try written.write(to: Self.article, atomically: true, encoding: .utf8)
      return
    }
    #expect(
      article[begin.upperBound..<end.lowerBound] == text,
      "run MAPSTATE_WRITE_GUIDE=1 swift test --filter WebMapSupportTests to write the article's tables")
  }
}
