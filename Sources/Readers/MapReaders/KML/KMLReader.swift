package import MapFeatures

/// Reads KML into tables: one for each folder or document that has placemarks.
///
/// Each placemark is a row, also without geometry. The fields are its own elements (`Name`, `description`, `timestamp`,
/// `begin`, `end`, `snippet`, `address`, `phoneNumber`, `visibility`, `styleUrl`, `id`), if any placemark of the folder
/// has them, and its extended data. A field of a `Schema` has the type declared there; other data are text. Links,
/// overlays, regions and tours are counted in a warning, with the line of the first.
///
/// Longitude and latitude are in WGS 84. A `MultiGeometry` of one kind is a geometry of several parts; one of several
/// kinds is a row of each kind, with the same values. Tracks are lines.
///
/// Placemarks that the file hides are rows, too, with a warning.
///
/// Shared styles and those of placemarks give colours and sizes. If a placemark has a style of its own, the field
/// `style` names the style of each row; otherwise `styleUrl` does.
///
/// - Source: OGC 12-007r2 (KML 2.3), and the names of GDAL's driver LIBKML.
/// - Cost: one pass over the bytes, and no object for a placemark.
package enum KMLReader {
  /// A folder or document with placemarks.
  package struct Layer: Sendable {
    /// The name of the folder or document; with the folders around it, if another one has the same name.
    package let name: String
    /// Its placemarks.
    package let table: FeatureColumns
    /// The styles of its placemarks; nil if they have none.
    package let styles: KMLStyles?
    /// Its place in the file, and the fields that its drawing needs.
    package let folder: KMLFolder
  }

  /// Reads all layers of a document, with the wanted fields.
  ///
  /// - Parameter name: the name of a layer without one.
  /// - Throws: ``FeatureReadError`` with line and column.
  package static func read(
    _ bytes: [UInt8], name: String, fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions()
  ) throws(FeatureReadError) -> [Layer] {
    let (text, warnings) = try XMLEncoding.utf8(bytes, given: options.encoding)
    do {
      var parser = KMLParser(text, options)
      try parser.document()
      return parser.tables(name: name, fields: fields, warnings: warnings).map {
        Layer(name: $0.name, table: $0.table, styles: $0.styles, folder: $0.folder)
      }
    } catch {
      throw FeatureReadError(error, in: text)
    }
  }

  /// Whether the content starts like KML: XML whose first element is one of KML's.
  package static func looksLikeKML(_ bytes: [UInt8]) -> Bool {
    var scanner = KMLVocabulary.scanner(bytes)
    guard (try? scanner.next()) == .start else { return false }
    return scanner.isOwn && KMLVocabulary.roots.contains(scanner.name)
  }
}
