internal import CMarkers
internal import MapDrawing
internal import MapGeometry
internal import MapModel
internal import MapSystem

/// Painting of markers from masks, front to back: pixels that are already covered are skipped.
///
/// Each pixel keeps the share that is already taken and the colours so far, weighted by the share that was left when
/// they were added. At the end the pixels below get the rest. In exact numbers this equals painting in order; here
/// everything is rounded once.
extension CairoContext {
  /// Paints the visible markers of a batch.
  func paint(_ batch: MarkerBatch, masks: MarkerMasks, window band: BandWindow) throws(CairoError) {
    let origin = Int(clamping: band.origin)
    let inks = batch.styles.map(Look.init).map {
      (fill: cmarkers_ink($0.fill), stroke: cmarkers_ink($0.stroke))
    }
    let (places, style, coverage) = (masks.places.span, batch.style.span, masks.coverage.span)
    let (forms, strokes, fills) = (masks.masks.span, masks.strokes.span, masks.fills.span)
    let reach = Int32(clamping: MarkerMasks.reachLimit) + 1
    try unsafe withPixels { rows in
      var sheet = unsafe MarkerSheet(width: rows.width, height: rows.height)
      let window = unsafe Int32(clamping: origin) - reach..<Int32(clamping: origin + rows.height) + reach
      for item in places.indices.reversed() {
        if item & 4095 == 0, band.isStopped { return }
        let place = places[item]
        guard place.row >= window.lowerBound, place.row < window.upperBound else { continue }
        let (column, row, phase) = (Int(place.column), Int(place.row) - origin, Int(place.phase))
        let style = Int(style[item])
        // The outline lies over the inside.
        if let first = strokes[style] {
          sheet.add(forms[first + phase], of: coverage, ink: inks[style].stroke, column: column, row: row)
        }
        if let first = fills[style] {
          sheet.add(forms[first + phase], of: coverage, ink: inks[style].fill, column: column, row: row)
        }
      }
      unsafe sheet.lay(over: rows)
    }
  }
}

extension cmarkers_ink {
  fileprivate init(_ color: Color?) {
    self.init(
      blue: color?.blue ?? 0, green: color?.green ?? 0, red: color?.red ?? 0, alpha: color?.alpha ?? 0)
  }
}

/// The share of each pixel of a band that markers take, and their colours.
@safe private struct MarkerSheet: ~Copyable {
  /// The C code clears a block before its first use.
  private let values: UninitializedCells<UInt16>
  private let used: Cells<UInt8>
  /// The cells in the form for C; valid as long as the cells are.
  private var sheet: cmarkers_sheet

  init(width: Int, height: Int) {
    let (columns, rows) = (Int(CMARKERS_COLUMNS), Int(CMARKERS_ROWS))
    let (across, down) = ((width + Int(CMARKERS_STEP) + columns - 1) / columns, (height + rows - 1) / rows)
    let stride = across * columns
    values = UninitializedCells(count: 4 * stride * down * rows)
    used = Cells(count: across * down)
    unsafe sheet = cmarkers_sheet(
      width: Int32(clamping: width), height: Int32(clamping: height), stride: Int32(clamping: stride),
      values: values.start, used: used.start)
  }

  /// Adds a mask behind everything added before.
  @inline(__always) mutating func add(
    _ mask: MarkerMasks.Mask, of coverage: Span<UInt8>, ink: cmarkers_ink, column: Int, row: Int
  ) {
    guard mask.height > 0 else { return }
    // This checks that the whole mask is there.
    let bytes = coverage.extracting(mask.offset..<mask.offset + mask.paddedWidth * mask.height)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe cmarkers_add(
        &sheet, bytes.baseAddress, Int32(truncatingIfNeeded: mask.width),
        Int32(truncatingIfNeeded: mask.height),
        Int32(truncatingIfNeeded: column + mask.left), Int32(truncatingIfNeeded: row + mask.top), ink)
    }
  }

  /// Composites the sheet over pixels of the same size.
  mutating func lay(over rows: PixelRows) { unsafe cmarkers_lay(&sheet, rows.pixels) }
}
