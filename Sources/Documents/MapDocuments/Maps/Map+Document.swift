import MapGeometry
import MapModel

extension Map {
  /// Creates a map from a document, without its layers and tables, which must be opened.
  package convenience init(document: WebMap) { self.init(State(of: document)) }
}

extension Map.State {
  /// Creates the state that a document describes, without its layers and tables, which must be opened.
  init(of document: WebMap) {
    self.init()
    self.document = document
    (bookmarks, basemap) = (document.bookmarks, document.basemap)
    spatialReference = document.spatialReference ?? .webMercator
    (initialViewpoint, initialTimeExtent) = (document.viewpoint, document.timeExtent)
    (minScale, maxScale, referenceScale) = (document.minScale, document.maxScale, document.referenceScale)
    if let background = document.background { backgroundColor = background }
  }

  /// The document that the map was read from; nil for none.
  var webMap: WebMap? { document as? WebMap }
}
