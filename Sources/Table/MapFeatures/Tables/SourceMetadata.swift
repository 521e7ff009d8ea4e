package import MapGeometry
package import MapJSON

/// The properties of a source besides its fields: name, drawing and time as it declares them, and the number, extent
/// and exactness of its rows.
package struct SourceMetadata: Hashable, Sendable {
  /// The display name; empty if the source has none.
  package var name = ""
  /// Attribution text required by the data source; empty if there is none.
  package var attribution = ""
  /// The decisions of reading that a user may want to know, such as the zoom level of tiles.
  package var notes: [String] = []
  /// The way in which the file stores its rows; nil if it was not asked for.
  package var storage: StorageDescription?
  /// The drawing information as Esri JSON (`renderer`, `transparency`, `labelingInfo`); nil if there is none.
  package var drawingInfo: JSONValue?
  /// The time fields; nil if the source declares none.
  package var timeInfo: TimeInfo?
  /// The scale denominator of the smallest scale at which the layer is drawn; 0 means no limit.
  package var minScale = 0.0
  /// The scale denominator of the largest scale at which the layer is drawn; 0 means no limit.
  package var maxScale = 0.0
  /// The layer's resource at its ArcGIS service, unchanged; nil for every other source.
  package var layerResource: JSONValue?

  /// The number of rows.
  package var rowCount = 0
  /// The envelope of all rows in the source's spatial reference; empty without rows.
  package var extent = Envelope.empty
  /// The envelope of all rows in WGS 84 or Web Mercator; empty without rows.
  package var shownExtent = Envelope.empty
  /// The world copies that contain rows, where -180° to 180° is 0.
  package var worldsReached = 0...0
  /// Warnings about losses and assumptions while reading.
  package var warnings: [String] = []
  /// The reason why the source's answers are not exact; nil if they are.
  ///
  /// A source that is known to lack features has one, and a service whose filter has returned features that MapState's
  /// rules reject.
  package var inexactReason: String?
  /// Whether the source's answers are exact.
  package var isExact: Bool { inexactReason == nil }

  /// Creates empty properties.
  package init() {}
}

/// A description of the way in which files store the rows of a table.
package struct StorageDescription: Hashable, Sendable {
  /// A line of the text.
  package struct Line: Hashable, Sendable {
    /// The kind of what the line describes.
    package let label: String
    package let text: String
  }

  /// The description as JSON.
  package let json: JSONValue
  /// The description as text.
  package let lines: [Line]

  /// Creates a description.
  package init(json: JSONValue, lines: [(label: String, text: String)]) {
    (self.json, self.lines) = (json, lines.map { Line(label: $0.label, text: $0.text) })
  }
}
