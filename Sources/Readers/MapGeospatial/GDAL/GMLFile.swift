import CGeospatial
import MapGeometry
import MapReaders

/// A GML file, checked before GDAL opens it, with the spatial references that it names.
struct GMLFile {
  private let document: GMLDocument
  /// The spatial references that are known, by their names.
  private let references: [String: LayerReference]
  /// The bytes that GDAL reads instead of the file; nil for the file as it is.
  let replacement: [UInt8]?

  /// Reads a file; nil for one of another format.
  ///
  /// - Throws: ``LibraryError`` for a document or coordinates that cannot be read.
  init?(_ path: String, _ options: ReadingOptions) throws(LibraryError) {
    guard DataFile.isGML(path) else { return nil }
    let file = try DataFile(DataFile.folder(path), DataFile.name(path))
    let bytes = try file.bytes(at: 0, count: file.size)
    do throws(FeatureReadError) {
      document = try GMLDocument(bytes, skipsBadRows: options.skipsBadRows)
    } catch {
      throw LibraryError("\(error)")
    }
    let (library, names) = (try GDALLibrary.shared(), document.references)
    let known = library.listening(GDALMessages()) {
      names.compactMap { name in Self.reference(name, library.calls).map { (name, $0) } }
    }
    references = Dictionary(known) { first, _ in first }
    // GDAL refuses a file with a name that it does not know.
    replacement = document.bytes(withoutReferences: names.subtracting(references.keys))
  }

  /// Returns the spatial reference of a name; nil for an unknown one, and for the address of another file or server.
  private static func reference(_ name: String, _ calls: cgeospatial_gdal) -> LayerReference? {
    let old = "http://www.opengis.net/gml/srs/epsg.xml#"
    let text = name.hasPrefix(old) ? "EPSG:" + name.dropFirst(old.count) : name
    let codes =
      #/(?:EPSG|EPSGA|ESRI|OGC|CRS|IGNF):\w+|urn:(?:x-)?ogc:def:crs[:,].*|https?:\/\/(?:www\.)?opengis\.net\/def\/crs.*/#
    guard text.wholeMatch(of: codes.ignoresCase()) != nil, let handle = calls.OSRNewSpatialReference(nil)
    else { return nil }
    defer { calls.OSRRelease(handle) }
    guard calls.OSRSetFromUserInput(handle, text) == OGRERR_NONE else { return nil }
    return LayerReference(handle, calls, extents: [])
  }

  /// Returns the different spatial references of a layer's geometries, and warnings about its features.
  ///
  /// - Throws: ``LibraryError`` for several or unknown ones, unless the caller names one.
  func contents(
    ofLayer name: String, _ options: ReadingOptions
  ) throws(LibraryError) -> (references: [LayerReference], warnings: [String]) {
    guard let layer = document.layers[name] else { return ([], []) }
    var warnings = layer.skipWarnings
    if layer.severalGeometries > 0 {
      let what = layer.severalGeometries == 1 ? "1 feature has" : "\(layer.severalGeometries) features have"
      warnings.append("\(what) several geometries: only the last was read")
    }
    var found: [(name: String, reference: LayerReference)] = []
    for name in layer.references {
      if let reference = references[name] {
        if !found.contains(where: { $0.reference.isSame(as: reference) }) { found.append((name, reference)) }
      } else if let given = options.sourceReference {
        warnings.append("spatial reference: read as \(given.wkid), as requested; the file states \"\(name)\"")
      } else {
        throw LibraryError(
          "the spatial reference \"\(name)\" is not known; name a known one with --source-reference")
      }
    }
    guard found.count < 2 || options.sourceReference != nil else {
      let list = found.prefix(10).map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw LibraryError(
        "\"\(name)\": its geometries have different spatial references, \(list); --source-reference states one for all"
      )
    }
    return (found.map(\.reference), warnings)
  }
}
