public import MapJSON

/// The properties of a source besides its fields, as it declares them: name, drawing, time.
public struct SourceMetadata: Hashable, Sendable {
  /// The display name; empty if the source has none.
  public var name = ""
  /// Attribution text required by the data source; empty if there is none.
  public var attribution = ""
  /// The drawing information as Esri JSON (`renderer`, `transparency`, `labelingInfo`); nil if there is none.
  public var drawingInfo: JSONValue?
  /// The time fields; nil if the source declares none.
  public var timeInfo: TimeInfo?
  /// The scale denominator of the smallest scale at which the layer is drawn; 0 means no limit.
  public var minScale = 0.0
  /// The scale denominator of the largest scale at which the layer is drawn; 0 means no limit.
  public var maxScale = 0.0
  /// The layer's resource at its ArcGIS service, unchanged; nil for every other source.
  public var layerResource: JSONValue?

  /// Creates empty properties.
  public init() {}
}
