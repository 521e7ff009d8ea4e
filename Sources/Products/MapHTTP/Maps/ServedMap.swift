import MapJSON
import MapModel
import MapScript
package import MapState
import MapSnapshots
import Synchronization

/// An opened map that many requests share.
///
/// A request changes the map, freezes it, and works on the frozen value. Changes and freezing exclude each other; the
/// work does not.
package final class ServedMap: Sendable {
  /// The document.
  package let document: MapDocument
  /// A hash of the revisions of all files that the map was read from.
  let revision: String
  /// Whether the text of the document names a service.
  private let namesService: Bool
  /// Whether the document has a filter or an expression of the current time.
  private let namesCurrentTime: Bool
  /// The paths of the document and of its files.
  let inputs: [String]
  private let start: Start
  /// The turn of the request that changes the map.
  let turn = Turn()

  /// The properties of the map that requests change, as they are in the document.
  private struct Start {
    let reference: SpatialReference?
    let background: Color?
    let basemap: Basemap?
    let showsNames: Bool
    let showsGraticule: Bool
    let visible: [Bool]
    let appearances: [FeatureLayer.Appearance]
    let viewpoint: Viewpoint?
  }

  init(_ document: MapDocument, text: String, revision: String, inputs: [String]) {
    (self.document, self.revision, self.inputs) = (document, revision, inputs)
    let map = document.map
    start = Start(
      reference: map.state.snapshot.spatialReference, background: map.backgroundColor, basemap: map.basemap,
      showsNames: map.basemap?.showsNames ?? false, showsGraticule: map.basemap?.showsGraticule ?? false,
      visible: document.layers.map(\.layer.isVisible),
      appearances: document.layers.map(\.layer.appearance), viewpoint: map.initialViewpoint)
    (namesService, namesCurrentTime) = (ServedMap.namesService(text), ServedMap.namesCurrentTime(text))
  }

  /// Returns whether requests that are equal to this one have equal answers until a file changes: the map has no service,
  /// and the request fixes the current time or nothing reads it.
  func isStable(for query: [HTTPRequest.Parameter]) -> Bool {
    guard !namesService else { return false }
    if query.contains(where: { $0.name == "now" }) { return true }
    return !namesCurrentTime && !query.contains { ServedMap.namesCurrentTime($0.value) }
  }

  private static let timeNames = ["current_", "now(", "today(", "timestamp(", "date()", "localtime"].map {
    Array($0.utf8)
  }

  /// Whether a document or request may ask for something whose value is the current time.
  static func namesCurrentTime(_ text: String) -> Bool {
    // Bytes, because each request asks this several times, and searching text takes fifty times as long.
    let bytes = text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return bytes.indices.contains { start in
      timeNames.contains { $0[0] == bytes[start] && bytes[start...].starts(with: $0) }
    }
  }

  private static func namesService(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["http:", "https:", "postgresql:", "postgres:"].contains { text.contains($0) }
  }

  /// Returns the state of a view.
  ///
  /// - Throws: `MapStateError`.
  func state(
    _ request: ViewRequest, _ style: MapStyling = MapStyling()
  ) async throws(MapStateError) -> ViewState {
    try await inTurn { () async throws(MapStateError) in
      try await styled(style, for: request).view(request).freeze()
    }
  }

  /// Returns the page of a view, and the warnings about its style.
  ///
  /// - Throws: `MapStateError`.
  func page(
    _ request: ViewRequest, _ layout: LayoutRequest, _ style: MapStyling = MapStyling()
  ) async throws(MapStateError) -> (page: MapPage, document: MapDocument) {
    try await inTurn { () async throws(MapStateError) in
      let document = try await styled(style, for: request)
      return (try await document.page(request, layout.layout()).page, document)
    }
  }

  /// Plans a series, and returns one of its images.
  ///
  /// - Parameter number: the number of the image; nil for the plan alone.
  /// - Throws: `MapStateError` and ``HTTPFault``.
  func series(
    _ request: ViewRequest, _ layout: LayoutRequest, _ style: MapStyling, _ subject: SeriesSubject,
    number: Int?
  ) async throws -> (series: MapSeries, page: MapPage?) {
    await turn.begin()
    defer { turn.end() }
    restore()
    let document = try await styled(style, for: request)
    var series: MapSeries
    switch subject {
    case .features(let layer, let field, let mutesOthers):
      series = try await MapSeries(
        document, by: layer, field: field, path: "image", request, layout.layout())
      series.mutesOthers = mutesOthers
    case .time(let step):
      series = try await MapSeries(document, byTime: step, path: "image", request, layout.layout())
    }
    guard let number else { return (series, nil) }
    guard series.items.indices.contains(number) else {
      throw HTTPFault(404, "no image \(number); the series has \(series.items.count) images, from 0")
    }
    return (series, try await series.page(series.items[number]))
  }

  /// Works on the map of the document, which no other request changes meanwhile.
  private func inTurn<Value>(
    _ body: () async throws(MapStateError) -> Value
  ) async throws(MapStateError) -> Value {
    await turn.begin()
    defer { turn.end() }
    restore()
    return try await body()
  }

  /// Returns the document with the style and the changed classes of a request.
  private func styled(
    _ style: MapStyling, for request: ViewRequest
  ) async throws(MapStateError) -> MapDocument {
    let document = try await self.document.styled(style.request, for: request)
    try apply(style.changes, to: document)
    return document
  }

  /// Returns the description of the document.
  ///
  /// - Throws: `MapStateError`.
  func inspection() async throws(MapStateError) -> Inspection {
    await turn.begin()
    defer { turn.end() }
    restore()
    return try await Inspection(document)
  }

  /// Returns the findings about the document.
  ///
  /// - Throws: `MapStateError`.
  func lint() async throws(MapStateError) -> LintAnswer {
    await turn.begin()
    defer { turn.end() }
    restore()
    return try await DocumentLint().answer(document)
  }

  /// Returns the classes of the layers, as they are in the document.
  func classes() async -> JSONValue {
    await turn.begin()
    defer { turn.end() }
    restore()
    let layers: [JSONValue] = document.layers.filter { $0.unreadReason == nil }.map { item in
      ["layer": .string(item.layer.name), "classes": item.layer.renderer.form.classesJSON]
    }
    return ["layers": .array(layers)]
  }

  /// Changes the classes of the layers.
  func apply(_ changes: [ClassChange], to document: MapDocument) throws(MapStateError) {
    for (index, item) in document.layers.enumerated() {
      let own = changes.filter { $0.layer == index }
      guard !own.isEmpty else { continue }
      let dark = try item.layer.darkRenderer?.changed(own, of: item.layer.name)
      item.layer.renderer = try item.layer.renderer.form.changed(own, of: item.layer.name).renderer
      item.layer.darkRenderer = dark
    }
  }

  /// Restores the map of the document after the changes of a request.
  func restore() {
    let map = document.map
    map.update {
      map.initialViewpoint = start.viewpoint
      map.state.update { $0.spatialReference = start.reference }
      map.backgroundColor = start.background
      map.basemap = start.basemap
      start.basemap?.showsNames = start.showsNames
      start.basemap?.showsGraticule = start.showsGraticule
      for (index, item) in document.layers.enumerated() {
        item.layer.isVisible = start.visible[index]
        item.apply(.document)
        item.layer.appearance = start.appearances[index]
      }
    }
  }
}

/// Admits one task after the other.
final class Turn: Sendable {
  private let state = Mutex<(isTaken: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func begin() async {
    await withCheckedContinuation { next in
      let isFree = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(next)
        return false
      }
      if isFree { next.resume() }
    }
  }

  func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
