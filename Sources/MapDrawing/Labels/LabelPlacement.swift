import MapGeometry
public import MapModel
import MapSystem

/// The placed labels of an image, and the result for each candidate.
public struct LabelDrawing: Sendable {
  /// The labels, one display layer for each layer that has labels, from the bottom.
  public let layers: [DisplayLayer]
  /// The label counts of each class.
  public let report: LabelReport
  /// The results for the one requested feature, in the order of placement.
  public let results: [LabelResult]
}

/// The result of placing one label of a feature.
public struct LabelResult: Hashable, Sendable {
  /// The index of the label class in the layer.
  public let classIndex: Int
  /// The name of the result in ``LabelReport/Class/counts``.
  public let name: String
  /// The text of the label.
  public let text: String
}

/// A placement of all labels of an image, in one pass: each label is at its preferred position or left out.
///
/// Labels are placed by class priority, then from the top layer down, then in the drawing order of the features. A
/// label never covers one that was placed before it, unless its class allows overlaps. It never extends beyond the
/// image. The result depends on the candidates only.
///
/// - Source: Esri web map specification, deconfliction `static`; the order of equal priorities is a design decision.
public struct LabelPlacement {
  private let canvas: Envelope
  private var shapes: ShapeCache
  private var grid: LabelGrid
  private var placedTexts: [String: [PlacedText]] = [:]
  private var missing: Set<Unicode.Scalar> = []
  /// The feature whose results are kept; nil for none.
  private let watched: (layerIndex: Int, row: Int)?
  private var results: [LabelResult] = []

  /// The text and position of a placed label.
  private struct PlacedText {
    let layerIndex: Int
    let classIndex: Int
    let isPoint: Bool
    let center: Point
  }

  /// Places the labels of a view.
  ///
  /// - Parameter watched: a feature whose results are kept, by layer and row; nil for none.
  ///
  /// - Cost: shaping each distinct line once; each label is compared with the labels in the grid cells around it.
  public static func labels(
    of candidates: [LabelCandidates], view: ViewState, measurer: TextMeasurer,
    watching watched: (layerIndex: Int, row: Int)? = nil
  ) -> LabelDrawing {
    var placement = LabelPlacement(view: view, measurer: measurer, watching: watched)
    let byLayer = candidates.sorted {
      ($0.layerIndex, $0.classIndex) < ($1.layerIndex, $1.classIndex)
    }
    // Offsets break ties, because the standard sort does not promise to be stable.
    let order = byLayer.indices.sorted { a, b in
      let (first, second) = (byLayer[a], byLayer[b])
      return (first.priority, -first.layerIndex, first.classIndex)
        < (second.priority, -second.layerIndex, second.classIndex)
    }
    var report = LabelReport()
    report.classes = byLayer.map { item in
      LabelReport.Class(
        layerIndex: item.layerIndex, layer: item.layerName, classIndex: item.classIndex,
        name: item.definition.name)
    }
    var items = byLayer.map { _ in [LabelItem]() }
    for index in order {
      items[index] = placement.place(byLayer[index], &report.classes[index])
    }
    report.missingGlyphs = placement.missing.sorted { $0.value < $1.value }
    return LabelDrawing(
      layers: placement.layers(of: byLayer, items), report: report, results: placement.results)
  }

  private init(view: ViewState, measurer: TextMeasurer, watching watched: (layerIndex: Int, row: Int)?) {
    self.watched = watched
    canvas = ViewTransform(view, from: nil).canvas
    shapes = ShapeCache(measurer)
    grid = LabelGrid(width: Int(clamping: canvas.xMax), height: Int(clamping: canvas.yMax))
  }

  /// Groups the labels by layer; within a layer the label placed first is painted last.
  private func layers(of candidates: [LabelCandidates], _ items: [[LabelItem]]) -> [DisplayLayer] {
    var layers: [DisplayLayer] = []
    for index in Set(candidates.map(\.layerIndex)).sorted() {
      let own = candidates.indices.filter { candidates[$0].layerIndex == index }
      let byPriority = own.sorted {
        (candidates[$0].priority, $0) < (candidates[$1].priority, $1)
      }
      var batch = LabelBatch(outlines: shapes.outlines, styles: [], items: [])
      for number in byPriority.reversed() where !items[number].isEmpty {
        guard let style = candidates[number].style else { continue }
        let styleIndex = UInt32(batch.styles.count)
        batch.styles.append(style)
        batch.items += items[number].reversed().map { $0.with(style: styleIndex) }
      }
      guard !batch.items.isEmpty else { continue }
      layers.append(
        DisplayLayer(
          index: index, name: candidates[own[0]].layerName, opacity: candidates[own[0]].opacity,
          batches: [.labels(batch)]))
    }
    return layers
  }

  private mutating func place(
    _ candidates: LabelCandidates, _ report: inout LabelReport.Class
  ) -> [LabelItem] {
    guard let style = candidates.style else { return [] }
    var items: [LabelItem] = []
    for anchor in candidates.anchors {
      let isWatched = watched.map { $0 == (candidates.layerIndex, Int(anchor.row)) } ?? false
      let before = isWatched ? report : nil
      defer {
        if let before { keepResult(of: anchor, candidates, from: before, to: report) }
      }
      guard candidates.text.hasInk(row: Int(anchor.row)) else {
        report.empty += 1
        continue
      }
      let place = LabelPlace(candidates, anchor)
      // Most labels of a crowded layer have no room for even one letter, which can be tested without the text. A
      // million labels take 1.4 s instead of 5 s (measured).
      if let core = place.core(size: style.size) {
        guard canvas.contains(core) else {
          report.atEdge += 1
          continue
        }
        if !candidates.mayOverlap, grid.overlaps(core) {
          report.collided += 1
          continue
        }
      }
      let lines = candidates.text.lines(ofRow: Int(anchor.row))
      let layout = LabelLayout(
        lines, style: style, weight: candidates.definition.textSymbol.fontWeight,
        alignment: candidates.definition.textSymbol.horizontalAlignment, shapes: &shapes)
      let corner = place.corner(of: layout, size: style.size)
      let block = Envelope(
        xMin: corner.x, yMin: corner.y, xMax: corner.x + layout.width, yMax: corner.y + layout.height)
      let box = block.union(layout.ink.moved(x: corner.x, y: corner.y)).grown(by: style.reach)
      let text = lines.joined(separator: "\n")
      if !canvas.contains(box) {
        report.atEdge += 1
      } else if !candidates.allows(block, in: anchor) {
        report.overrun += 1
      } else if isDuplicate(text, candidates, center: box.center) {
        report.duplicate += 1
      } else if !candidates.mayOverlap, grid.overlaps(box) {
        report.collided += 1
      } else {
        report.placed += 1
        grid.insert(box)
        missing.formUnion(layout.missing)
        placedTexts[text, default: []].append(
          PlacedText(
            layerIndex: candidates.layerIndex, classIndex: candidates.classIndex,
            isPoint: candidates.isPoint, center: box.center))
        items.append(
          LabelItem(
            text: text, style: 0, row: anchor.row, box: box,
            glyphs: layout.glyphs.map {
              LabelItem.Glyph(outline: $0.outline, x: $0.x + corner.x, y: $0.y + corner.y)
            }))
      }
    }
    return items
  }

  /// Keeps the result of a label: the one count that it changed.
  private mutating func keepResult(
    of anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates, from before: LabelReport.Class,
    to after: LabelReport.Class
  ) {
    for (old, new) in zip(before.counts, after.counts) where old.count != new.count {
      results.append(
        LabelResult(
          classIndex: candidates.classIndex, name: new.name,
          text: candidates.text.lines(ofRow: Int(anchor.row)).joined(separator: " ")))
    }
  }

  /// Returns whether a label with the same text is where the class's duplicate removal forbids another.
  private func isDuplicate(_ text: String, _ candidates: LabelCandidates, center: Point) -> Bool {
    let removal = candidates.definition.duplicateRemoval
    guard removal != .none, let others = placedTexts[text] else { return false }
    let distance = candidates.definition.duplicateRemovalDistance * candidates.pixelRatio
    return others.contains { other in
      let isRelated =
        switch removal {
        case .none: false
        case .labelClass:
          other.layerIndex == candidates.layerIndex && other.classIndex == candidates.classIndex
        case .featureType: other.isPoint == candidates.isPoint
        case .all: true
        }
      let (dx, dy) = (center.x - other.center.x, center.y - other.center.y)
      return isRelated && (distance == 0 || dx * dx + dy * dy <= distance * distance)
    }
  }
}

/// The preferred position of a label: beside a symbol, or in the middle of an area.
private struct LabelPlace {
  private let symbol: Envelope
  private let side: (x: Double, y: Double)
  private let distance: Double
  private let offset: (x: Double, y: Double)

  init(_ candidates: LabelCandidates, _ anchor: LabelCandidates.Anchor) {
    let (definition, pixelRatio) = (candidates.definition, candidates.pixelRatio)
    let place = Point(x: anchor.x, y: anchor.y).extent
    if candidates.isPoint {
      symbol = candidates.symbols[Int(anchor.index)].moved(x: anchor.x, y: anchor.y)
      side = definition.placement?.side ?? (1, -1)
    } else {
      (symbol, side) = (place, (0, 0))
    }
    distance = SymbolNumber.offset.bounded(definition.offsetDistance * pixelRatio)
    offset = (
      SymbolNumber.offset.bounded(definition.textSymbol.offsetX * pixelRatio),
      SymbolNumber.offset.bounded(-definition.textSymbol.offsetY * pixelRatio)
    )
  }

  /// Returns the top left corner of a label's block; the first baseline is on a whole pixel, where letters are
  /// sharpest.
  func corner(of layout: LabelLayout, size: Double) -> (x: Double, y: Double) {
    let x = start(side.x, symbol.xMin, symbol.xMax, layout.width) + offset.x
    let y = start(side.y, symbol.yMin, symbol.yMax, layout.height) + offset.y
    let ascent = LabelLayout.ascent * size
    return (x, (y + ascent).rounded() - ascent)
  }

  /// Returns the box that any label at this position covers, whatever its text; nil for tiny letters.
  ///
  /// The box is one em high, less rounding, and has no width.
  func core(size: Double) -> Envelope? {
    guard size > 2 else { return nil }
    let x = start(side.x, symbol.xMin, symbol.xMax, 0) + offset.x
    let y = start(side.y, symbol.yMin, symbol.yMax, size) + offset.y
    return Envelope(xMin: x, yMin: y + 0.5, xMax: x, yMax: y + size - 0.5)
  }

  /// Returns the start of a block of a given length along an axis.
  private func start(_ side: Double, _ low: Double, _ high: Double, _ length: Double) -> Double {
    if side < 0 { return low - distance - length }
    return side > 0 ? high + distance : (low + high - length) / 2
  }
}

extension LabelCandidates {
  /// The placement priority of the class; lower numbers are placed first.
  ///
  /// - Source: Esri web map specification: points before areas.
  fileprivate var priority: Int { definition.priority ?? (isPoint ? 12 : 18) }

  /// Whether the labels may overlap others.
  fileprivate var mayOverlap: Bool {
    switch definition.deconflictionStrategy {
    case .none, .dynamicNeverRemove: true
    case .static, .dynamic: definition.labelOverlapStrategy == .allow
    }
  }

  fileprivate var style: LabelStyle? {
    LabelStyle(definition.textSymbol, pixelRatio: pixelRatio, classIndex: classIndex)
  }

  /// Returns whether a block may be placed at an anchor: inside the area, unless labels may extend beyond it.
  fileprivate func allows(_ block: Envelope, in anchor: Anchor) -> Bool {
    guard !isPoint, !definition.allowsOverrun else { return true }
    let row = Int(anchor.index)
    return !areas.parts(ofRow: row).contains { part in
      let vertices = areas.vertices(ofPart: part)
      return vertices.dropFirst().contains { vertex in
        block.meetsSegment(areas.x[vertex - 1], areas.y[vertex - 1], areas.x[vertex], areas.y[vertex])
      }
    }
  }
}

extension LabelItem {
  fileprivate func with(style: UInt32) -> LabelItem {
    LabelItem(text: text, style: style, row: row, box: box, glyphs: glyphs)
  }
}
