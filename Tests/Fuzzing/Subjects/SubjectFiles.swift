import MapReaders
import MapScript
import MapState
import MapSystem
import MapTestSupport

/// Files that are read by their names: any bytes are tables, or are refused.
enum SubjectFiles {
  /// A spreadsheet: a byte that chooses its format and options, and its parts, separated by NUL.
  ///
  /// The parts of a workbook are its sheet, its texts, its styles and its list of sheets.
  static func spreadsheet(_ bytes: [UInt8], folder: String) -> Bool {
    guard let choice = bytes.first else { return false }
    let parts = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    var entries = [("mimetype", Array("application/vnd.oasis.opendocument.spreadsheet".utf8))]
    if choice & 1 == 0 {
      let names = ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml"]
      entries = Array(zip(names, parts))
      if parts.count < 4 { entries.append(("xl/workbook.xml", Array(sheetList.utf8))) }
      entries.append(("xl/_rels/workbook.xml.rels", Array(links.utf8)))
    } else {
      entries.append(("content.xml", parts.first ?? []))
    }
    let path = "\(folder)/fuzz.xlsx"
    write(StoredArchive.bytes(of: entries), to: path)
    var options = ReadingOptions()
    options.decimalSign = [nil, .comma, .point, nil][Int(choice >> 1 & 3)]
    options.skipsBadRows = choice & 8 != 0
    guard let tables = try? Spreadsheet.tables(path, sheet: nil, fields: .all, options: options) else {
      return false
    }
    for table in tables { SubjectTables.ask(table.columns) }
    return !tables.isEmpty
  }

  private static let sheetList =
    "<workbook xmlns:r='r'><sheets><sheet name='S' sheetId='1' r:id='rId1'/></sheets></workbook>"
  private static let links =
    "<Relationships><Relationship Id='rId1' Target='worksheets/sheet1.xml'/></Relationships>"

  /// A GML file, which is checked before GDAL reads it.
  static func gml(_ bytes: [UInt8], folder: String) async -> Bool {
    let strict = try? GMLDocument(bytes, skipsBadRows: false)
    let lenient = try? GMLDocument(bytes, skipsBadRows: true)
    precondition(strict == nil || lenient?.layers.count == strict?.layers.count)
    guard lenient != nil else { return false }
    write(bytes, to: "\(folder)/fuzz.gml")
    return await open("\(folder)/fuzz.gml")
  }

  /// A shapefile without `.shx`: the size of the `.shp` file in two bytes, that file, and the `.dbf` file.
  static func shapefile(_ bytes: [UInt8], folder: String) async -> Bool {
    guard bytes.count > 2 else { return false }
    let size = Int(bytes[0]) | Int(bytes[1]) << 8
    write(Array(bytes.dropFirst(2).prefix(size)), to: "\(folder)/fuzz.shp")
    write(Array(bytes.dropFirst(2 + size)), to: "\(folder)/fuzz.dbf")
    return await open("\(folder)/fuzz.shp")
  }

  /// A MapInfo interchange file: the `.mif` file, NUL, and the `.mid` file.
  static func mapInfo(_ bytes: [UInt8], folder: String) async -> Bool {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count == 2 else { return false }
    write(parts[0], to: "\(folder)/fuzz.mif")
    write(parts[1], to: "\(folder)/fuzz.mid")
    return await open("\(folder)/fuzz.mif")
  }

  /// Opens a file, describes it and counts its features.
  private static func open(_ path: String) async -> Bool {
    var catalog = SourceCatalog(services: SubjectServices.unreachable)
    catalog.reading.skipsBadRows = true
    guard let document = try? await MapDocument.open(path, catalog: catalog) else { return false }
    _ = try? await Inspection(document).json
    guard let view = try? await document.view(ViewRequest()) else { return false }
    return (try? await view.freeze().counts(CountOptions())) != nil
  }

  static func write(_ bytes: [UInt8], to path: String) {
    do { try FileAccess.write(bytes, to: path) } catch { fatalError("\(error)") }
  }
}
