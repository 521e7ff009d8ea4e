import Foundation
import MapJSON
import MapModel
import Testing

/// The tables of the guide's article on web maps, written from the lists of the codecs.
///
/// `MAPSTATE_WRITE_GUIDE=1 swift test --filter WebMapSupportTests` writes them into the article.
@Suite(.serialized) struct WebMapSupportTests {
  private static let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/MapState/MapState.docc/WebMapSupport.md")

  @Test("The article's table of kinds agrees with the warnings of documents")
  func kinds() throws {
    try Self.expect(try Self.kindsTable(), between: "kinds")
  }

  @Test("The article's tables of members agree with the lists of the codecs")
  func members() throws {
    let objects = DocumentObject.allCases.filter { !$0.hasVariants }
    #expect(objects.reduce(0) { $0 + $1.members.count } == 943)
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
    var text = "| | drawn | not drawn |\n|---|---|---|\n"
    text += try row("layers", layers) { type in
      let map = try WebMap(
        JSONValue(
          parsing: """
            {"operationalLayers":[{"id":"a","title":"A","layerType":"\(type)"\
            \(type == "GroupLayer" ? ",\"layers\":[]" : ",\"url\":\"a.geojson\"")}]}
            """))
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

  /// A heading and a table of the members of an object.
  private static func table(_ object: DocumentObject) -> String {
    var (read, partly, notDrawn, kept, noEffect): ([String], [String], [String], [String], [String]) =
      ([], [], [], [], [])
    for member in object.members {
      let name = "`\(member.name)`"
      switch member.treatment {
      case .read: read.append(name)
      case .partly(let reason, _): partly.append("\(name): \(reason)")
      case .aside: kept.append(name)
      case .noEffect: noEffect.append(name)
      case .notDrawn(let reason, _): notDrawn.append("\(name): \(reason)")
      }
    }
    let rows = [
      ("drawn", read.joined(separator: ", ")), ("approximated", partly.joined(separator: "; ")),
      ("not drawn", notDrawn.joined(separator: "; ")), ("read", kept.joined(separator: ", ")),
      ("no effect", noEffect.joined(separator: ", ")),
    ]
    let lines = rows.filter { !$0.1.isEmpty }.map { "| \($0.0) | \($0.1) |\n" }
    return "### \(words(object.rawValue))\n\n| | members |\n|---|---|\n\(lines.joined())"
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
