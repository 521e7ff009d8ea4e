import MapReaders
import MapSystem

/// The format of a text file, recognised by its first bytes or else its ending.
enum TextFormat {
  case geoJSON, csv, esriFeatures, kml
  /// JSON of another kind: a web map, a style, or no known one.
  case otherJSON

  /// Recognises the format; nil for a file that only another library reads.
  ///
  /// - Parameter delimiter: the given sign between the fields of delimited text.
  init?(_ bytes: [UInt8], path: String, _ delimiter: CSVDelimiter? = nil) {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0x1E, 0xEF, 0xBB, 0xBF]
    let bytes = TextEncoding.decodedStart(bytes)
    let ending = FilePath.pathExtension(of: path)
    let text = bytes.drop { blank.contains($0) }
    switch text.first {
    case UInt8(ascii: "<"):
      // XML under any name.
      guard ending == "kml" || KMLReader.looksLikeKML(Array(text)) else { return nil }
      self = .kml
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if GeoJSONReader.looksLikeGeoJSON(bytes) {
        self = .geoJSON
      } else if EsriFeatureSet.looksLikeFeatures(bytes) {
        self = .esriFeatures
      } else {
        // Another library reads TopoJSON.
        guard EsriFeatureSet.type(ofObjectIn: bytes) != "Topology" else { return nil }
        self = .otherJSON
      }
    default:
      // A table of MapInfo under any name, and text files of other formats, which have delimiters too.
      let isOther =
        text.prefix(6).map { $0 | 0x20 } == Array("!table".utf8)
        || ["mid", "mif", "tab", "prj"].contains(ending)
      let start = bytes.prefix(4096)
      let isCSV =
        ["csv", "tsv", "txt"].contains(ending) ? !start.contains(0) : CSVReader.looksLikeCSV(start, delimiter)
      guard !isOther, isCSV else { return nil }
      self = .csv
    }
  }

  /// Whether the first sign of a file begins an object of JSON.
  static func startsLikeJSON(_ head: [UInt8]) -> Bool {
    head.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "{")
  }
}
