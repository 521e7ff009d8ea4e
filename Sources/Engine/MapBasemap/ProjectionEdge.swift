import MapFeatures
import MapGeometry
import MapSystem
import Synchronization

/// The edge of the ground that a projection shows in a view.
///
/// A point of the plane has ground if the position of the point on Earth projects to the same point.
enum ProjectionEdge {
  /// The number of cells along the longer side of the view.
  private static let cells = 128.0
  /// The cells around the view, so that the edges of the grid are invisible.
  private static let margin = 2
  /// The steps that halve the distance of an edge from its place, from one cell to less than a thousandth of a pixel.
  private static let steps = 14
  /// The largest distance between a point and its projected position, in cells.
  private static let tolerance = 0.005
  /// The points along each side of the first test.
  private static let tests = (columns: 17, rows: 13)
  /// The number of views whose edges are kept.
  private static let keptViews = 4

  private static let kept = Mutex<[(view: Envelope, edge: (outside: BundledTable, line: BundledTable)?)]>([])

  /// Returns the area without ground and the line around the ground as tables; nil if the whole view has ground.
  ///
  /// - Cost: a projection of 221 points there and back; if some have no ground, of about 50,000.
  static func tables(
    in view: Envelope, operations: SpatialOperations
  ) -> (outside: BundledTable, line: BundledTable)? {
    guard let reference = view.spatialReference, !reference.isBuiltIn, view.width > 0, view.height > 0,
      view.width.isFinite, view.height.isFinite
    else { return nil }
    if let known = kept.withLock({ $0.first { $0.view == view } }) { return known.edge }
    let rings = rings(in: view, reference, operations)
    let edge: (outside: BundledTable, line: BundledTable)? = rings.map { rings in
      let cell = max(view.width, view.height) / cells * Double(margin)
      return (
        table(.polygon, [corners(of: view.grown(by: cell))] + rings, reference),
        table(.polyline, rings, reference)
      )
    }
    kept.withLock { kept in
      if kept.count == keptViews { kept.removeFirst() }
      kept.append((view, edge))
    }
    return edge
  }

  private static func corners(of box: Envelope) -> [(x: Double, y: Double)] {
    [
      (box.xMin, box.yMin), (box.xMax, box.yMin), (box.xMax, box.yMax), (box.xMin, box.yMax),
      (box.xMin, box.yMin),
    ]
  }

  private static func table(
    _ kind: GeometryKind, _ rings: [[(x: Double, y: Double)]], _ reference: SpatialReference
  ) -> BundledTable {
    var shape = CoordinateBuffer(kind: kind)
    for ring in rings {
      for (x, y) in ring { shape.appendVertex(x: x, y: y) }
      shape.endPart()
    }
    shape.endRow()
    return BundledTable(
      FeatureColumns(
        schema: FeatureSchema(
          fields: [Field(name: "class", type: .int32)], geometryKind: kind, spatialReference: reference),
        columns: [Column(.integers([0]))], geometry: shape, rowCount: 1))
  }

  /// Returns the closed rings around the ground in a view, with the ground on the left; nil if the whole view has ground.
  private static func rings(
    in view: Envelope, _ reference: SpatialReference, _ operations: SpatialOperations
  ) -> [[(x: Double, y: Double)]]? {
    let cell = max(view.width, view.height) / cells
    func haveGround(_ x: [Double], _ y: [Double]) -> [Bool] {
      var (east, north) = (x, y)
      do {
        try operations.project(x: &east, y: &north, from: reference, to: .wgs84)
        let isKnown = east.indices.map { east[$0].isFinite && north[$0].isFinite && abs(north[$0]) <= 90 }
        for index in isKnown.indices where !isKnown[index] { (east[index], north[index]) = (0, 0) }
        try operations.project(x: &east, y: &north, from: .wgs84, to: reference)
        return x.indices.map { index in
          isKnown[index] && abs(east[index] - x[index]) <= tolerance * cell
            && abs(north[index] - y[index]) <= tolerance * cell
        }
      } catch {
        return x.map { _ in true }
      }
    }
    var (x, y): ([Double], [Double]) = ([], [])
    for row in 0..<tests.rows {
      for column in 0..<tests.columns {
        x.append(view.xMin + view.width * Double(column) / Double(tests.columns - 1))
        y.append(view.yMin + view.height * Double(row) / Double(tests.rows - 1))
      }
    }
    guard haveGround(x, y).contains(false) else { return nil }
    let columns = Int(clamping: (view.width / cell).rounded(.up)) + 2 * margin + 1
    let rows = Int(clamping: (view.height / cell).rounded(.up)) + 2 * margin + 1
    func place(_ node: Int) -> (x: Double, y: Double) {
      (
        view.xMin + Double(node % columns - margin) * cell, view.yMin + Double(node / columns - margin) * cell
      )
    }
    let nodes = (0..<columns * rows).map(place)
    var ground = haveGround(nodes.map(\.x), nodes.map(\.y))
    guard ground.contains(true) else { return [] }
    // The edges of the grid close the rings.
    for node in ground.indices
    where [0, columns - 1].contains(node % columns) || [0, rows - 1].contains(node / columns) {
      ground[node] = false
    }
    return joined(GridEdges(columns: columns, ground: ground), place, haveGround)
  }

  /// Returns the rings through the places where the edges of a grid lose the ground.
  private static func joined(
    _ grid: GridEdges, _ place: (Int) -> (x: Double, y: Double), _ haveGround: ([Double], [Double]) -> [Bool]
  ) -> [[(x: Double, y: Double)]] {
    let next = grid.next
    let edges = next.keys.sorted()
    var inside = edges.map { place(grid.nodes(of: $0).inside) }
    var outside = edges.map { place(grid.nodes(of: $0).outside) }
    for _ in 0..<steps {
      let middle = zip(inside, outside).map { ((($0.x + $1.x) / 2), (($0.y + $1.y) / 2)) }
      let ground = haveGround(middle.map(\.0), middle.map(\.1))
      for index in edges.indices {
        if ground[index] { inside[index] = middle[index] } else { outside[index] = middle[index] }
      }
    }
    let places = Dictionary(uniqueKeysWithValues: zip(edges, inside))
    var (rings, left): ([[(x: Double, y: Double)]], Set<Int>) = ([], Set(edges))
    for first in edges where left.contains(first) {
      var (ring, edge): ([(x: Double, y: Double)], Int?) = ([], first)
      while let now = edge, left.remove(now) != nil {
        if let place = places[now] { ring.append(place) }
        edge = next[now]
      }
      guard ring.count > 2 else { continue }
      rings.append(ring + [ring[0]])
    }
    return rings
  }
}

/// The edges of a grid between nodes with ground and nodes without.
private struct GridEdges {
  private let columns: Int
  private let ground: [Bool]

  init(columns: Int, ground: [Bool]) { (self.columns, self.ground) = (columns, ground) }

  /// Returns the nodes of an edge: with ground, and without.
  ///
  /// An edge to the right of a node has an even number, an edge above it an odd one.
  func nodes(of edge: Int) -> (inside: Int, outside: Int) {
    let node = edge / 2
    let other = edge % 2 == 0 ? node + 1 : node + columns
    return ground[node] ? (node, other) : (other, node)
  }

  /// For each edge, the next one around the ground, which is on the left.
  ///
  /// - Source: marching squares; of four nodes with ground at two opposite ones, each has a ring of its own.
  var next: [Int: Int] {
    var next: [Int: Int] = [:]
    for row in 0..<ground.count / columns - 1 {
      for column in 0..<columns - 1 {
        let node = row * columns + column
        let (bottom, left) = (2 * node, 2 * node + 1)
        let (right, top) = (2 * (node + 1) + 1, 2 * (node + columns))
        let corners = [node, node + 1, node + columns + 1, node + columns]
        let code = corners.enumerated().reduce(0) { $0 | (ground[$1.element] ? 1 << $1.offset : 0) }
        switch code {
        case 1: next[bottom] = left
        case 2: next[right] = bottom
        case 3: next[right] = left
        case 4: next[top] = right
        case 5: (next[bottom], next[top]) = (left, right)
        case 6: next[top] = bottom
        case 7: next[top] = left
        case 8: next[left] = top
        case 9: next[bottom] = top
        case 10: (next[right], next[left]) = (bottom, top)
        case 11: next[right] = top
        case 12: next[left] = right
        case 13: next[bottom] = right
        case 14: next[left] = bottom
        default: break
        }
      }
    }
    return next
  }
}
