internal import MapDrawing
internal import MapGeometry
internal import MapModel
internal import MapSystem
internal import Synchronization

/// A cache of masks that Cairo drew, for later images: the tiles of one map need the same masks repeatedly.
///
/// A mask depends on its form and position alone, so earlier painting never affects an image.
final class MaskStore: Sendable {
  static let shared = MaskStore()

  /// A mask with its coverage, row by row, each row padded.
  struct Drawn: Sendable {
    let mask: MarkerMasks.Mask
    let coverage: [UInt8]
  }

  /// The maximum number of cached bytes; beyond it the cache is emptied.
  private static let limit = 4 << 20

  private struct State {
    /// The masks of each form, by position within a pixel.
    var drawn: [MaskForm: [Int: Drawn]] = [:]
    var size = 0
  }
  private let state = Mutex(State())

  /// Returns the masks of a form at some positions within a pixel; draws those that are not cached.
  func masks(of form: MaskForm, phases: [Int]) throws(CairoError) -> [Drawn] {
    let known = state.withLock { $0.drawn[form] ?? [:] }
    var masks: [Drawn] = []
    var added: [Int: Drawn] = [:]
    for phase in phases {
      if let mask = known[phase] {
        masks.append(mask)
      } else {
        let mask = try form.draw(phase: phase)
        masks.append(mask)
        added[phase] = mask
      }
    }
    if !added.isEmpty { keep(added, of: form) }
    return masks
  }

  private func keep(_ added: [Int: Drawn], of form: MaskForm) {
    // A mask takes somewhat more memory than its bytes.
    let size = added.values.reduce(0) { $0 + $1.coverage.count + 128 }
    state.withLock { state in
      if state.size + size > Self.limit { state = State() }
      guard size <= Self.limit else { return }
      state.size += size
      state.drawn[form, default: [:]].merge(added) { $1 }
    }
  }
}

/// The key of a mask: a style without its colours and position.
struct MaskForm: Hashable {
  enum Part { case fill, stroke }

  let part: Part
  let shape: MarkerShape
  let size: Double
  let angle: Double
  let width: Double
  let cap: SimpleLineSymbol.Cap
  let join: SimpleLineSymbol.Join
  let miterLimit: Double
  /// The distance that the marker reaches from its point, in whole pixels.
  let reach: Int
  /// The maximum width and height of a mask.
  var side: Int { 2 * reach + 1 }

  init(_ look: Look, part: Part) {
    (self.part, shape, size, angle) = (part, look.shape, look.size, look.angle)
    let isStroke = part == .stroke
    width = isStroke ? look.width : 0
    (cap, join) = isStroke ? (look.cap, look.join) : (.butt, .bevel)
    miterLimit = isStroke ? look.miterLimit : 0
    // The reach limit of masks keeps this far inside the range of Int.
    reach = Int(clamping: (look.radius + (isStroke ? look.reach : 1)).rounded(.up))
  }
}

extension MaskForm {
  /// Draws the form at a position within a pixel.
  fileprivate func draw(phase: Int) throws(CairoError) -> MaskStore.Drawn {
    let surface = try CairoSurface(width: side, height: side, format: .alpha8)
    try surface.draw { pen in
      pen.setTolerance(CairoContext.tolerance)
      pen.useEvenOddRule()
      pen.setColor(red: 0, green: 0, blue: 0)
      let (down, across) = phase.quotientAndRemainder(dividingBy: MarkerMasks.steps)
      let step = 1 / Double(MarkerMasks.steps)
      pen.addMarker(
        shape.outline(size: size, angle: angle), isOpen: shape.isOpen, radius: size / 2,
        x: Double(reach) + Double(across) * step, y: Double(reach) + Double(down) * step)
      guard part == .stroke else { return pen.fill() }
      pen.setLineWidth(width)
      pen.setLineEnds(cap: cap, join: join, miterLimit: miterLimit)
      pen.stroke()
    }
    var mask = MarkerMasks.Mask()
    var pixels: [UInt8] = []
    try unsafe surface.withCoverage { coverage in
      let rows = (0..<side).filter { row in
        (0..<side).contains { unsafe coverage.bytes[row * coverage.stride + $0] > 0 }
      }
      let columns = (0..<side).filter { column in
        rows.contains { unsafe coverage.bytes[$0 * coverage.stride + column] > 0 }
      }
      guard let top = rows.first, let bottom = rows.last, let left = columns.first, let right = columns.last
      else { return }
      (mask.left, mask.top) = (left - reach, top - reach)
      (mask.width, mask.height) = (right - left + 1, bottom - top + 1)
      for row in top...bottom {
        for column in left...right {
          unsafe pixels.append(coverage.bytes[row * coverage.stride + column])
        }
        pixels += repeatElement(0, count: mask.paddedWidth - mask.width)
      }
    }
    return MaskStore.Drawn(mask: mask, coverage: pixels)
  }
}
