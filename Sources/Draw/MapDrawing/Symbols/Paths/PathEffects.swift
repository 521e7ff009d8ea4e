import Glibc
import MapGeometry
import MapModel
import MapSystem

/// The changes of paths before they are stroked, in pixels.
struct PathEffects: Sendable {
  private let effects: [LineEffect]

  /// The largest length of a sharp corner, in offsets.
  ///
  /// - Source: the ArcGIS Maps SDK for JavaScript.
  private static let miterLimit = 4.0

  /// Creates the effects of a line symbol for a pixel ratio; nil for none.
  init?(_ line: SimpleLineSymbol, pixelRatio: Double) {
    guard !line.effects.isEmpty else { return nil }
    effects = line.effects.map { effect in
      switch effect {
      case .offset(let distance, let corners):
        .offset(SymbolNumber.offset.bounded(distance * pixelRatio), corners: corners)
      case .arrow(let arrow, let width):
        .arrow(arrow, width: SymbolNumber.width.bounded(width * pixelRatio))
      }
    }
  }

  /// The largest distance of the changed path from the path, in pixels.
  var reach: Double {
    effects.reduce(0) { reach, effect in
      switch effect {
      case .offset(let distance, let corners):
        reach + abs(distance) * (corners == .mitered ? Self.miterLimit : 1.5)
      // A head is twice as wide as the arrow.
      case .arrow(_, let width): reach + width
      }
    }
  }

  /// Returns the changed path of the only row of a buffer.
  ///
  /// Arrows need lines: polygons keep their rings.
  func applied(to path: CoordinateBuffer) -> CoordinateBuffer {
    let isArea = path.kind == .polygon
    var chains = path.parts(ofRow: 0).map { part in
      let range = path.vertices(ofPart: part)
      return Chain(x: Array(path.x[range]), y: Array(path.y[range]))
    }
    for index in chains.indices { chains[index].removeRepeatedVertices() }
    chains.removeAll { $0.x.count < 2 }
    // Outer rings run one way and holes the other.
    let outward = isArea ? (chains.first.map { $0.area < 0 } ?? false ? -1.0 : 1.0) : 1
    for effect in effects {
      switch effect {
      case .offset(let distance, let corners):
        chains = chains.compactMap { $0.parallel(at: distance * outward, corners, Self.miterLimit) }
      case .arrow(let arrow, let width):
        if !isArea { chains = chains.compactMap { $0.arrow(arrow, width: width, Self.miterLimit) } }
      }
    }
    var changed = CoordinateBuffer(kind: path.kind)
    for chain in chains where chain.x.count > 1 {
      for (x, y) in zip(chain.x, chain.y) { changed.appendVertex(x: x, y: y) }
      changed.endPart()
    }
    changed.endRow()
    return changed
  }
}

extension Chain {
  /// Twice the area of a closed line; positive for one that runs clockwise where y points down.
  fileprivate var area: Double {
    guard let ox = x.first, let oy = y.first else { return 0 }
    return x.indices.dropFirst().reduce(0) { sum, index in
      sum + (x[index - 1] - ox) * (y[index] - oy) - (x[index] - ox) * (y[index - 1] - oy)
    }
  }

  /// Returns the part of the line up to a distance from its start; nil for a distance of 0 or less.
  fileprivate func start(of distance: Double) -> Chain? {
    guard distance > 0 else { return nil }
    let end = place(at: min(distance, length))
    let kept = x.indices.filter { starts[$0] < distance }
    return Chain(x: kept.map { x[$0] } + [end.x], y: kept.map { y[$0] } + [end.y])
  }

  /// Returns a parallel line to the left; nil when nothing is left.
  ///
  /// A corner that turns towards the parallel line ends at the crossing of its segments, if both are long enough.
  fileprivate func parallel(
    at distance: Double, _ corners: LineEffect.Corner, _ miterLimit: Double
  ) -> Chain? {
    guard distance != 0, x.count > 1 else { return self }
    var (px, py) = ([Double](), [Double]())
    func add(_ x: Double, _ y: Double) {
      px.append(x)
      py.append(y)
    }
    let last = x.count - 1
    for index in 0...last {
      let before = index > 0 ? direction(index) : isClosed ? direction(last) : nil
      let after = index < last ? direction(index + 1) : isClosed ? direction(1) : nil
      guard let before, let after else {
        guard let only = before ?? after else { continue }
        // To the left of a direction, where y points down.
        add(x[index] + distance * only.dy, y[index] - distance * only.dx)
        continue
      }
      let cosine = before.dx * after.dx + before.dy * after.dy
      // Positive for a turn to the right, where y points down.
      let sine = before.dx * after.dy - before.dy * after.dx
      let first = (x: x[index] + distance * before.dy, y: y[index] - distance * before.dx)
      let second = (x: x[index] + distance * after.dy, y: y[index] - distance * after.dx)
      guard abs(sine) > 1e-9 || cosine < 0 else {
        add(second.x, second.y)
        continue
      }
      // The length from a vertex along both segments to the crossing of the parallel lines.
      let along = abs(distance) * abs(sine) / max(1 + cosine, 1e-9)
      let crossing = (
        x: first.x + before.dx * along * (sine * distance > 0 ? 1 : -1),
        y: first.y + before.dy * along * (sine * distance > 0 ? 1 : -1)
      )
      if sine * distance < 0 {
        let (own, next) = (
          starts[max(index, 1)] - starts[max(index, 1) - 1],
          starts[min(index + 1, last)] - starts[min(index, last - 1)]
        )
        if along <= own, along <= next {
          add(crossing.x, crossing.y)
        } else {
          add(first.x, first.y)
          add(second.x, second.y)
        }
        continue
      }
      let isSharp = (2 / max(1 + cosine, 1e-9)).squareRoot() <= miterLimit
      switch corners {
      case .mitered where isSharp: add(crossing.x, crossing.y)
      case .rounded:
        let turn = atan2(abs(sine), cosine)
        let steps = max(Int(clamping: (turn * abs(distance).squareRoot() * 2).rounded(.up)), 2)
        let start = atan2(first.y - y[index], first.x - x[index])
        for step in 0...steps {
          let angle = start + (sine > 0 ? 1 : -1) * turn * Double(step) / Double(steps)
          add(x[index] + abs(distance) * cos(angle), y[index] + abs(distance) * sin(angle))
        }
      case .square:
        // The corner is cut off at the distance of the parallel line.
        let short = min(abs(distance) * tan(atan2(abs(sine), cosine) / 4), along)
        add(first.x + before.dx * short, first.y + before.dy * short)
        add(second.x - after.dx * short, second.y - after.dy * short)
      case .mitered, .bevelled:
        add(first.x, first.y)
        add(second.x, second.y)
      }
    }
    if isClosed, let x = px.first, let y = py.first {
      px.removeLast()
      py.removeLast()
      add(x, y)
    }
    return Chain(x: px, y: py)
  }

  /// Returns the outline of an arrow along the line; nil for a line without length.
  fileprivate func arrow(_ arrow: LineEffect.Arrow, width: Double, _ miterLimit: Double) -> Chain? {
    guard width > 0, length > 0, let tipX = x.last, let tipY = y.last else { return self }
    /// Returns the point beside the end of a line, farther out.
    func base(_ side: Chain, _ distance: Double) -> (x: Double, y: Double) {
      let last = side.x.count - 1
      let (dx, dy) = side.direction(last)
      return (side.x[last] + distance * dy, side.y[last] - distance * dx)
    }
    func sides(_ chain: Chain, _ half: Double) -> (left: Chain, right: Chain)? {
      guard let left = chain.parallel(at: half, .rounded, miterLimit),
        let right = chain.parallel(at: -half, .rounded, miterLimit), left.x.count > 1, right.x.count > 1
      else { return nil }
      return (left, right)
    }
    if arrow == .crossed {
      // The crossing is as long as the head is wide.
      let width = min(width, length / (2 + Self.crossing))
      guard let body = start(of: length - width * (1 + Self.crossing)), let neck = start(of: length - width),
        let inner = sides(body, width / 2), let outer = sides(neck, width / 2),
        let left = outer.left.x.last, let leftY = outer.left.y.last, let right = outer.right.x.last,
        let rightY = outer.right.y.last
      else { return self }
      let (leftBase, rightBase) = (base(outer.left, width / 4), base(outer.right, -width / 4))
      return Chain(
        x: inner.left.x + [right, rightBase.x, tipX, leftBase.x, left] + inner.right.x.reversed(),
        y: inner.left.y + [rightY, rightBase.y, tipY, leftBase.y, leftY] + inner.right.y.reversed())
    }
    let head = min(width, length / 2)
    guard let body = start(of: length - head), let side = sides(body, head / 2) else { return self }
    let (leftBase, rightBase) = (base(side.left, head / 4), base(side.right, -head / 4))
    var x = side.left.x + [leftBase.x, tipX, rightBase.x] + side.right.x.reversed()
    var y = side.left.y + [leftBase.y, tipY, rightBase.y] + side.right.y.reversed()
    if arrow == .block, x.count > 1 {
      // The second vertex again joins the last corner.
      (x, y) = (x + [x[0], x[1]], y + [y[0], y[1]])
    }
    return Chain(x: x, y: y)
  }

  /// The length of the crossing of an arrow, in its widths.
  ///
  /// - Source: the ArcGIS Maps SDK for JavaScript.
  private static let crossing = 1.0
}
