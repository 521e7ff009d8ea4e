internal import CMarkers
internal import MapDrawing
internal import MapGeometry
internal import MapModel

/// How much of each pixel about its place a marker covers, for every place within a pixel that a batch needs: laid down as
/// often as there are items.
///
/// Colours are no part of it, so that classes of one shape share one set. Places are rounded to 1/16 pixel: an upright
/// edge is at most 8 of 255 off.
struct MarkerMasks {
  /// Places told apart along a side of a pixel.
  static var steps: Int { 16 }
  /// How far from their place markers may reach to be painted by masks, in pixels.
  static var reachLimit: Double { 64 }
  /// How many pixels the masks of a batch may have if all were made.
  static var pixelLimit: Int { 32 << 20 }

  /// What a marker covers, in pixels from the pixel of its place, and where its bytes begin.
  struct Mask {
    var offset = 0
    var left = 0
    var top = 0
    var width = 0
    var height = 0
    /// Bytes of a row: the others are 0, since so many are worked on at once.
    var paddedWidth: Int { (width + Int(CMARKERS_STEP) - 1) / Int(CMARKERS_STEP) * Int(CMARKERS_STEP) }
  }

  /// The pixels of all masks, row by row, each padded: how much is covered, to 255.
  private(set) var coverage: [UInt8] = []
  /// The masks of each form, by place within a pixel.
  private(set) var masks: [Mask] = []
  /// For each style where the masks of its inside begin; nil when it has none.
  private(set) var fills: [Int?] = []
  /// For each style where the masks of its outline begin; nil when it has none.
  private(set) var strokes: [Int?] = []

  /// Where each item lies.
  private(set) var places: [MarkerPlace] = []

  /// The masks that the items of a batch need; nil when one of its looks is too large, a picture or text, or they are too
  /// many.
  init?(_ batch: MarkerBatch) throws(CairoError) {
    let looks = batch.styles.map(Look.init)
    guard looks.allSatisfy({ $0.block == nil && $0.radius + $0.reach <= Self.reachLimit }) else { return nil }
    let phases = Self.steps * Self.steps
    var known: [MaskForm: Int] = [:]
    var forms: [MaskForm] = []
    var room = Self.pixelLimit
    func firstMask(_ form: MaskForm) -> Int {
      if let index = known[form] { return index * phases }
      known[form] = forms.count
      forms.append(form)
      room -= phases * form.side * form.side
      return (forms.count - 1) * phases
    }
    for look in looks {
      let isPainted = look.size > 0 && room > 0
      fills.append(isPainted && look.fill != nil ? firstMask(MaskForm(look, part: .fill)) : nil)
      strokes.append(isPainted && look.stroke != nil ? firstMask(MaskForm(look, part: .stroke)) : nil)
    }
    guard room > 0 else { return nil }
    masks = Array(repeating: Mask(), count: forms.count * phases)
    let pieces = batch.x.indices.pieces(of: 1 << 13)
    let shifts = looks.map { (x: $0.offsetX, y: $0.offsetY) }
    places = concurrentMap(pieces.count) { piece in
      let (x, y, style) = (batch.x.span, batch.y.span, batch.style.span)
      return pieces[piece].map { item in
        let shift = shifts[Int(style[item])]
        return MarkerPlace(x[item] + shift.x, y[item] + shift.y)
      }
    }.flatMap(\.self)
    var isNeeded = Array(repeating: false, count: masks.count)
    for (place, style) in zip(places, batch.style) {
      if let first = fills[Int(style)] { isNeeded[first + Int(place.phase)] = true }
      if let first = strokes[Int(style)] { isNeeded[first + Int(place.phase)] = true }
    }
    for (index, form) in forms.enumerated() {
      let needed = (0..<phases).filter { isNeeded[index * phases + $0] }
      for (phase, drawn) in zip(needed, try MaskStore.shared.masks(of: form, phases: needed)) {
        var mask = drawn.mask
        mask.offset = coverage.count
        coverage += drawn.coverage
        masks[index * phases + phase] = mask
      }
    }
  }
}

/// Where a marker lies: its pixel, and its place within it by ``MarkerMasks/steps``.
struct MarkerPlace {
  let column: Int32
  let row: Int32
  /// The steps to the right, and those down times their number.
  let phase: Int32

  /// A place beyond what is painted becomes one far outside of every picture.
  init(_ x: Double, _ y: Double) {
    let limit = CairoContext.coordinateLimit
    // NaN compares false.
    guard abs(x) <= limit, abs(y) <= limit else {
      (column, row, phase) = (-1 << 20, -1 << 20, 0)
      return
    }
    // Made positive, since the conversion cuts towards 0 where floor would be a call; far inside 32 bits.
    let (across, down) = (
      Int32(clamping: (x + 2 * limit) * 16 + 0.5), Int32(clamping: (y + 2 * limit) * 16 + 0.5)
    )
    (column, row) = (across >> 4 - Int32(clamping: 2 * limit), down >> 4 - Int32(clamping: 2 * limit))
    phase = (down & 15) << 4 | across & 15
  }
}
