import MapFeatures

/// The certainty that an item changes a pixel of the image.
enum ItemInk: Int, Comparable, Sendable {
  /// It paints nothing.
  case none
  /// It must be painted to find out.
  case doubtful
  /// It changes a pixel.
  case certain

  static func < (first: ItemInk, second: ItemInk) -> Bool { first.rawValue < second.rawValue }
}

/// The rows of a layer, by what the image shows of them.
struct PaintedRows: Sendable {
  /// The rows in the view with items.
  var drawn: RowSet
  /// The rows outside the view with items.
  var edge: RowSet
  /// The rows of both whose items may change no pixel.
  var doubtful: RowSet
  /// The rows in the view that have a symbol and no items.
  var invisible: RowSet

  init(rowCount: Int) {
    let none = RowSet(rowCount: rowCount)
    (drawn, edge, doubtful, invisible) = (none, none, none, none)
  }

  /// Adds a row with the certainty of its items.
  mutating func add(_ row: Int, isInView: Bool, _ ink: ItemInk) {
    guard ink != .none else {
      if isInView { invisible.insert(row) }
      return
    }
    if isInView { drawn.insert(row) } else { edge.insert(row) }
    if ink == .doubtful { doubtful.insert(row) }
  }

  /// Adds another item of a row that was added before, or that is outside the view.
  mutating func addItem(ofRow row: Int, _ ink: ItemInk) {
    if drawn.contains(row) || edge.contains(row) {
      if ink == .certain { doubtful.remove(row) }
    } else if ink != .none {
      let isInView = invisible.contains(row)
      invisible.remove(row)
      add(row, isInView: isInView, ink)
    }
  }

  /// Adds the rows of another pass over the same rows: a row is as certain as its most certain items.
  mutating func add(_ pass: PaintedRows) {
    var certain = drawn.union(edge).subtracting(doubtful)
    certain.formUnion(pass.drawn.union(pass.edge).subtracting(pass.doubtful))
    drawn.formUnion(pass.drawn)
    edge.formUnion(pass.edge)
    doubtful = doubtful.union(pass.doubtful).subtracting(certain)
    invisible = invisible.union(pass.invisible).subtracting(drawn)
  }

  /// Takes all items away: the rows in the view are invisible.
  mutating func clear() {
    invisible.formUnion(drawn)
    let none = RowSet(rowCount: drawn.rowCount)
    (drawn, edge, doubtful) = (none, none, none)
  }
}

/// The rows that some pass leaves invisible, with the reasons.
struct UnseenRows: Sendable {
  private var rows: [(row: Int, reason: Invisibility, hasSymbol: Bool)] = []
  private let rowCount: Int

  init(rowCount: Int) { self.rowCount = rowCount }

  /// Adds a row; one without a size has no symbol.
  mutating func add(_ row: Int, _ reason: Invisibility, hasSymbol: Bool = true) {
    rows.append((row, reason, hasSymbol))
  }

  /// Returns the number of rows by the reason of their first pass, of the rows that no pass draws.
  ///
  /// - Parameter invisible: the rows that have a symbol and change no pixel.
  func reasons(of invisible: RowSet) -> [Invisibility: Int] {
    var (reasons, counted) = ([Invisibility: Int](), RowSet(rowCount: rowCount))
    for (row, reason, hasSymbol) in rows where !counted.contains(row) {
      guard !hasSymbol || invisible.contains(row) else { continue }
      counted.insert(row)
      reasons[reason, default: 0] += 1
    }
    return reasons
  }
}
