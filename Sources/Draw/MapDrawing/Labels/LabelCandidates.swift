package import MapFeatures
import MapGeometry
package import MapModel
import MapSystem

/// The possible labels of one label class: the text of each row and the label points in the image.
package struct LabelCandidates: Sendable {
  /// A point that may get a label.
  struct Anchor {
    /// The row to which the label belongs.
    let row: Int32
    let x: Double
    let y: Double
    /// For points, the index into ``LabelCandidates/symbols``; for areas, the row of ``LabelCandidates/areas``; for
    /// lines, the index into ``LabelCandidates/stretches``.
    let index: Int32
    /// Whether the label must lie inside its area, because it belongs to a smaller part of a feature.
    var mustFit = false

    var place: (x: Double, y: Double) { (x, y) }
  }

  let layerIndex: Int
  let layerName: String
  let opacity: Double
  let classIndex: Int
  let definition: LabelDefinition
  /// Output pixels per pixel of the class's sizes.
  let pixelRatio: Double
  let kind: GeometryKind
  let text: LabelText
  /// The texts for areas without room for the whole text; nil without them.
  let shortText: LabelText?
  /// The grounds of labels of areas by row, if the class has the colours of its ground.
  private var grounds: [Int32: LabelGround] = [:]
  /// The ground of labels outside areas; nil over several colours, such as land and water.
  private var openGround: LabelGround?
  /// The label points in the order in which labels are placed: by rank, then that of drawing, or by size for some
  /// areas.
  var anchors: [Anchor] = []
  /// The directions of point labels; nil when all are horizontal.
  private(set) var directions: LabelDirections?
  /// The ranks of the features by the class's field; nil without one.
  private(set) var ranks: LabelRanks?
  /// The object id of each row.
  let objectIDs: ObjectIDs
  /// The boxes of symbols relative to their points, in pixels.
  private(set) var symbols: [Envelope] = []
  /// Whether each symbol is the circle in its box, and large.
  private(set) var areRound: [Bool] = []
  /// The areas in pixels, clipped to the image.
  var areas = CoordinateBuffer(kind: .polygon)

  /// The visible lines in pixels.
  private(set) var lines: [LabelLines.Chain] = []
  /// ``lines`` with the distances of their points.
  private(set) var bases: [LabelBaseline] = []
  /// The parts of lines that get one label each.
  private(set) var stretches: [(line: Int, from: Double, to: Double)] = []

  var isPoint: Bool { kind.isPoints }

  /// Collects the possible labels of a class for some rows of the table.
  ///
  /// - Parameters:
  ///   - rows: the rows that are drawn and meet the class's condition.
  ///   - drawn: the symbols of these rows; nil without rows, and for areas without colours of their own for labels.
  /// - Cost: for areas, at most 300 passes over the visible vertices.
  /// - Throws: ``RendererFieldError``, `LabelExpressionError`.
  package init(
    view: ViewState, layer: LayerState, index: Int, classIndex: Int, table: FeatureColumns, rows: RowSet,
    drawn: LabelledSymbols?
  ) throws {
    definition = layer.labelDefinitions[classIndex]
    pixelRatio = view.pixelRatio * view.symbolFactor(of: layer)
    (layerIndex, layerName, opacity, self.classIndex) = (index, layer.name, layer.opacity, classIndex)
    let template = try definition.expression.parsed()
    let named =
      definition.usesCodedValues
      ? table.namingCodes(
        of: template.fieldNames, domains: definition.domains, subtypes: definition.subtypes, rows: rows)
      : table
    text = try LabelText(template, stacking: definition.stacking, table: named, rows: rows, view: view)
    shortText = try definition.shortField.map { field throws(RendererFieldError) in
      try LabelText(
        LabelTemplate(field: field), stacking: nil, table: table, rows: rows, view: view)
    }
    kind = table.geometry?.kind ?? .point
    objectIDs = ObjectIDs(table)
    guard let geometry = table.geometry, !rows.isEmpty else { return }
    let sorted = try RowOrder(layer.drawingOrder, table: table).sorted(rows)
    ranks = try definition.featurePriority.map { try LabelRanks($0, table: table, rows: rows) }
    defer { sortByRank() }
    let transform = ViewTransform(view, from: table.schema.spatialReference)
    let worlds = ViewTransform.worlds(shownIn: view.extent, of: layer.source.worldsReached)
    if kind == .polygon { addAreas(sorted, of: geometry, transform, worlds) }
    guard let drawn, kind != .polygon || definition.followsGround else { return }
    let styled = try RowStyles(
      candidates: sorted, classes: drawn.pass.classes, renderer: drawn.pass.renderer, looks: drawn.looks,
      table: table, view: view)
    if kind == .polygon {
      let below = view.groundColors
      grounds = styled.grounds(over: below.last ?? .white, opacity: layer.opacity)
      if below.count == 1, view.tileLayers.isEmpty {
        openGround = LabelGround(color: below[0], isHatched: false)
      }
    } else if kind == .polyline {
      addLines(styled, of: geometry, transform, worlds)
    } else {
      symbols = styled.symbolBoxes.map {
        $0.isEmpty ? Envelope(xMin: 0, yMin: 0, xMax: 0, yMax: 0) : $0
      }
      areRound = styled.areRound(pixelRatio: pixelRatio)
      directions = try LabelDirections(definition, table: table, rows: rows, view: view)
      addPoints(styled, of: geometry, transform, worlds)
    }
  }

  private mutating func addPoints(
    _ styled: RowStyles, of geometry: CoordinateBuffer, _ transform: ViewTransform, _ worlds: ClosedRange<Int>
  ) {
    // A point exactly on the view's edge may be rounded beyond it in image coordinates.
    let canvas = transform.canvas.grown(by: 1e-6)
    for (item, row) in styled.rows.enumerated() {
      let index = styled.charts == nil ? Int32(styled.styles[item]) : Int32(clamping: item)
      for world in worlds {
        for vertex in geometry.vertices(ofRow: row) {
          let pixel = transform.pixel(x: geometry.x[vertex], y: geometry.y[vertex], world: world)
          guard canvas.contains(x: pixel.x, y: pixel.y) else { continue }
          anchors.append(Anchor(row: Int32(row), x: pixel.x, y: pixel.y, index: index))
        }
      }
    }
  }

  /// Whether a label may extend beyond its line or area.
  var allowsOverrun: Bool { definition.allowsOverrun ?? (kind != .polyline) }

  /// The placement priority of the class; lower numbers are placed first.
  var priority: Int { definition.priority ?? LabelDefinition.priority(of: kind) }

  /// Returns the importance of a feature's label.
  func importance(of anchor: Anchor) -> LabelImportance {
    LabelImportance(priority: priority, rank: ranks?[anchor.row] ?? 0)
  }

  /// The importance of the least important label of the class.
  var leastImportance: LabelImportance { LabelImportance(priority: priority, rank: .max) }

  /// Sorts the label points by the ranks of their features; those of equal rank keep their order.
  private mutating func sortByRank() {
    guard let ranks else { return }
    let keys = anchors.map { ranks[$0.row] }
    anchors = anchors.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { anchors[$0] }
  }

  /// Joins the lines of equal text, clips them to the image and divides them by the distance between labels.
  private mutating func addLines(
    _ styled: RowStyles, of geometry: CoordinateBuffer, _ transform: ViewTransform, _ worlds: ClosedRange<Int>
  ) {
    var pixels = CoordinateBuffer(kind: .polyline)
    /// The lines by text, and the texts in drawing order.
    var parts: [String: [LabelLines.Chain]] = [:]
    var texts: [String] = []
    for (row, style) in zip(styled.rows, styled.styles) {
      let widths = styled.looks.looks[Int(style)].map { styled.looks.paths[$0].stroke?.width ?? 0 }
      let text = text.lines(ofRow: row).joined(separator: " ")
      for world in worlds {
        transform.project(row, of: geometry, world: world, into: &pixels)
        guard pixels.envelope(ofRow: 0).meets(transform.canvas) else { continue }
        if parts[text] == nil { texts.append(text) }
        for part in pixels.parts(ofRow: 0) {
          let vertices = pixels.vertices(ofPart: part)
          parts[text, default: []].append(
            LabelLines.Chain(
              x: Array(pixels.x[vertices]), y: Array(pixels.y[vertices]), row: row,
              halfWidth: (widths.max() ?? 0) / 2))
        }
      }
    }
    for text in texts {
      guard let own = parts[text] else { continue }
      let chains = definition.joinsLines ? LabelLines(joining: own, definition).chains : own
      for chain in definition.labelsOnePart ? LabelLines.longest(chains) : chains {
        addVisible(chain, on: transform.canvas)
      }
    }
    // Of lines with one name, the longest keeps its label.
    guard definition.duplicateRemoval != .none else { return }
    let lengths = anchors.map { bases[stretches[Int($0.index)].line].length }
    anchors = anchors.indices.sorted { (-lengths[$0], $0) < (-lengths[$1], $1) }.map { anchors[$0] }
  }

  /// The shortest distance between labels of a line in pixels, and the most labels of a line, so that a document cannot
  /// ask for endless work.
  ///
  /// - Source: design decision; hardly a text fits in less, and no image shows more.
  private static let (leastRepeatDistance, mostRepeats) = (32.0, 1000)

  /// Adds the visible parts of a line, each with its labels.
  private mutating func addVisible(_ chain: LabelLines.Chain, on canvas: Envelope) {
    var whole = CoordinateBuffer(kind: .polyline)
    for (x, y) in zip(chain.x, chain.y) { whole.appendVertex(x: x, y: y) }
    whole.endPart()
    whole.endRow()
    var shown = CoordinateBuffer(kind: .polyline)
    shown.appendRow(0, of: whole, clippedTo: canvas)
    let distance = max(definition.repeatDistance * pixelRatio, Self.leastRepeatDistance)
    for part in shown.parts(ofRow: 0) {
      let vertices = shown.vertices(ofPart: part)
      let line = LabelLines.Chain(
        x: Array(shown.x[vertices]), y: Array(shown.y[vertices]), row: chain.row, halfWidth: chain.halfWidth)
      let base = LabelBaseline(x: line.x, y: line.y)
      guard base.length > 0 else { continue }
      for (from, to) in stretches(of: base, repeatedAfter: distance) {
        let middle = base.point(at: (from + to) / 2)
        anchors.append(
          Anchor(
            row: Int32(line.row), x: middle.x, y: middle.y, index: Int32(clamping: stretches.count),
            mustFit: definition.multipartLabeling == .labelPerSegment))
        stretches.append((lines.count, from, to))
      }
      lines.append(line)
      bases.append(base)
    }
  }

  /// Returns the stretches of a line that get one label each, as distances along it.
  private func stretches(
    of base: LabelBaseline, repeatedAfter distance: Double
  ) -> [(from: Double, to: Double)] {
    guard (definition.placement?.line?.part ?? .along) == .along else { return [(0, base.length)] }
    if definition.multipartLabeling == .labelPerSegment {
      let segments = zip(base.lengths, base.lengths.dropFirst())
      return segments.prefix(Self.mostRepeats).map { (from: $0, to: $1) }
    }
    let isRepeated = definition.repeatsAlongLines && definition.repeatDistance > 0
    let fitting = Int(clamping: max((base.length / distance).rounded(.down), 1))
    let count = isRepeated ? min(fitting, Self.mostRepeats) : 1
    return (0..<count).map { index in
      (
        from: base.length * Double(index) / Double(count),
        to: base.length * Double(index + 1) / Double(count)
      )
    }
  }
}

/// The colour below the label of an area.
struct LabelGround: Hashable {
  var color: Color
  /// Whether lines of a hatch lie on the colour.
  let isHatched: Bool
  /// Whether a halo would hide the edge of the area.
  var isNarrow = false
}

extension LabelCandidates {
  /// Whether the labels may overlap others.
  var mayOverlap: Bool {
    definition.deconflictionStrategy == .none
      || (!isNeverRemoved && definition.labelOverlapStrategy == .allow)
  }

  /// Whether placed labels may move to make room for others; not if duplicates are removed, which depends on their places.
  var labelsMayMove: Bool { definition.triesPositions && definition.duplicateRemoval == .none }

  /// Whether the labels keep off markers.
  var avoidsMarkers: Bool { definition.deconflictionStrategy != .none }

  /// The distance by which other markers are farther from a label than its own, in pixels.
  ///
  /// - Source: design decision; a label that cannot move has no choice.
  var clearance: Double { (definition.triesPositions ? 3 : 1) * pixelRatio }

  /// Whether all labels are drawn.
  var isNeverRemoved: Bool { definition.deconflictionStrategy == .dynamicNeverRemove }

  /// The style of the labels; nil when it paints nothing.
  var style: LabelStyle? {
    LabelStyle(definition.textSymbol, pixelRatio: pixelRatio, classIndex: classIndex)
  }

  /// Returns the ground of a label at a position; nil where its class states the colours.
  func ground(under position: LabelPosition) -> LabelGround? {
    guard let row = position.overRow else { return openGround }
    var ground = grounds[row]
    ground?.isNarrow = position.isTight
    return ground
  }

  /// The width of the halo of a line to a label, in pixels: over fills of one tone with the label none, because it hides borders.
  ///
  /// - Source: design decision.
  private static let (lineHalo, hatchHalo) = (1.0, 1.5)

  /// Returns the width of the halo of the line to the label of a row, in pixels.
  func lineHalo(ofRow row: Int32, under position: LabelPosition) -> Double {
    guard kind == .polygon, let own = grounds[row] else { return Self.lineHalo * pixelRatio }
    if own.isHatched { return Self.hatchHalo * pixelRatio }
    let isDark = ground(under: position)?.color.isDark ?? own.color.isDark
    return own.color.isDark || isDark ? Self.lineHalo * pixelRatio : 0
  }

  /// Returns whether the label of an area may lie over another one: light letters with a line over dark ones are not told from
  /// borders and the names of these.
  func mayLie(overRow row: Int32) -> Bool { !(grounds[row]?.color.isDark ?? false) }

  /// Returns whether an area has a hatch, over which letters need a halo.
  func isHatched(_ row: Int32) -> Bool { grounds[row]?.isHatched ?? false }

  /// Returns whether a label with the colours for an area can be read beside it, too.
  func isReadableOutside(_ row: Int32) -> Bool {
    guard let own = grounds[row], let openGround else { return true }
    return own.color.isDark == openGround.color.isDark
  }

  /// Returns the style of labels over areas of a colour: black or white, with a halo of that colour.
  func style(over ground: LabelGround) -> LabelStyle? {
    var symbol = definition.textSymbol
    (symbol.color, symbol.haloColor) = (ground.color.isDark ? .white : .black, ground.color)
    // A wider halo separates letters from the lines of a hatch.
    if ground.isHatched { symbol.haloWidth *= 2 } else if ground.isNarrow { symbol.haloWidth = 0 }
    return LabelStyle(symbol, pixelRatio: pixelRatio, classIndex: classIndex)
  }
}

extension RowStyles {
  /// Returns the grounds of labels of filled areas by row; hatches let the colour below them through.
  fileprivate func grounds(over below: Color, opacity: Double) -> [Int32: LabelGround] {
    let ofStyles = looks.looks.map { styles in
      styles.map { looks.paths[$0] }.reduce(LabelGround?.none) { found, path in
        let color = found?.color ?? below
        guard path.hatch == nil else { return LabelGround(color: color, isHatched: true) }
        return path.fill.map { LabelGround(color: $0.over(color), isHatched: false) } ?? found
      }
    }
    var grounds: [Int32: LabelGround] = [:]
    for (row, style) in zip(rows, styles) {
      guard var ground = ofStyles[Int(style)] else { continue }
      let alpha = Double(ground.color.alpha) / 255
      ground.color = ground.color.withAlphaComponent(alpha * opacity).over(below)
      grounds[Int32(clamping: row)] = ground
    }
    return grounds
  }

  /// The boxes of the symbols of points relative to them: one for each row with pie charts, else for each style.
  fileprivate var symbolBoxes: [Envelope] {
    if let charts { return (0..<charts.count).map(charts.box) }
    return zip(looks.looks, looks.vectorLooks).map { styles, shapes in
      let box = styles.reduce(Envelope.empty) { $0.union(looks.markers[$1].box) }
      return box.union(ShapeSymbol(shapes.compactMap { looks.shapes[$0] }, classIndex: 0).box)
    }
  }

  /// Whether each of ``symbolBoxes`` is that of a single large circle.
  fileprivate func areRound(pixelRatio: Double) -> [Bool] {
    if let charts { return Array(repeating: false, count: charts.count) }
    return zip(looks.looks, looks.vectorLooks).map { styles, shapes in
      styles.count == 1 && shapes.isEmpty
        && styles.allSatisfy { looks.markers[$0].isLargeCircle(pixelRatio: pixelRatio) }
    }
  }
}

extension MarkerStyle {
  /// The smallest size of circles to which labels lie nearer than to their boxes, in pixels.
  ///
  /// - Source: design decision; at the corners of smaller circles the difference is less than 2 pixels.
  private static let largeCircle = 12.0

  /// Returns whether the style is a large circle; the corners of its box are far from it.
  func isLargeCircle(pixelRatio: Double) -> Bool {
    block == nil && shape == .circle && size > Self.largeCircle * pixelRatio
  }

  /// The box of the shape and its outline relative to the point, in pixels, y down; ignores miters.
  var box: Envelope {
    var box = Envelope(xMin: -size / 2, yMin: -size / 2, xMax: size / 2, yMax: size / 2)
    let vertices = chains.joined()
    if !vertices.isEmpty {
      box = Envelope(of: vertices.lazy.map { Point(x: $0.x, y: $0.y) }, spatialReference: nil)
    }
    return box.grown(by: (outline?.width ?? 0) / 2).moved(x: offsetX, y: offsetY)
  }
}
