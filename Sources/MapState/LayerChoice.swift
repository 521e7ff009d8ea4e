import MapModel

/// The layers of a document that opening reads; the others are known by name alone.
public struct LayerChoice: Sendable {
  /// The rule for layers that nobody names.
  public enum Rule: Sendable {
    /// All of them.
    case all
    /// Those that are visible: by the document, or because they are shown.
    case visible
    /// Only those that are named.
    case named
    /// The only one; several are an error.
    case single
  }

  /// The rule for layers that nobody names.
  public var rule = Rule.all
  /// Layers that are read in any case, by title, id or index.
  public var names: [String] = []
  /// Layers that are made visible.
  public var shown: [String] = []
  /// Layers that are hidden.
  public var hidden: [String] = []
  /// True reads the layer of a document with one layer in any case.
  public var readsSingle = false
  /// True leaves out a layer that cannot be read, with a warning.
  public var skipsUnavailable = false
  /// True leaves out a hidden layer that cannot be read, with a warning.
  public var skipsHiddenUnavailable = false
  /// False reads no layer of the basemap.
  public var readsBasemap = true

  /// All layers.
  public init() {}

  /// The indexes of the layers to read.
  ///
  /// - Throws: ``MapError`` for a name that no layer has.
  func indexes(among layers: [WebMapLayer], _ names: LayerNames) throws(MapError) -> Set<Int> {
    var isVisible = layers.map(\.isVisible)
    for name in hidden { isVisible[try names.index(of: name)] = false }
    for name in shown { isVisible[try names.index(of: name)] = true }
    var chosen: Set<Int> = []
    for name in self.names { chosen.insert(try names.index(of: name)) }
    if readsSingle, layers.count == 1 { chosen.insert(0) }
    switch rule {
    case .all: chosen.formUnion(layers.indices)
    case .visible: chosen.formUnion(layers.indices.filter { isVisible[$0] })
    case .named: break
    case .single: chosen.insert(try names.onlyIndex())
    }
    return chosen
  }
}

/// A source that was not read: its layer keeps name and place, and every question is an error.
struct UnreadSource: FeatureSource {
  /// The reason that it was not read.
  let reason: SourceError
  /// True for one that could not be read; false for one that nobody asked for.
  let isUnavailable: Bool

  /// The source of a layer that nobody asked for.
  static let notAsked = UnreadSource(
    reason: SourceError("was not asked for, so it was not read"), isUnavailable: false)

  var schema: FeatureSchema { FeatureSchema(fields: [], geometryKind: nil, spatialReference: nil) }
  var rowCount: Int { 0 }
  var extent: Envelope { .empty }
  var warnings: [String] { [] }

  func rows(_ query: FeatureQuery) throws -> RowSet { throw reason }
  func count(_ query: FeatureQuery) throws -> Int { throw reason }
  func columns() throws -> FeatureColumns { throw reason }
  func shownColumns(on map: SpatialReference) throws -> FeatureColumns { throw reason }
  func fetched(for query: FeatureQuery) throws -> any FeatureSource { throw reason }
}

extension WebMapLayer {
  /// True for a layer of a kind that can be drawn.
  var isSupported: Bool { if case .unsupported = content { false } else { true } }
  /// Title, else id.
  var displayName: String { title.isEmpty ? id : title }
}

extension OpenedLayer {
  /// True for a layer that nobody asked for, so that it was not read.
  public var isUnread: Bool { (layer.source as? UnreadSource)?.isUnavailable == false }

  /// The reason that the layer's table was not read; nil for one that was.
  public var unreadReason: SourceError? { (layer.source as? UnreadSource)?.reason }
}
