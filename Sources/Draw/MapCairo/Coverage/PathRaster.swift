internal import MapDrawing
internal import MapGeometry
internal import MapSystem

/// A raster that paints strokes and insides of paths by the coverage of each pixel, one path at a time.
struct PathRaster: ~Copyable {
  /// The number of horizontal sample lines per pixel row, used for areas that overlap themselves.
  static let lines = 16

  /// The sheet for strokes.
  var sheet: CoverageSheet
  /// The sheet for insides, with one extra row above and one below.
  var area: CoverageSheet
  var shared: SharedPixels
  /// The areas of the current batch so far, if it paints neighbours beside each other.
  var areas = AreaUnion(width: 0, height: 0)
  private(set) var joinsAreas = false
  /// The pixels that the current path may change; nil for all.
  var region: PixelRegion?
  /// The image row of the first pixel row.
  private(set) var top: Int
  /// The segments and edges of the current stroke.
  var segments = StrokeSegments()
  var edges: [StrokeEdge] = []
  /// The crossings of the current rings with the sample lines of a row.
  var crossings: [[Double]] = Array(repeating: [], count: lines)
  /// The crossings of the current letters with the sample lines of a row.
  var turns: [[Turn]] = Array(repeating: [], count: lines)
  /// Changes between outside and inside on crowded rows, one bit per step, and the inside steps of each pixel.
  var toggles: [UInt64] = []
  var inside: [Int] = []
  /// The letters of the current label.
  var letters = LetterRings()
  /// The work of all paths so far, without the sheets.
  var work = PaintingWork.Counts()

  /// A crossing of a sample line with a ring, and the change of the winding number there.
  struct Turn {
    let x: Double
    let direction: Int
  }

  init(_ window: BandWindow) {
    // The other bands of the image have at most two rows more, and use the raster too.
    self.init(
      width: Int(clamping: window.width), height: Int(clamping: window.bottom - window.origin) + 2,
      top: Int(clamping: window.origin))
    _ = begin(window)
  }

  /// Begins to use a raster for another window; returns false if it does not fit.
  mutating func begin(_ window: BandWindow) -> Bool {
    let (width, height) = (Int(clamping: window.width), Int(clamping: window.bottom - window.origin))
    work = PaintingWork.Counts()
    (joinsAreas, region, top) = (false, nil, Int(clamping: window.origin))
    return width == sheet.width && sheet.begin(height: height) && area.begin(height: height + 2)
  }

  /// The work of all paths so far, including the sheets.
  var allWork: PaintingWork.Counts {
    var all = work
    all.edges += sheet.edgeCount + area.edgeCount
    all.spans += sheet.spanCount + area.spanCount
    return all
  }

  init(width: Int, height: Int, top: Int = 0) {
    self.top = top
    sheet = CoverageSheet(width: width, height: height)
    area = CoverageSheet(width: width, height: height + 2)
    shared = SharedPixels(width: width, height: height)
  }

  /// Begins a batch; if `joinsAreas`, its areas are painted beside their neighbours.
  mutating func beginBatch(joinsAreas: Bool) {
    self.joinsAreas = joinsAreas
    guard joinsAreas else { return }
    if !areas.begin(width: sheet.width, height: sheet.height) {
      areas = AreaUnion(width: sheet.width, height: sheet.rows)
      _ = areas.begin(width: sheet.width, height: sheet.height)
    }
  }
}
