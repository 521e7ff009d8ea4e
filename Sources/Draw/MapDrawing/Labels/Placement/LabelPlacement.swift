import MapFeatures
import MapGeometry
import MapSystem
package import MapModel

/// A placement of all labels of an image, in one pass.
///
/// Labels are placed by class priority, then from the top layer down, then by the rank of the feature if the class ranks
/// them, then in the drawing order of the features; those of the areas of a `dynamic` class by size, the largest first.
/// A label never covers one that was placed before it, unless its class allows overlaps. It never extends beyond the
/// image. `dynamic` classes try other positions than the preferred one.
///
/// A label covers no marker of a layer with labels. No marker is nearer to a label than its own; in `dynamic` classes,
/// all others are at least three pixels farther, so that the label can be taken for that of no other. Labels of points for
/// which this leaves no position may be farther from their marker and, if their class ranks its features, farther away with
/// a line to it. The first 30 of them may cover a few less important markers where they find nothing else, which are those of
/// classes with lower priority and, in a class that ranks its features, of features with a lower rank; there, only the 20 most
/// important features may: together they hide the centres of at most 4 % of the markers, six each, and cover 6 % of their
/// area. They cover markers in part only where they find nothing else, unless this leaves more than a tenth of the most
/// important features without names.
///
/// A label of a `dynamic` class that does not fit into its area has the text of the short field there, or else several
/// lines, or narrow letters. Without room for these, it lies beside a small area, over no other one, or farther away with
/// a line to it, over no other area or inside one. Such a line crosses other areas only where a label finds nothing else. The
/// result depends on the candidates and obstacles only.
///
/// - Source: Esri web map specification, `deconflictionStrategy`; the order of equal priorities is a design decision.
package struct LabelPlacement {
  /// The maximum number of labels for which room is made by moving others.
  ///
  /// - Source: design decision; more labels than this never fit an image.
  static let waitingLimit = 20_000

  /// The number of the most important features of a class that should have names.
  private static let importantCount = 20

  let canvas: LabelBox
  let byLayer: [LabelCandidates]
  var shapes: ShapeCache
  var arrangement: LabelArrangement
  var markers: MarkerGrid
  let ink: LabelInk?
  let barriers: LabelBarriers?
  let land: LabelBarriers?
  /// The areas of classes whose labels do not all fit, by layer and class.
  var owners: [[Int]: AreaOwners] = [:]
  /// The number of positions that are kept for labels along lines.
  var keptPositions = 0
  /// The number of labels that tried positions far from their area.
  var awayCount = 0
  /// The labels of the arrangement.
  var entries: [Entry] = []
  /// The labels of the present priority that found no position, by their numbers in `entries`.
  private var waiting: [Int] = []
  var waitingCount = 0
  /// The labels of points of the present priority that may try more positions, by their numbers in `entries`.
  var retries: [(index: Int, isFirst: Bool)] = []
  var retryCount = 0
  /// The number of comparisons made for labels that were tried again.
  var retryComparisons = 0
  /// The number of markers that the first labels without a free position may hide, and the area that they may cover.
  let allowed: MarkerGrid.Cover
  /// The number of labels that may still use it.
  var firstCount = Self.first.count
  /// The labels over markers, by their numbers in `entries`; those of the first ones may move until all are placed.
  var covering: [Int] = []
  /// Whether labels cover markers in part only where they find nothing else.
  let prefersWholeMarkers: Bool
  /// The labels of the most important features, by their numbers in `entries`.
  private var important: [Int] = []
  /// The importance of the least important marker; nil without markers.
  let leastImportance: LabelImportance?
  var placedTexts = PlacedTexts()
  var report = LabelReport()
  /// The feature whose results are kept; nil for none.
  let watched: (layerIndex: Int, row: Int)?
  /// The results of that feature, with the order in which its labels were examined.
  var results: [(order: Int, result: LabelResult)] = []
  var examined = 0

  /// A position over less important markers.
  struct Covering {
    let position: LabelPosition
    /// Whether no label is there.
    let isFree: Bool
  }

  /// The class and the symbol of a label, and how positions are searched for it.
  struct SpotKey: Hashable {
    let number: Int
    let symbol: Int32
    let search: LabelSpot.Search
  }

  /// The positions around the last symbols for labels that are tried again.
  var spots: [SpotKey: [LabelSpot]] = [:]
  /// The far positions of the first labels of the present priority, by their numbers in `entries`.
  var far: [Int: [Covering]] = [:]

  /// A label that has at least one position.
  struct Entry {
    let number: Int
    let order: Int
    let anchor: LabelCandidates.Anchor
    let text: String
    /// The lines of the text.
    let lines: [String]
    var positions: [LabelPosition]
    /// The positions for a label that finds no other one, best first: those with a line over other areas.
    private(set) var lastPositions: [LabelPosition] = []
    /// The reason if the label finds no position.
    let reason: LabelOutcome
    /// Whether the feature is one of the most important ones of its class.
    var isImportant = false

    /// Keeps the positions with a line over other areas for last, if there are others.
    mutating func keepForLast() {
      guard positions.contains(where: \.crossesOthers) else { return }
      let clear = positions.filter { !$0.crossesOthers }
      guard !clear.isEmpty else { return }
      lastPositions = positions.filter(\.crossesOthers)
      positions = clear
    }
  }

  /// Places the labels of a view.
  ///
  /// - Parameters:
  ///   - obstacles: the drawn symbols, with all markers added; nil for none.
  ///   - watched: a feature whose results are kept, by layer and row; nil for none.
  /// - Cost: shaping each distinct line once; each label is compared with the labels and markers in the grid cells
  ///   around it. Improvements are limited.
  package static func labels(
    of candidates: [LabelCandidates], avoiding obstacles: LabelObstacles? = nil, view: ViewState,
    measurer: TextMeasurer, watching watched: (layerIndex: Int, row: Int)? = nil
  ) -> LabelDrawing {
    let byLayer = candidates.sorted {
      ($0.layerIndex, $0.classIndex) < ($1.layerIndex, $1.classIndex)
    }
    // Offsets break ties, because the standard sort does not promise to be stable.
    let order = byLayer.indices.sorted { a, b in
      let (first, second) = (byLayer[a], byLayer[b])
      return (first.priority, -first.layerIndex, first.classIndex)
        < (second.priority, -second.layerIndex, second.classIndex)
    }
    func placed(prefersWholeMarkers: Bool) -> LabelPlacement {
      var placement = LabelPlacement(
        byLayer, avoiding: obstacles, view: view, measurer: measurer, watching: watched,
        prefersWholeMarkers: prefersWholeMarkers)
      for (position, index) in order.enumerated() {
        placement.place(index)
        let isLast = position + 1 == order.count
        if isLast || byLayer[order[position + 1]].priority != byLayer[index].priority { placement.endLevel() }
      }
      return placement
    }
    let placement = placed(prefersWholeMarkers: true)
    let missing = placement.missingCount
    guard missing * 10 > placement.important.count else { return placement.drawing() }
    let other = placed(prefersWholeMarkers: false)
    return (other.missingCount < missing ? other : placement).drawing()
  }

  /// The number of the most important features without a name.
  private var missingCount: Int { important.count { arrangement.chosen[$0] == nil } }

  private init(
    _ byLayer: [LabelCandidates], avoiding obstacles: LabelObstacles?, view: ViewState,
    measurer: TextMeasurer,
    watching watched: (layerIndex: Int, row: Int)?, prefersWholeMarkers: Bool
  ) {
    (self.byLayer, self.watched, self.prefersWholeMarkers) = (byLayer, watched, prefersWholeMarkers)
    let canvas = ViewTransform(view, from: nil).canvas
    self.canvas = LabelBox(canvas)
    shapes = ShapeCache(measurer)
    arrangement = LabelArrangement(width: canvas.width, height: canvas.height)
    markers = MarkerGrid(obstacles?.markers ?? [], canvas: canvas, prefersWhole: prefersWholeMarkers)
    leastImportance = markers.leastImportance
    let share = Int(clamping: Double(obstacles?.markers.count ?? 0) * Self.first.hidden)
    allowed = MarkerGrid.Cover(
      hidden: max(share, Self.first.least), area: Self.first.covered * markers.area)
    var ink = obstacles?.ink
    ink?.finish()
    self.ink = ink
    (barriers, land) = (obstacles?.barriers, obstacles?.land)
    report.classes = byLayer.map { item in
      LabelReport.Class(
        layerIndex: item.layerIndex, layer: item.layerName, classIndex: item.classIndex,
        name: item.definition.name)
    }
  }

  // MARK: Placing

  /// Places the labels of a class, each at its best free position.
  private mutating func place(_ number: Int) {
    let candidates = byLayer[number]
    guard let style = candidates.style else { return }
    if candidates.kind == .polyline || (candidates.kind == .polygon && candidates.definition.followsAxis) {
      return placeAlongLines(number, candidates, style)
    }
    /// The positions around each symbol, and the cells of the image where markers block them all.
    var rings: [Int32: LabelRing] = [:]
    var crowded = CrowdedCells(canvas: canvas)
    let mayBeCrowded =
      markers.isCrowded && candidates.avoidsMarkers && !candidates.isNeverRemoved && style.size > 2
    for (offset, anchor) in candidates.anchors.enumerated() {
      examined += 1
      guard candidates.text.hasInk(row: Int(anchor.row)) else {
        drop(anchor, number, .empty)
        continue
      }
      let spots: (free: [LabelSpot], outcome: LabelOutcome?)
      if candidates.isPoint {
        let ring =
          rings[anchor.index]
          ?? LabelRing(candidates.spots(aroundSymbol: anchor.index), size: style.size)
        if rings[anchor.index] == nil { rings[anchor.index] = ring }
        if candidates.directions != nil {
          spots = (ring.spots.map { $0.moved(x: anchor.x, y: anchor.y) }, nil)
        } else if mayBeCrowded,
          crowded.surelyBlock(ring.positions, ofSymbol: anchor.index, x: anchor.x, y: anchor.y, markers)
        {
          spots = ([], .atMarker)
        } else {
          let importance = candidates.importance(of: anchor)
          spots = sieve(ring.spots, movedBy: (anchor.x, anchor.y), importance, candidates, style)
        }
      } else {
        spots = sieve(candidates.spots(inArea: anchor), movedBy: (0, 0), .highest, candidates, style)
      }
      let mayRetry = mayRetry(anchor, candidates)
      if let outcome = spots.outcome, outcome != .atMarker || !mayRetry {
        drop(anchor, number, outcome)
        continue
      }
      let lines = candidates.text.lines(ofRow: Int(anchor.row))
      let text = lines.joined(separator: "\n")
      let (positions, outcome) = positions(of: lines, at: spots.free, anchor, candidates, style)
      if positions.isEmpty, !mayRetry || (spots.outcome ?? outcome) != .atMarker {
        drop(anchor, number, outcome)
      } else {
        let index = entries.count
        let isImportant = candidates.ranks != nil && offset < Self.importantCount
        add(
          Entry(
            number: number, order: examined, anchor: anchor, text: text, lines: lines, positions: positions,
            reason: positions.isEmpty ? .atMarker : .collided, isImportant: isImportant), candidates)
        if isImportant, entries.count > index { important.append(index) }
      }
    }
  }

  /// Adds a label with its positions, unless it is a duplicate.
  mutating func add(_ entry: Entry, _ candidates: LabelCandidates) {
    var entry = entry
    entry.keepForLast()
    guard
      candidates.kind == .polyline
        || !placedTexts.isDuplicate(entry.text, at: entry.anchor.place, of: candidates)
    else { return drop(entry.anchor, entry.number, .duplicate) }
    // A name inside its area does not make room for one outside another.
    let isInside =
      candidates.kind == .polygon
      && (entry.positions.first.map { $0.overRow == entry.anchor.row && $0.leader == nil } ?? false)
    let mayMove = candidates.labelsMayMove
    let index = arrangement.add(
      LabelArrangement.Label(
        positions: entry.positions.map(\.boxes), level: candidates.priority,
        isMovable: mayMove && !isInside,
        // Two small areas do not replace a large one, and two features no more important one.
        isReplaceable: candidates.kind != .polygon && candidates.ranks == nil),
      at: candidates.mayOverlap ? 0 : nil,
      lineBoxes: candidates.kind == .polygon || candidates.ranks != nil
        ? entry.positions.map(\.lineBox) : [])
    entries.append(entry)
    if let chosen = arrangement.chosen[index] {
      let place = candidates.kind == .polyline ? entry.positions[chosen].center : entry.anchor.place
      placedTexts.insert(entry.text, at: place, of: candidates)
      return
    }
    if mayMove || candidates.isNeverRemoved {
      waiting.append(index)
      waitingCount += 1
    }
    guard mayRetry(entry.anchor, candidates) else { return }
    retryCount += 1
    let isFirst = firstCount > 0
    if isFirst {
      firstCount -= 1
    } else if firstCount == 0 {
      fixCovering()
      firstCount = -1
    }
    if candidates.ranks == nil {
      retries.append((index, isFirst))
    } else if mayMove {
      placeBeforeOthers(index, isFirst: isFirst)
    }
  }

  /// Makes room for labels of a priority that found none, and places those that must not be removed.
  private mutating func endLevel() {
    fixCovering()
    arrangement.improve(waiting)
    placeLast(waiting)
    // Labels that hide no marker first, so that they leave more for the others.
    for hidden in [0, Self.first.least, Self.first.each] {
      for (index, isFirst) in retries
      where arrangement.chosen[index] == nil && (isFirst || hidden == 0) {
        guard retryComparisons < Self.retryComparisonLimit else { break }
        let before = markers.comparisons
        retry(index, hiding: hidden, isFirst: isFirst)
        retryComparisons += markers.comparisons - before
      }
    }
    (retries, far) = ([], [:])
    for index in waiting where arrangement.chosen[index] == nil {
      guard byLayer[entries[index].number].isNeverRemoved else { continue }
      let positions = entries[index].positions
      let costs = positions.map { Double(arrangement.overlapCount($0.boxes)) * 100 + $0.cost }
      guard let best = costs.indices.min(by: { (costs[$0], $0) < (costs[$1], $1) }) else { continue }
      arrangement.force(index, at: best)
    }
    waiting = []
  }
}
