import MapGeometry
import MapModel

extension LabelCandidates {
  /// The maximum number of parts of a feature that get a label.
  ///
  /// - Source: design decision; the largest parts come first.
  private static let partLimit = 64

  /// Adds a label at the widest visible part of each area, and, unless the class has one label per feature, one in
  /// each other part with room for the text; the largest area first if the class tries positions.
  mutating func addAreas(
    _ rows: [Int], of geometry: CoordinateBuffer, _ transform: ViewTransform, _ worlds: ClosedRange<Int>
  ) {
    var pixels = CoordinateBuffer(kind: .polygon)
    var shown = CoordinateBuffer(kind: .polygon)
    for row in rows {
      let first = anchors.count
      for world in worlds {
        transform.project(row, of: geometry, world: world, into: &pixels)
        guard pixels.envelope(ofRow: 0).meets(transform.canvas) else { continue }
        shown.removeAll()
        shown.appendRow(0, of: pixels, clippedTo: transform.canvas)
        guard let place = PoleOfInaccessibility.place(inRow: 0, of: shown) else { continue }
        anchors.append(Anchor(row: Int32(row), x: place.x, y: place.y, index: Int32(areas.rowCount)))
        areas.appendRow(0, of: shown)
        if !definition.labelsOnePart, shown.parts(ofRow: 0).count > 1 {
          addParts(of: shown, row: Int32(row), besides: place)
        }
      }
      if worlds.count > 1 { keepInside(anchors.indices.dropFirst(first)) }
    }
    if definition.triesPositions { sortBySize() }
  }

  /// The size of a part of a feature in another world copy, relative to the largest, below which its label must fit into it.
  private static let smallCopy = 0.1

  /// Keeps the labels of small parts of a feature beyond ±180° inside these parts.
  private mutating func keepInside(_ copies: Range<Int>) {
    let sizes = copies.map { index in
      let box = areas.envelope(ofRow: Int(anchors[index].index))
      return box.width * box.height
    }
    guard let largest = sizes.max() else { return }
    for (index, size) in zip(copies, sizes) where size < Self.smallCopy * largest {
      anchors[index].mustFit = true
    }
  }

  /// Sorts labels by the visible size of their areas, the largest first.
  ///
  /// The label of a large area lies inside it, and that of a small one covers its neighbours.
  private mutating func sortBySize() {
    let sizes = anchors.map { anchor in
      // Holes have the other direction, so they are subtracted.
      abs(
        areas.parts(ofRow: Int(anchor.index)).reduce(0.0) { sum, part in
          let vertices = areas.vertices(ofPart: part)
          return vertices.dropFirst().reduce(sum) { sum, vertex in
            sum + areas.x[vertex - 1] * areas.y[vertex] - areas.x[vertex] * areas.y[vertex - 1]
          }
        })
    }
    anchors = anchors.indices.sorted { (-sizes[$0], $0) < (-sizes[$1], $1) }.map { anchors[$0] }
  }

  /// Adds the parts of an area that do not contain its first label.
  private mutating func addParts(
    of area: CoordinateBuffer, row: Int32, besides place: (x: Double, y: Double)
  ) {
    // A label is at least one em high, so smaller parts have no room for it.
    let least = definition.textSymbol.size * pixelRatio
    let rings = area.parts(ofRow: 0).map { ring in
      var single = CoordinateBuffer(kind: .polygon)
      single.appendVertices(area.vertices(ofPart: ring), of: area)
      single.endPart()
      single.endRow()
      return (ring: ring, box: single.envelope(ofRow: 0))
    }.filter { min($0.box.width, $0.box.height) >= least }
    let largest = rings.sorted {
      ($1.box.width * $1.box.height, $0.ring) < ($0.box.width * $0.box.height, $1.ring)
    }
    .prefix(Self.partLimit).map(\.ring).sorted()
    var large = CoordinateBuffer(kind: .polygon)
    for ring in largest {
      large.appendVertices(area.vertices(ofPart: ring), of: area)
      large.endPart()
    }
    large.endRow()
    for polygon in large.polygons(ofRow: 0) {
      var part = CoordinateBuffer(kind: .polygon)
      for ring in polygon {
        part.appendVertices(large.vertices(ofPart: ring), of: large)
        part.endPart()
      }
      part.endRow()
      guard !PoleOfInaccessibility.contains(place, inRow: 0, of: part),
        let own = PoleOfInaccessibility.place(inRow: 0, of: part)
      else { continue }
      anchors.append(Anchor(row: row, x: own.x, y: own.y, index: Int32(areas.rowCount), mustFit: true))
      areas.appendRow(0, of: part)
    }
  }

  /// Returns whether a block around a position inside an area lies inside it as a whole; true for points.
  func contains(_ block: LabelBox, in anchor: Anchor) -> Bool {
    guard kind == .polygon else { return true }
    let (row, block) = (Int(anchor.index), block.envelope)
    return !areas.parts(ofRow: row).contains { part in
      let vertices = areas.vertices(ofPart: part)
      return vertices.dropFirst().contains { vertex in
        block.meetsSegment(areas.x[vertex - 1], areas.y[vertex - 1], areas.x[vertex], areas.y[vertex])
      }
    }
  }

  /// Returns whether the line between two points crosses the edge of an area.
  private func crosses(
    from start: (x: Double, y: Double)?, to end: (x: Double, y: Double)?, _ anchor: Anchor
  ) -> Bool {
    guard let start, let end else { return false }
    /// Returns the side of a line on which a point lies, by the sign of the result.
    func side(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ point: (x: Double, y: Double))
      -> Double
    { (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) }
    return areas.parts(ofRow: Int(anchor.index)).contains { part in
      areas.vertices(ofPart: part).dropFirst().contains { vertex in
        let (a, b) = ((areas.x[vertex - 1], areas.y[vertex - 1]), (areas.x[vertex], areas.y[vertex]))
        return (side(start, end, a) > 0) != (side(start, end, b) > 0)
          && (side(a, b, start) > 0) != (side(a, b, end) > 0)
      }
    }
  }

  /// Returns whether the box around boxes of a label covers the visible part of its area; false for points and lines.
  func isCovered(_ anchor: Anchor, by boxes: [LabelBox]) -> Bool {
    guard kind == .polygon, let first = boxes.first else { return false }
    let box = boxes.dropFirst().reduce(first) { $0.union($1) }
    return box.envelope.contains(areas.envelope(ofRow: Int(anchor.index)))
  }

  /// The horizontal share of an axis below which labels that lie inside read upwards, whatever side it leans to: 20 degrees.
  private static let steepShare = 0.342

  /// Returns the possible positions of a text along the longest axis of an area.
  ///
  /// - Parameter isRequired: whether only positions inside the area count; steep ones then read upwards.
  func runs(of text: LineText, alongAxisOf anchor: Anchor, inside isRequired: Bool = false) -> [Run] {
    guard !text.clusters.isEmpty else { return [] }
    var axis = PoleOfInaccessibility.axis(inRow: Int(anchor.index), of: areas)
    if definition.textLayout == .perpendicular {
      axis = abs(axis.y) <= 1e-6 ? (0, -1) : axis.y > 0 ? (axis.y, -axis.x) : (-axis.y, axis.x)
    } else if isRequired, axis.x < Self.steepShare, axis.y > 0 {
      axis = (-axis.x, -axis.y)
    }
    let others =
      definition.triesPositions ? PoleOfInaccessibility.others(inRow: Int(anchor.index), of: areas) : []
    let half = text.width / 2
    return ([(anchor.x, anchor.y, 1.0)] + others).enumerated().compactMap { index, place in
      let (x, y, room) = place
      let line = LabelBaseline(
        x: [x - half * axis.x, x + half * axis.x], y: [y - half * axis.y, y + half * axis.y])
      let base = line.moved(left: -Self.smallLetters / 2 * text.size)
      guard
        let run = base.run(text, center: base.length / 2, mayOverrun: true, isUpright: !isRequired)
      else { return nil }
      // The halo may cover a border, as that of horizontal text. Borders between letters are crossed, too.
      let isInside =
        run.boxes.allSatisfy { contains($0.grown(by: isRequired ? -text.reach : 0), in: anchor) }
        && !crosses(from: run.boxes.first?.center, to: run.boxes.last?.center, anchor)
      guard isInside || (allowsOverrun && index == 0 && !anchor.mustFit && !isRequired) else { return nil }
      return Run(
        name: "axis", letters: run,
        cost: (index == 0 ? 0 : 2 + 6 * (1 - room)) + (isInside ? 0 : LabelSpot.overrunCost))
    }
  }
}
