import MapDocuments
package import MapJSON
import MapReaders
import MapStyles
import MapSystem

extension SourceCatalog {
  /// The form of a file that is text.
  enum TextForm {
    case geoJSON, csv, esriFeatures, kml
    /// JSON of another kind: a web map, or no known one.
    case otherJSON
  }

  /// Returns the JSON of the style at a path; nil for a source of another kind, and for JSON that is damaged.
  package static func style(at source: String) throws(MapStateError) -> JSONValue? {
    guard SourceAddress.scheme(of: source) == nil, source != "-",
      case .file(let head) = FileAccess.look(at: source), TopologyFile.startsLikeJSON(head)
    else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(source) } catch { throw MapStateError(error) }
    guard textForm(of: bytes, path: source) == .otherJSON,
      let json = try? JSONValue(parsing: bytes, limits: WebMap.limits), StyleDocument.isStyle(json)
    else { return nil }
    return json
  }

  /// Returns the form by the first bytes, else by the ending; nil for a file that only another library reads.
  static func textForm(of bytes: [UInt8], path: String) -> TextForm? {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0x1E, 0xEF, 0xBB, 0xBF]
    let bytes = TextEncoding.decodedStart(bytes)
    let ending = FilePath.pathExtension(of: path)
    let text = bytes.drop { blank.contains($0) }
    // XML, and a table of MapInfo, under any name.
    if text.first == UInt8(ascii: "<") {
      return ending == "kml" || KMLReader.looksLikeKML(Array(text)) ? .kml : nil
    }
    if text.prefix(6).map({ $0 | 0x20 }) == Array("!table".utf8) { return nil }
    if let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      if GeoJSONReader.looksLikeGeoJSON(bytes) { return .geoJSON }
      if EsriFeatureSet.looksLikeFeatures(bytes) { return .esriFeatures }
      return TopologyFile.isTopology(bytes) ? nil : .otherJSON
    }
    if ["csv", "tsv", "txt"].contains(ending) {
      return bytes.prefix(4096).contains(0) ? nil : .csv
    }
    // Text files of other formats, which have these endings and delimiters too.
    guard !["mid", "mif", "tab", "prj"].contains(ending) else { return nil }
    return CSVReader.looksLikeCSV(bytes.prefix(4096)) ? .csv : nil
  }
}

/// The recognition of TopoJSON, which another library reads.
enum TopologyFile {
  /// Whether the first object's `type` is `Topology`.
  static func isTopology(_ bytes: [UInt8]) -> Bool { EsriFeatureSet.type(ofObjectIn: bytes) == "Topology" }

  static func startsLikeJSON(_ head: [UInt8]) -> Bool {
    head.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "{")
  }
}
