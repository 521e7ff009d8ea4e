internal import CMarkers
internal import MapDrawing
internal import MapGeometry
internal import MapModel
internal import MapSystem

/// The coverage of the pixels around a marker, for every position within a pixel that a batch needs.
///
/// Each mask is copied for many items. Masks have no colours, so classes with the same shape share one set. Positions
/// are rounded to 1/16 pixel: a vertical or horizontal edge is off by at most 8 of 255.
struct MarkerMasks {
  /// The number of positions along a side of a pixel.
  static var steps: Int { 16 }
  /// The largest reach of a marker that is painted from masks, in pixels.
  static var reachLimit: Double { 64 }
  /// The maximum number of pixels of a batch's masks, if all of them were made.
  static var pixelLimit: Int { 32 << 20 }

  /// The pixels that a marker covers, relative to the pixel of its point, and the offset of their bytes.
  struct Mask {
    var offset = 0
    var left = 0
    var top = 0
    var width = 0
    var height = 0
    /// The bytes of a row including padding: the padding is 0, because several bytes are processed at once.
    var paddedWidth: Int { (width + Int(CMARKERS_STEP) - 1) / Int(CMARKERS_STEP) * Int(CMARKERS_STEP) }
  }

  /// The pixels of all masks, row by row, each row padded: the coverage, 0 to 255.
  private(set) var coverage: [UInt8] = []
  /// The masks of each form, by position within a pixel.
  private(set) var masks: [Mask] = []
  /// For each style, the index of the first mask of its inside; nil when it has none.
  private(set) var fills: [Int?] = []
  /// For each style, the index of the first mask of its outline; nil when it has none.
  private(set) var strokes: [Int?] = []

  /// The position of each item.
  private(set) var places: [MarkerPlace] = []

  /// Creates the masks that the items of a batch need.
  ///
  /// Nil when a style is too large, or is an image or text, or when there would be too many masks.
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
    let (fills, strokes) = (self.fills, self.strokes)
    let placed = concurrentPipeline(
      pieces[...], next: { $0.popFirst() },
      work: { piece in
        let (x, y, style) = (batch.x.span, batch.y.span, batch.style.span)
        return piece.map { item in
          let shift = shifts[Int(style[item])]
          return MarkerPlace(x[item] + shift.x, y[item] + shift.y)
        }
      }, into: PlacedMarkers(expected: batch.x.count, masks: masks.count),
      take: { $0.add($1, styles: batch.style.span, fills, strokes) })
    places = placed.places
    let isNeeded = placed.isNeeded
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

/// The positions of the markers so far, and the masks that they need.
private struct PlacedMarkers: Sendable {
  var places: [MarkerPlace] = []
  var isNeeded: [Bool]

  init(expected: Int, masks: Int) {
    isNeeded = Array(repeating: false, count: masks)
    places.reserveCapacity(expected)
  }

  /// Adds the next markers, which are marked while others are placed.
  mutating func add(_ part: [MarkerPlace], styles: Span<UInt32>, _ fills: [Int?], _ strokes: [Int?]) {
    let first = places.count
    for (number, place) in part.enumerated() {
      let style = Int(styles[first + number])
      if let mask = fills[style] { isNeeded[mask + Int(place.phase)] = true }
      if let mask = strokes[style] { isNeeded[mask + Int(place.phase)] = true }
    }
    places += part
  }
}

/// The position of a marker: its pixel, and its position within the pixel in ``MarkerMasks/steps``.
struct MarkerPlace {
  let column: Int32
  let row: Int32
  /// The steps to the right, plus the steps down times their number.
  let phase: Int32

  /// Creates a position; one beyond the painted range is moved far outside of every image.
  init(_ x: Double, _ y: Double) {
    let limit = CairoContext.coordinateLimit
    // These comparisons are false for NaN.
    guard abs(x) <= limit, abs(y) <= limit else {
      (column, row, phase) = (-1 << 20, -1 << 20, 0)
      return
    }
    // Made positive, because the conversion truncates towards 0 and floor would be a call; far inside 32 bits.
    let (across, down) = (
      Int32(clamping: (x + 2 * limit) * 16 + 0.5), Int32(clamping: (y + 2 * limit) * 16 + 0.5)
    )
    (column, row) = (across >> 4 - Int32(clamping: 2 * limit), down >> 4 - Int32(clamping: 2 * limit))
    phase = (down & 15) << 4 | across & 15
  }
}
