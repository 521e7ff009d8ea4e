internal import MapDrawing
internal import MapModel

/// Markers laid down from masks, the last first: what is covered already is passed over.
///
/// Each pixel keeps how much still shows through and the colours so far, weighed by what showed through when they came;
/// at the end what lies below gets the rest. In exact numbers that is painting in order; here everything is rounded once.
extension CairoContext {
  /// Paints the markers of a batch that show on the surface; `origin` is the picture's row that is its first.
  func paint(_ batch: MarkerBatch, masks: MarkerMasks, origin: Int) throws(CairoError) {
    let inks = batch.styles.map(Look.init).map { (fill: MaskInk($0.fill), stroke: MaskInk($0.stroke)) }
    let (places, style) = (masks.places.span, batch.style.span)
    let reach = Int32(MarkerMasks.reachLimit) + 1
    try unsafe withPixels { rows in
      var sheet = unsafe MarkerSheet(width: rows.width, height: rows.height)
      let window = unsafe Int32(clamping: origin) - reach..<Int32(clamping: origin + rows.height) + reach
      unsafe masks.coverage.withUnsafeBufferPointer { coverage in
        for item in places.indices.reversed() {
          let place = places[item]
          guard place.row >= window.lowerBound, place.row < window.upperBound else { continue }
          let (column, row, phase) = (Int(place.column), Int(place.row) - origin, Int(place.phase))
          let style = Int(style[item])
          // The outline lies over the inside.
          if let first = masks.strokes[style] {
            unsafe sheet.add(
              masks.masks[first + phase], of: coverage, ink: inks[style].stroke, column: column, row: row)
          }
          if let first = masks.fills[style] {
            unsafe sheet.add(
              masks.masks[first + phase], of: coverage, ink: inks[style].fill, column: column, row: row)
          }
        }
      }
      unsafe sheet.lay(over: rows)
    }
  }
}

/// A colour as masks are painted with it.
private struct MaskInk {
  /// Blue, green, red, and alpha that is full.
  let channels: SIMD4<UInt32>
  let alpha: UInt32

  init(_ color: Color?) {
    channels = SIMD4(
      UInt32(color?.blue ?? 0), UInt32(color?.green ?? 0), UInt32(color?.red ?? 0), 255)
    alpha = UInt32(color?.alpha ?? 0)
  }
}

// Wrapping arithmetic and pointers, because their checks take half of the time here. No sum can overflow, as said beside
// it; every range is clamped to surface and mask just before it is used.
private struct MarkerSheet {
  private static let full: UInt32 = 65_535

  private let width: Int
  private let height: Int
  /// How much still shows through, to ``full``.
  private var rest: [UInt16]
  /// Colours times what they take of ``full``: together at most 255 times that.
  private var sums: [SIMD4<UInt32>]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    rest = Array(repeating: UInt16(Self.full), count: width * height)
    sums = Array(repeating: .zero, count: width * height)
  }

  /// Adds a mask behind all that is there.
  @inline(__always) mutating func add(
    _ mask: MarkerMasks.Mask, of coverage: UnsafeBufferPointer<UInt8>, ink: MaskInk, column: Int, row: Int
  ) {
    let (left, top) = (column + mask.left, row + mask.top)
    let (firstColumn, lastColumn) = (max(left, 0), min(left + mask.width, width))
    let (firstRow, lastRow) = (max(top, 0), min(top + mask.height, height))
    guard firstColumn < lastColumn, firstRow < lastRow, let source = coverage.baseAddress else { return }
    unsafe rest.withUnsafeMutableBufferPointer { rest in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        guard let rest = rest.baseAddress, let sums = sums.baseAddress else { return }
        var row = firstRow
        while row < lastRow {
          let weights = unsafe source + (mask.offset &+ (row &- top) &* mask.width &- left)
          let start = row &* width
          row &+= 1
          // Most markers of a crowd lie on pixels that are covered already: four are looked at in one go.
          if lastColumn - firstColumn >= 4, lastColumn - firstColumn <= 8 {
            let (head, tail) = (start &+ firstColumn, start &+ lastColumn &- 4)
            let open =
              unsafe UnsafeRawPointer(rest + head).loadUnaligned(as: UInt64.self)
              | UnsafeRawPointer(rest + tail).loadUnaligned(as: UInt64.self)
            if open == 0 { continue }
          }
          var column = firstColumn
          while column < lastColumn {
            let open = unsafe UInt32(rest[start &+ column])
            if open > 0 {
              // At most 65,535 times 65,025, and half of the latter to round, which 32 bits hold.
              let taken = unsafe (open &* (UInt32(weights[column]) &* ink.alpha) &+ 32_512) / 65_025
              unsafe rest[start &+ column] = UInt16(truncatingIfNeeded: open &- taken)
              unsafe sums[start &+ column] &+= ink.channels &* SIMD4(repeating: taken)
            }
            column &+= 1
          }
        }
      }
    }
  }

  /// Lays the sheet over pixels of its size.
  func lay(over rows: PixelRows) {
    let ones = SIMD4<UInt32>(repeating: 32_768)
    for place in rest.indices where rest[place] < UInt16(Self.full) {
      let pixel = unsafe rows.pixels[place]
      let below = SIMD4<UInt32>(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, pixel >> 24)
      // At most 255 times 65,535: what was taken and the rest are 65,535 together.
      let sum = sums[place] &+ below &* SIMD4(repeating: UInt32(rest[place])) &+ ones
      let value = (sum &+ sum &>> 16) &>> 16
      unsafe rows.pixels[place] = value[0] | value[1] << 8 | value[2] << 16 | value[3] << 24
    }
  }
}
