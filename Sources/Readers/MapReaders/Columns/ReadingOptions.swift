public import MapGeometry

/// The options for what a file does not say: its coordinate columns, spatial reference and encoding.
public struct ReadingOptions: Hashable, Sendable {
  /// The spatial reference of the coordinates, instead of the one that the file states or leaves open.
  public var sourceReference: SpatialReference?
  /// The field with the x coordinates or longitudes of points; it goes with ``yField``.
  public var xField: String?
  /// The field with the y coordinates or latitudes of points.
  public var yField: String?
  /// The encoding of texts in a file that does not state it.
  public var encoding: TextEncoding?
  /// The delimiter of CSV files, instead of the one that is found in the header.
  public var delimiter: CSVDelimiter?
  /// The decimal sign of numbers in CSV files and sheets, instead of the one that is found in each column.
  public var decimalSign: DecimalSign?
  /// Whether rows that cannot be read are left out with one warning, which counts them.
  public var skipsBadRows = false
  /// The zoom level of vector tiles whose features are read; nil for the largest.
  public var tileZoom: Int?

  /// The fields of a CSV file that hold text, whatever their values look like, by their names in lower case.
  package var textFields: Set<String> = []
  /// Whether a table may have geometries of several kinds; otherwise they are an error.
  package var allowsSeveralKinds = true

  /// Creates options that take everything from the file.
  public init() {}

  /// Returns the spatial reference of coordinates, and the warning if the file states another one.
  ///
  /// - Parameter stated: the reference in the file; nil if it states none.
  package func reference(
    stated: SpatialReference?
  ) -> (reference: SpatialReference?, warnings: [String]) {
    guard let sourceReference else { return (stated, []) }
    guard let stated, stated != sourceReference else { return (sourceReference, []) }
    return (
      sourceReference,
      ["spatial reference: read as \(sourceReference.wkid), as requested; the file states \(stated.wkid)"]
    )
  }
}

/// The rows that were left out, counted, with the fault of the first.
struct SkippedRows: Sendable {
  private(set) var count = 0
  private var first: FeatureReadError?

  /// Counts a row; the place of a fault is computed for the first only, since that takes a pass over the file.
  mutating func note(_ fault: @autoclosure () -> FeatureReadError) {
    if count == 0 { first = fault() }
    count += 1
  }

  /// The warning; none without skipped rows.
  var warnings: [String] { warnings(\.description) }

  /// Returns the warning, with a message about the first row; none without skipped rows.
  func warnings(_ message: (FeatureReadError) -> String) -> [String] {
    guard let first else { return [] }
    let rows = count == 1 ? "1 row that cannot be read was" : "\(count) rows that cannot be read were"
    return ["\(rows) left out; the first: \(message(first))"]
  }
}
