public import MapJSON

/// What a source says of itself beside its fields: how it is named, drawn and dated.
public struct SourceMetadata: Hashable, Sendable {
  /// The name for people; empty where the source gives none.
  public var name = ""
  /// Who is to be named beside the data; empty where the source gives none.
  public var attribution = ""
  /// How it is drawn, as Esri JSON (`renderer`, `transparency`, `labelingInfo`); nil where it does not say.
  public var drawingInfo: JSONValue?
  /// Where it keeps time; nil where it does not say.
  public var timeInfo: TimeInfo?
  /// The N of the smallest scale 1:N at which it is drawn; 0 is no limit.
  public var minScale = 0.0
  /// The N of the largest scale 1:N at which it is drawn; 0 is no limit.
  public var maxScale = 0.0
  /// The layer as its ArcGIS service describes it, as written; nil for every other source.
  public var layerResource: JSONValue?

  /// Says nothing.
  public init() {}
}
