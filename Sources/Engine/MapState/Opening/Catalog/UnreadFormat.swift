import MapReaders
import MapSystem

/// Formats of features that are recognised and not read, so that a message can name them.
///
/// OpenStreetMap data must be put together from several passes; GDAL's drivers for them are not on the list of those that
/// read one file alone. SpatiaLite needs its extension to read its own geometries.
enum UnreadFormat {
  /// Returns the name of the format by the first bytes; nil for an unknown one.
  static func name(_ head: [UInt8]) -> String? {
    if head.starts(with: "SQLite format 3\0".utf8) {
      // The id of the application is "GPKG", or "GP10" and "GP11" in old files.
      return head.count >= 70 && head[68] == UInt8(ascii: "G") && head[69] == UInt8(ascii: "P")
        ? nil : "SQLite without the tables of a GeoPackage, such as SpatiaLite"
    }
    if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
      return "a file of Microsoft Office before 2007, such as .xls"
    }
    let text = String(decoding: TextEncoding.decodedStart(head), as: UTF8.self)
    if head.first == 0, text.prefix(64).contains("OSMHeader") { return "OpenStreetMap PBF" }
    guard text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" else { return nil }
    if text.contains("<osm ") || text.contains("<osm>") { return "OpenStreetMap XML" }
    return text.contains("opengis.net/gml") ? "GML without features" : nil
  }

  /// Returns the message for a file of an unknown or unread format.
  static func message(_ path: String, readable formats: String) -> String {
    guard case .file(let head) = FileAccess.look(at: path) else {
      return "\(path): has an unknown format; readable formats: \(formats)"
    }
    if let name = name(head) {
      return "\(path): is \(name), which is not read; convert it, as in ogr2ogr -f GPKG copy.gpkg FILE"
    }
    let advice =
      CSVReader.likelyDelimiter(head).map { "; if it is CSV, write --delimiter \($0.written)" } ?? ""
    return "\(path): has an unknown format\(advice); readable formats: \(formats)"
  }
}
