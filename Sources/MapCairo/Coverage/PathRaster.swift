internal import MapGeometry

/// Strokes and insides of paths by what they cover of each pixel, laid over a band one by one.
struct PathRaster: ~Copyable {
  /// Level lines in a row of pixels by which areas that lie over themselves are told.
  static let lines = 16

  /// For strokes.
  var sheet: CoverageSheet
  /// For insides, with a row more above and one below.
  var area: CoverageSheet
  var shared: SharedPixels
  /// The segments and edges of the stroke under way.
  var segments = StrokeSegments()
  var edges: [StrokeEdge] = []
  /// Where the rings under way cross the level lines of a row.
  var crossings: [[Double]] = Array(repeating: [], count: lines)
  /// Changes between outside and inside on crowded rows, one bit per step, and the inside steps of each pixel.
  var toggles: [UInt64] = []
  var inside: [Int] = []
  /// The work of all paths so far.
  var work = PaintingWork.Counts()

  init(_ window: BandWindow) {
    self.init(width: Int(clamping: window.width), height: Int(clamping: window.bottom - window.origin))
  }

  /// The work of all paths so far, including the sheets.
  var allWork: PaintingWork.Counts {
    var all = work
    all.edges += sheet.edgeCount + area.edgeCount
    all.spans += sheet.spanCount + area.spanCount
    return all
  }

  init(width: Int, height: Int) {
    sheet = CoverageSheet(width: width, height: height)
    area = CoverageSheet(width: width, height: height + 2)
    shared = SharedPixels(width: width, height: height)
  }
}
