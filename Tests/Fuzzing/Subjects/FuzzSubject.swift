/// A reader of untrusted bytes, called by the fuzzer and by the tests that repeat its findings.
///
/// For any bytes, a reader must answer or refuse. A trap, a failed precondition, more than five seconds or
/// more than a gigabyte is a finding.
package enum FuzzSubject: String, CaseIterable, Sendable {
  case where_ = "where"
  case arcade
  case cql2Text = "cql2-text"
  case cql2JSON = "cql2-json"
  case geoJSON = "geojson"
  case csv
  case csvDialect = "csv-dialect"
  case flatGeobuf = "flatgeobuf"
  case arrow
  case parquet
  case kml
  case gml
  case spreadsheet
  case shapefile
  case mapInfo = "mapinfo"
  case dbf
  case vectorTile = "vector-tiles"
  case copy
  case geoPackage = "geopackage"
  case archive
  case png
  case pmTiles = "pmtiles"
  case tileArchive = "tile-archive"
  case tileDescription = "tile-description"
  case styles
  case drawnStyle = "drawn-styles"
  case sprite
  case glyphFiles = "glyph-files"
  case icons
  case webMap = "webmap"
  case symbols
  case styledLayers = "styled-layers"
  case arcGISJSON = "arcgis-json"
  case arcGISBuffers = "arcgis-pbf"
  case ogc
  case objects
  case snapshot
  case steps
  case http
  case interface
  case partial

  /// Reads the bytes and returns false if they are refused; files that it needs are in `folder`.
  @discardableResult
  package func run(_ bytes: [UInt8], folder: String) async -> Bool {
    switch self {
    case .where_: SubjectFilters.sqlWhere(bytes)
    case .arcade: SubjectFilters.arcade(bytes)
    case .cql2Text, .cql2JSON: SubjectFilters.cql2(bytes)
    case .geoJSON: SubjectTables.geoJSON(bytes)
    case .csv: SubjectTables.csv(bytes)
    case .csvDialect: SubjectTables.csvDialect(bytes)
    case .flatGeobuf: SubjectTables.flatGeobuf(bytes)
    case .arrow: SubjectTables.arrow(bytes)
    case .parquet: SubjectTables.parquet(bytes)
    case .kml: SubjectTables.kml(bytes)
    case .gml: await SubjectFiles.gml(bytes, folder: folder)
    case .spreadsheet: SubjectFiles.spreadsheet(bytes, folder: folder)
    case .shapefile: await SubjectFiles.shapefile(bytes, folder: folder)
    case .mapInfo: await SubjectFiles.mapInfo(bytes, folder: folder)
    case .dbf: SubjectTables.dbf(bytes)
    case .vectorTile: SubjectTables.vectorTile(bytes)
    case .copy: SubjectDatabases.copy(bytes)
    case .geoPackage: await SubjectTables.geoPackage(bytes, folder: folder)
    case .archive: await SubjectTables.archive(bytes, folder: folder)
    case .png: SubjectImages.png(bytes)
    case .pmTiles: await SubjectImages.pmTiles(bytes, folder: folder)
    case .tileArchive: SubjectTiles.archive(bytes, folder: folder)
    case .tileDescription: SubjectImages.tileDescription(bytes)
    case .styles: SubjectTiles.style(bytes)
    case .drawnStyle: await SubjectStyles.style(bytes, folder: folder)
    case .sprite: await SubjectStyles.sprite(bytes, folder: folder)
    case .glyphFiles: SubjectSymbols.glyphFile(bytes)
    case .icons: SubjectSymbols.icons(bytes)
    case .webMap: await SubjectDocuments.webMap(bytes, folder: folder)
    case .symbols: await SubjectDocuments.symbols(bytes, folder: folder)
    case .styledLayers: await SubjectStyledLayers.style(bytes, folder: folder)
    case .arcGISJSON: await SubjectServices.arcGISJSON(bytes)
    case .arcGISBuffers: await SubjectServices.arcGISBuffers(bytes)
    case .ogc: await SubjectServices.ogc(bytes)
    case .objects: await SubjectServices.objects(bytes)
    case .snapshot: await SubjectDocuments.snapshot(bytes, folder: folder)
    case .steps: await SubjectDocuments.steps(bytes, folder: folder)
    case .http: await SubjectHTTP.request(bytes, folder: folder)
    case .interface: await SubjectInterface.calls(bytes, folder: folder)
    case .partial: SubjectPartials.partial(bytes)
    }
  }
}
