import MapFeatures
import MapGeometry
import MapJSON
import MapSystem

/// The packed R-tree of a FlatGeobuf file, read node by node as questions need it.
///
/// An index that leaves features out cannot be told from a right one without reading every feature. All that is read is
/// checked: the order of features in the file, their sizes, and that each lies in its box. Where that fails, the caller
/// reads the whole file. ``faults(in:)`` compares the whole index with the features; `mapstate inspect` reports them.
///
/// - Source: FlatGeobuf 3, packed R-tree: levels from the root to the leaves, 40 bytes per node; leaf `i` belongs to
///   feature `i` of the file.
struct FlatGeobufIndex: Sendable {
  /// A box with its sides; without a spatial reference, since a file has many.
  struct Box: Sendable {
    let xMin, yMin, xMax, yMax: Double

    /// Whether a box has a point in common with this one; false for sides that are not numbers.
    func meets(_ other: Box) -> Bool {
      xMin <= other.xMax && xMax >= other.xMin && yMin <= other.yMax && yMax >= other.yMin
    }

    func contains(_ other: Box) -> Bool {
      xMin <= other.xMin && other.xMax <= xMax && yMin <= other.yMin && other.yMax <= yMax
    }

    var isPoint: Bool { xMin == xMax && yMin == yMax }
  }

  /// A node: a box, and for a leaf the offset of its feature after the first feature.
  struct Node: Sendable {
    let box: Box
    let offset: UInt64
  }

  /// A feature that may meet a box.
  struct Candidate: Sendable {
    /// The row of the feature in the file.
    let row: Int
    /// Its box.
    let box: Box
    /// The range of its bytes in the file, with its size.
    let bytes: Range<Int>
  }

  /// The size of a node in bytes.
  static let nodeSize = 40
  private let fanOut: Int
  /// The number of nodes of each level, and the offset of its first in the file; the leaves come first.
  private let levels: [(count: Int, start: Int)]
  private let features: Range<Int>
  private let announce: @Sendable ([Range<Int>]) throws -> Void
  private let read: @Sendable (Range<Int>) throws -> [UInt8]

  /// Opens the index of a file; nil if the file has none.
  ///
  /// - Parameter announce: Gets the ranges that are read next.
  init?(
    _ header: FlatGeobufHeader, fileSize: Int,
    announce: @escaping @Sendable ([Range<Int>]) throws -> Void = { _ in },
    bytes: @escaping @Sendable (Range<Int>) throws -> [UInt8]
  ) {
    guard header.featureCount > 0, header.nodeSize > 0 else { return nil }
    (fanOut, read, features) = (max(2, header.nodeSize), bytes, header.firstFeature..<fileSize)
    self.announce = announce
    var counts = [header.featureCount]
    repeat {
      counts.append((counts[counts.count - 1] + fanOut - 1) / fanOut)
    } while counts[counts.count - 1] > 1
    var end = header.firstFeature
    levels = counts.map { count in
      end -= count * Self.nodeSize
      return (count, end)
    }
  }

  /// The number of features.
  private var count: Int { levels[0].count }

  /// Returns the box around all features.
  func extent() throws -> Box? { try nodes(0..<1, level: levels.count - 1).first?.box }

  /// Returns the range of nodes in the file.
  private func bytes(of range: Range<Int>, level: Int) -> Range<Int> {
    let start = levels[level].start
    return start + range.lowerBound * Self.nodeSize..<start + range.upperBound * Self.nodeSize
  }

  private func nodes(_ range: Range<Int>, level: Int) throws -> [Node] {
    let bytes = try read(bytes(of: range, level: level))
    return try range.indices.map { index throws(FlatGeobufFault) in
      let place = (index - range.lowerBound) * Self.nodeSize
      func side(_ index: Int) throws(FlatGeobufFault) -> Double {
        try bytes.span.double(at: place + 8 * index)
      }
      return Node(
        box: Box(xMin: try side(0), yMin: try side(1), xMax: try side(2), yMax: try side(3)),
        offset: try bytes.span.word64(at: place + 32))
    }
  }

  // MARK: Questions

  /// Returns the features whose boxes meet one of some boxes, in the order of the file.
  ///
  /// Nil for more than `limit` features.
  /// - Throws: ``IndexFault`` for features out of order, and errors of the file.
  func candidates(meeting boxes: [Box], limit: Int) throws -> [Candidate]? {
    var found: [(row: Int, node: Node)] = []
    let isDone = try visit(meeting: boxes) { row, node, level in
      guard level == 0 else { return .descend }
      found.append((row, node))
      return found.count <= limit ? .descend : .stop
    }
    guard isDone else { return nil }
    var candidates: [Candidate] = []
    var last = features.lowerBound
    // Where a feature ends is known from the next leaf.
    try announce(
      found.indices.filter { place in
        let next = found[place].row + 1
        return next < count && (place + 1 == found.count || found[place + 1].row != next)
      }.map { bytes(of: found[$0].row + 1..<found[$0].row + 2, level: 0) })
    for (place, (row, node)) in found.enumerated() {
      let next =
        place + 1 < found.count && found[place + 1].row == row + 1
        ? found[place + 1].node : row + 1 < count ? try nodes(row + 1..<row + 2, level: 0).first : nil
      // The features are in the order of the leaves, so that offsets grow and no byte belongs to two of them.
      guard let start = Int(exactly: node.offset), start <= features.count,
        let end = next.map({ Int(exactly: $0.offset) }) ?? features.count, start < end, end <= features.count,
        features.lowerBound + start >= last, row > 0 || start == 0
      else { throw IndexFault() }
      last = features.lowerBound + end
      candidates.append(Candidate(row: row, box: node.box, bytes: features.lowerBound + start..<last))
    }
    return candidates
  }

  /// Returns the number of points in a box, sides included.
  ///
  /// A feature without a geometry has a box that meets none, or one at the origin. Nil if a box of a leaf is at the origin or
  /// not a point.
  func count(ofPointsIn box: Box) throws -> Int? {
    var count = 0
    let isSound = try visit(meeting: [box]) { _, node, level in
      guard level == 0 else { return .descend }
      guard node.box.isPoint, !node.box.contains(Self.origin) else { return .stop }
      count += 1
      return .descend
    }
    return isSound ? count : nil
  }

  // MARK: Checks

  /// Returns the number of boxes that do not contain the geometry or the boxes below them, and of offsets out of order.
  func faults(in geometry: CoordinateBuffer) throws -> Int {
    guard geometry.rowCount == count else { return geometry.rowCount }
    var faults = try levels.indices.dropLast().reduce(0) { try $0 + faultsOfBoxes(above: $1) }
    let pieces = (0..<count).pieces(of: Self.nodesAtOnce)
    faults += try concurrentMap(pieces.count) { piece in
      let rows = pieces[piece]
      var (faults, last) = (0, UInt64?.none)
      for (row, node) in zip(rows, try nodes(rows, level: 0)) {
        if last.map({ $0 >= node.offset }) ?? (row == 0 && node.offset != 0) { faults += 1 }
        last = node.offset
        let isSound =
          geometry.isEmpty(row: row)
          ? geometry.kind != .point || !node.box.meets(node.box) || node.box.contains(Self.origin)
          : node.box.contains(Box(geometry.envelope(ofRow: row)))
        if !isSound { faults += 1 }
      }
      return faults
    }.reduce(0, +)
    return faults
  }

  /// Returns the number of boxes of a level that the box above them does not contain.
  private func faultsOfBoxes(above level: Int) throws -> Int {
    let pieces = (0..<levels[level + 1].count).pieces(of: Self.nodesAtOnce / fanOut + 1)
    return try concurrentMap(pieces.count) { piece in
      let parents = pieces[piece]
      let children = parents.lowerBound * fanOut..<min(levels[level].count, parents.upperBound * fanOut)
      let above = try nodes(parents, level: level + 1)
      return try zip(children, nodes(children, level: level)).count { index, node in
        // The box of a feature without geometry is not that of numbers.
        let box = node.box
        return box.meets(box) && !above[index / fanOut - parents.lowerBound].box.contains(box)
      }
    }.reduce(0, +)
  }

  private static let origin = Box(xMin: 0, yMin: 0, xMax: 0, yMax: 0)

  private enum Step { case descend, stop }

  /// The number of nodes that are read at a time.
  private static let nodesAtOnce = 1 << 14

  /// Visits the nodes that meet one of some boxes, level by level; false if `body` stops the visit.
  ///
  /// - Parameter body: Gets the index of a node in its level, the node and the level, in the order of the file.
  private func visit(
    meeting boxes: [Box], _ body: (Int, Node, Int) throws -> Step
  ) throws -> Bool {
    var ranges = [0..<1]
    for level in levels.indices.reversed() {
      var below: [Range<Int>] = []
      try announce(ranges.map { bytes(of: $0, level: level) })
      for range in ranges {
        for piece in range.pieces(of: Self.nodesAtOnce) {
          for (index, node) in zip(piece, try nodes(piece, level: level)) {
            guard boxes.contains(where: { $0.meets(node.box) }) else { continue }
            switch try body(index, node, level) {
            case .stop: return false
            case .descend: break
            }
            guard level > 0 else { continue }
            let children = index * fanOut..<min(levels[level - 1].count, (index + 1) * fanOut)
            if let last = below.last, last.upperBound == children.lowerBound {
              below[below.count - 1] = last.lowerBound..<children.upperBound
            } else {
              below.append(children)
            }
          }
        }
      }
      ranges = below
    }
    return true
  }
}
