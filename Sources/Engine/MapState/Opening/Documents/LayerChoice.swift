import MapDocuments
import MapModel

/// The layers of a document that are read when it is opened; of the others, only the names are known.
public struct LayerChoice: Sendable {
  /// The rule for layers that are not named.
  public enum Rule: Sendable {
    /// All layers.
    case all
    /// Layers that are visible in the document, or because they are in ``LayerChoice/shown``.
    case visible
    /// Only named layers.
    case named
    /// The only layer; several layers are an error.
    case single
  }

  /// The rule for layers that are not named.
  public var rule = Rule.all
  /// The layers that are read in any case, by title, id or index.
  public var names: [String] = []
  /// The layers that are made visible.
  public var shown: [String] = []
  /// The layers that are hidden.
  public var hidden: [String] = []
  /// Whether the layer of a document with only one layer is read in any case.
  public var readsSingle = false
  /// Whether a layer that cannot be read is left out with a warning.
  public var skipsUnavailable = false
  /// Whether a hidden layer that cannot be read is left out with a warning.
  public var skipsHiddenUnavailable = false
  /// Whether the layers of the basemap are read.
  public var readsBasemap = true

  /// Creates a choice of all layers.
  public init() {}

  /// Whether hidden layers may be read.
  var mayReadHidden: Bool {
    if case .visible = rule { !shown.isEmpty || !names.isEmpty } else { true }
  }

  /// Returns the indexes of the layers to read.
  ///
  /// - Throws: ``MapStateError`` for a name that no layer has.
  func indexes(among layers: [WebMapLayer], _ names: LayerNames) throws(MapStateError) -> Set<Int> {
    var isVisible = layers.map(\.isVisible)
    // Layers of styles are opened later, and unknown names are then an error.
    func index(of name: String) throws(MapStateError) -> Int? {
      guard name.contains("#"), !names.isKnown(name) else { return try names.index(of: name) }
      return nil
    }
    for name in hidden { if let index = try index(of: name) { isVisible[index] = false } }
    for name in shown { if let index = try index(of: name) { isVisible[index] = true } }
    var chosen: Set<Int> = []
    for name in self.names { if let index = try index(of: name) { chosen.insert(index) } }
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

/// The source of a layer that was not read: the layer keeps its name and index, and every query is an error.
package struct UnreadSource: FeatureSource {
  /// The reason why it was not read.
  let reason: MapStateError
  /// Whether reading failed; false if the layer was not requested.
  let isUnavailable: Bool

  /// The source of a layer that was not requested.
  static let notAsked = UnreadSource(
    reason: MapStateError(.input, "was not read, because it was not requested"), isUnavailable: false)

  package var schema: FeatureSchema { FeatureSchema(fields: [], geometryKind: nil, spatialReference: nil) }
  package var metadata: SourceMetadata { SourceMetadata() }
  package func count(_ query: FeatureQuery) throws -> Int { throw reason }
  package func counts(_ queries: [FeatureQuery]) throws -> [Int] { throw reason }
  package func fetch(_ query: FeatureQuery?, page: FeaturePage) throws -> FetchedFeatures { throw reason }
}

extension WebMapLayer {
  /// Whether layers of this kind can be drawn.
  var isSupported: Bool { if case .unsupported = content { false } else { true } }
}

extension OpenedLayer {
  /// Whether the layer was not read because it was not requested.
  public var isUnread: Bool { (layer.source as? UnreadSource)?.isUnavailable == false }

  /// The reason why the layer's table was not read; nil if it was read.
  public var unreadReason: MapStateError? { (layer.source as? UnreadSource)?.reason }
}
