import Glibc
import MapSystem

/// The places of symbols on a line of a tile.
///
/// Lengths are CSS pixels at the whole zoom.
///
/// - Source: MapLibre GL JS 5, whose positions do not depend on the text size of a zoom.
struct LineAnchors {
  /// The distance between symbols.
  let spacing: Double
  /// The largest sum of angles below a part of a text, in radians.
  let maxAngle: Double
  /// The length of the text or icon.
  let length: Double
  /// The text size that all zooms use for anchors.
  let size: Double
  /// Whether there is a text, for which angles matter.
  let hasText: Bool
  /// The whole zooms between the tile and the view.
  let overscaling: Double
  /// The side of the tile.
  let side: Double

  /// A point on a segment.
  struct Anchor {
    let segment: Int
    let share: Double
  }

  /// The places that were found on a line.
  struct Found {
    var anchors: [Anchor] = []
    /// The number of places that were examined.
    var steps = 0
    /// Whether the line has more places than are examined.
    var isCut: Bool { steps >= LineAnchors.limit }
  }

  /// The largest number of places that are examined on a line.
  ///
  /// - Source: design decision; a street across a tile that is enlarged by eight zooms has some 500.
  private static let limit = 10_000

  /// Returns the anchors along a line.
  func anchors(of line: SymbolLine) -> Found {
    guard line.count > 1 else { return Found() }
    // A line that begins at a side of the tile continues in another one.
    let isContinued = line.x[0] == 0 || line.x[0] == side || line.y[0] == 0 || line.y[0] == side
    // A quarter of the spacing is always free between symbols.
    let step = spacing - length < spacing / 4 ? length + spacing / 4 : spacing
    let first = isContinued ? step / 2 * overscaling : (length / 2 + 2 * size) * overscaling
    let offset = first.truncatingRemainder(dividingBy: step)
    guard offset.isFinite, step > 0 else { return Found() }
    let total = line.length
    let found = anchors(of: line, total: total, from: offset, step: step)
    guard found.anchors.isEmpty, !isContinued, !found.isCut else { return found }
    // One at the middle of a short line.
    return self.anchors(of: line, total: total, from: total / 2, step: step)
  }

  private func anchors(of line: SymbolLine, total: Double, from offset: Double, step: Double) -> Found {
    var found = Found()
    var (distance, next) = (0.0, offset)
    for segment in 0..<line.count - 1 {
      let length = line.length(segment)
      // A symbol that does not fit on the line is left out.
      if next < self.length / 2 {
        next += ((self.length / 2 - next) / step).rounded(.up) * step
      }
      while next < distance + length, next + self.length / 2 <= total {
        guard !found.isCut else { return found }
        found.steps += 1
        defer { next += step }
        let anchor = Anchor(segment: segment, share: (next - distance) / length)
        let point = line.point(segment, anchor.share)
        guard point.x >= 0, point.x < side, point.y >= 0, point.y < side, allows(anchor, on: line) else {
          continue
        }
        found.anchors.append(anchor)
      }
      distance += length
    }
    return found
  }

  /// Returns the anchor at the middle of a line; nil if the line bends too much there.
  func middle(of line: SymbolLine) -> Anchor? {
    guard line.count > 1 else { return nil }
    let middle = line.length / 2
    var distance = 0.0
    for segment in 0..<line.count - 1 {
      let length = line.length(segment)
      if distance + length > middle {
        let anchor = Anchor(segment: segment, share: (middle - distance) / length)
        return allows(anchor, on: line) ? anchor : nil
      }
      distance += length
    }
    return nil
  }

  /// Returns whether a text at an anchor fits on a line and the line nowhere bends too much below it.
  private func allows(_ anchor: Anchor, on line: SymbolLine) -> Bool {
    let window = 0.6 * size
    guard hasText, window > 0 else { return true }
    // Backwards to the vertex before the text.
    var vertex = anchor.segment
    var distance = -anchor.share * line.length(anchor.segment)
    while distance > -length / 2 {
      vertex -= 1
      guard vertex >= 0 else { return false }
      distance -= line.length(vertex)
    }
    distance += line.length(vertex)
    vertex += 1
    // Forwards to the end of the text.
    var corners: [(distance: Double, angle: Double)] = []
    var (oldest, sum) = (0, 0.0)
    while distance < length / 2 {
      guard vertex + 1 < line.count else { return false }
      let angle = abs(Self.difference(line.angle(vertex - 1), line.angle(vertex)))
      corners.append((distance, angle))
      sum += angle
      while distance - corners[oldest].distance > window {
        sum -= corners[oldest].angle
        oldest += 1
      }
      if sum > maxAngle { return false }
      distance += line.length(vertex)
      vertex += 1
    }
    return true
  }

  /// Returns the difference of two directions, from -π to π.
  private static func difference(_ first: Double, _ second: Double) -> Double {
    let turn = first - second
    return turn > .pi ? turn - 2 * .pi : turn < -.pi ? turn + 2 * .pi : turn
  }
}

/// The anchor points of texts on lines of a tile; equal texts keep a distance from each other.
struct SpacedAnchors {
  private struct Cell: Hashable {
    let name: Int
    let column: Int
    let row: Int
  }

  /// The numbers of the texts.
  private var names: [String: Int] = [:]
  /// The least distance in CSS pixels.
  let distance: Double
  private var cells: [Cell: [(x: Double, y: Double)]] = [:]

  init(distance: Double) { self.distance = distance }

  /// Returns the number of a text.
  mutating func number(of name: String) -> Int {
    if let number = names[name] { return number }
    names[name] = names.count
    return names.count - 1
  }

  /// Adds an anchor point; returns false if it is too near to another one of an equal text.
  mutating func insert(_ x: Double, _ y: Double, name: Int) -> Bool {
    func cell(_ position: Double) -> Int { Int(clamping: (position / distance).rounded(.down)) }
    let (column, row) = (cell(x), cell(y))
    for near in row - 1...row + 1 {
      for beside in column - 1...column + 1 {
        for other in cells[Cell(name: name, column: beside, row: near)] ?? [] {
          let (dx, dy) = (other.x - x, other.y - y)
          if dx * dx + dy * dy < distance * distance { return false }
        }
      }
    }
    cells[Cell(name: name, column: column, row: row), default: []].append((x, y))
    return true
  }
}
