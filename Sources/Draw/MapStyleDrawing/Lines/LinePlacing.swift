import Glibc
import MapDrawing
import MapGeometry

/// The part of the image for which items are made, with a margin.
struct PlacingWindow {
  let envelope: Envelope
  let box: PixelBox

  init(_ envelope: Envelope) { (self.envelope, box) = (envelope, PixelBox(envelope)) }
}

/// The lines of a tile's layer, and its areas as lines, from which items are made.
struct LinePlacing {
  /// Rows of one line, kept from line to line, because allocations take time.
  struct Scratch {
    fileprivate var chains = CoordinateBuffer(kind: .polyline)
    fileprivate var dashes = CoordinateBuffer(kind: .polyline)
    /// The number of vertices that the dashes of the next line may have.
    var dashRoom = 0
    /// Whether the last line has fewer dashes than it should, because there was no more room.
    fileprivate(set) var isCutShort = false
  }

  private let lines: TileShapes
  private let areas: TileShapes
  private let ids: [Int32]

  /// Creates the lines of a layer; nil when it has points only.
  init?(_ part: StyledTileLayer) {
    let (lines, areas) = (part.shapes(of: .polyline), part.shapes(of: .polygon))
    guard lines != nil || areas != nil else { return nil }
    self.lines = lines ?? TileShapes(kind: .polyline)
    self.areas = areas ?? TileShapes(kind: .polygon)
    ids = part.ids
  }

  /// Adds the line of a row; returns false when it is not in the image.
  func place(
    row: Int, _ look: LineLooks.Look, in window: PlacingWindow, _ scratch: inout Scratch,
    into batch: inout PathBatch
  ) -> Bool {
    guard look.isPlain, row < lines.boxes.count, lines.boxes[row].meets(window.box) else {
      guard line(row: row, look, in: window, &scratch) else { return false }
      for style in look.styles {
        batch.geometry.appendRow(0, of: scratch.chains, clippedTo: window.envelope)
        batch.endItem(style: style, row: ids[row])
      }
      return true
    }
    for style in look.styles {
      if lines.boxes[row].isInside(window.box) {
        batch.geometry.appendRow(row, of: lines.pixels)
      } else {
        batch.geometry.appendRow(row, of: lines.pixels, clippedTo: window.envelope)
      }
      batch.endItem(style: style, row: ids[row])
    }
    return true
  }

  /// Returns the line of a row, or those parallel to it, as the only row; nil outside the image.
  func line(
    row: Int, _ look: LineLooks.Look, in window: PlacingWindow, _ scratch: inout Scratch
  ) -> CoordinateBuffer? {
    line(row: row, look, in: window, &scratch) ? scratch.chains : nil
  }

  /// Makes the line of a row, or those parallel to it, or their dashes; returns false outside the image.
  private func line(
    row: Int, _ look: LineLooks.Look, in window: PlacingWindow, _ scratch: inout Scratch
  ) -> Bool {
    scratch.chains.removeAll()
    scratch.isCutShort = false
    if row < lines.boxes.count, lines.boxes[row].meets(window.box) {
      scratch.chains.appendRow(row, of: lines.pixels)
    } else if row < areas.boxes.count, areas.boxes[row].meets(window.box) {
      // A repeated segment would fill the gaps between the first dashes.
      areas.appendChains(ofRow: row, joinsEnds: look.dash == nil, to: &scratch.chains)
    } else {
      return false
    }
    guard !scratch.chains.isEmpty(row: 0) else { return false }
    if look.offsets != [0] { Self.moveAside(&scratch.chains, look) }
    if let dash = look.dash { Self.cut(&scratch, dash, look.endLength, in: window.envelope) }
    return true
  }

  /// Replaces a line by those parallel to it.
  private static func moveAside(_ chains: inout CoordinateBuffer, _ look: LineLooks.Look) {
    var moved = CoordinateBuffer(kind: .polyline)
    for offset in look.offsets {
      for part in chains.parts(ofRow: 0) {
        let range = chains.vertices(ofPart: part)
        look.corners.append(x: chains.x[range], y: chains.y[range], at: offset, to: &moved)
      }
    }
    moved.endRow()
    chains = moved
  }

  /// Replaces a line by its dashes; those that begin or end the line are longer by a length.
  private static func cut(
    _ scratch: inout Scratch, _ dash: DashPattern, _ endLength: Double, in window: Envelope
  ) {
    let cutter = DashedPath(pattern: dash, window: window, vertexLimit: scratch.dashRoom)
    scratch.dashes.removeAll()
    var ends: [(vertex: Int, x: Double, y: Double)] = []
    for part in scratch.chains.parts(ofRow: 0) {
      let range = scratch.chains.vertices(ofPart: part)
      let (x, y) = (scratch.chains.x[range], scratch.chains.y[range])
      let first = scratch.dashes.vertexCount
      cutter.append(x: x, y: y, to: &scratch.dashes)
      let last = scratch.dashes.vertexCount - 1
      guard endLength > 0, last > first else { continue }
      for (vertex, end, neighbor) in [
        (first, range.lowerBound, first + 1), (last, range.upperBound - 1, last - 1),
      ] {
        let (px, py) = (scratch.dashes.x[vertex], scratch.dashes.y[vertex])
        guard abs(px - x[end]) + abs(py - y[end]) < 1e-6 else { continue }
        let (dx, dy) = (px - scratch.dashes.x[neighbor], py - scratch.dashes.y[neighbor])
        let length = hypot(dx, dy)
        if length > 0 { ends.append((vertex, px + dx / length * endLength, py + dy / length * endLength)) }
      }
    }
    scratch.dashes.endRow()
    scratch.isCutShort = scratch.dashes.vertexCount >= scratch.dashRoom
    if !ends.isEmpty {
      scratch.dashes.moveVertices { x, y in
        for end in ends { (x[end.vertex], y[end.vertex]) = (end.x, end.y) }
      }
    }
    swap(&scratch.chains, &scratch.dashes)
  }
}
