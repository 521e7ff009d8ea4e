import ArgumentParser
import MapGeometry
import MapReaders
import MapScript
import MapState

/// The options for what files do not say.
package struct ReadingOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Spatial reference of files, over the stated one: a WKID, a code such as EPSG:25832, or WKT.",
      valueName: "wkid"),
    transform: { try SpatialReference(text: $0) })
  var sourceReference: SpatialReference?
  @Option(help: ArgumentHelp("Column of a CSV file with x or longitude; needs --y.", valueName: "field"))
  var x: String?
  @Option(help: ArgumentHelp("Column of a CSV file with y or latitude; needs --x.", valueName: "field"))
  var y: String?
  @Option(
    help: ArgumentHelp(
      "Encoding of texts in files that do not state it, such as latin1 or windows-1252.", valueName: "name"),
    transform: { try TextEncoding(text: $0) })
  var encoding: TextEncoding?
  @Option(
    help: ArgumentHelp(
      "Sign between the fields of a CSV file; by default it is found in the header.", valueName: "char|tab"),
    transform: { try CSVDelimiter(text: $0) })
  var delimiter: CSVDelimiter?
  @Option(
    help: ArgumentHelp(
      "Decimal sign in a CSV file or sheet; by default it is found in each column.", valueName: ",|."),
    transform: { try DecimalSign(text: $0) })
  var decimal: DecimalSign?
  @Flag(help: "Leave out rows that cannot be read, with one warning that counts them.")
  var skipBadRows = false
  @Option(
    help: ArgumentHelp(
      "Zoom level of vector tiles whose features are read; default: the largest.", valueName: "z"))
  var tileZoom: Int?

  package init() {}

  package func validate() throws {
    if let tileZoom, !(0...30).contains(tileZoom) {
      throw ValidationError("--tile-zoom is \(tileZoom); it must be 0 to 30.")
    }
    if (x == nil) != (y == nil) { throw ValidationError("--x and --y go together; give both of them.") }
  }

  /// The options as a value.
  var options: ReadingOptions {
    var options = ReadingOptions()
    options.sourceReference = sourceReference
    (options.xField, options.yField, options.encoding) = (x, y, encoding)
    (options.delimiter, options.decimalSign) = (delimiter, decimal)
    (options.skipsBadRows, options.tileZoom) = (skipBadRows, tileZoom)
    return options
  }
}
