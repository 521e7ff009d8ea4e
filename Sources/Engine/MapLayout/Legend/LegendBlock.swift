import MapDrawing
import MapGeometry
import MapModel

/// A legend, laid out in columns or in rows.
struct LegendBlock {
  /// The arrangement of the entries.
  enum Flow {
    /// In columns from top to bottom.
    case columns
    /// In rows from left to right, as above or below a map.
    case rows
  }

  /// A piece of the legend with its position from the block's top left corner.
  struct Piece {
    enum Content {
      case text(TextBlock, TextStyle)
      case symbol(SymbolForm, CoordinateBuffer, opacity: Double)
      case ramp([LegendEntry.RampStop], opacity: Double, isHorizontal: Bool)
      case chart(ClassChart, opacity: Double)
      /// A thin line from a circle to its number.
      case leader([(Double, Double)])
    }
    var content: Content
    var box: Envelope
  }

  /// An unbroken part of a column or row: an entry or a title.
  struct Row {
    var pieces: [Piece] = []
    var width = 0.0
    var height = 0.0
    var isTitle = false
    /// The number of entries.
    var entries = 0
    /// The space above, unless the row is the first of its column.
    var gap = 0.0
  }

  private(set) var width = 0.0
  private(set) var height = 0.0
  /// The number of entries that found no room.
  private(set) var leftOut = 0
  var warnings: [String] = []
  var pieces: [Piece] = []

  /// The largest side of a symbol, in view pixels at the normal size of text.
  ///
  /// - Source: design decision.
  static let largestSymbol = 72.0

  /// The thickness of a line, in the same unit.
  ///
  /// - Source: design decision.
  static let thickestLine = 24.0
  /// The length of a swatch that shows dashes, in the same unit; lines with longer dashes are drawn smaller.
  ///
  /// - Source: design decision; the longest pattern of a line of 4 points has 101 pixels.
  static let longestDashes = 120.0
  /// The largest number of lines of a label, before it is cut.
  ///
  /// - Source: design decision.
  static let mostLines = 8
  /// The largest number of lines of a title, before it is cut.
  static let mostTitleLines = 3

  let flow: Flow
  let unit: Double
  let group: TextStyle
  let title: TextStyle
  let small: TextStyle
  let label: TextStyle
  let tone: PageTone

  /// Lays out a legend within a width and height in view pixels.
  ///
  /// - Parameters:
  ///   - columns: the number of columns; nil for as few as there is room for.
  ///   - unit: the size of text relative to the normal size.
  init(
    _ legend: Legend, flow: Flow, columns: Int? = nil, width limit: Double, height most: Double, unit: Double,
    tone: PageTone, setter: inout TextSetter
  ) {
    (self.unit, self.tone) = (unit, tone)
    self.flow = columns == nil ? flow : .columns
    group = TextStyle(size: 13 * unit, weight: .bold, color: tone.ink)
    title = TextStyle(size: 12 * unit, weight: .bold, color: tone.ink)
    small = TextStyle(size: 10.5 * unit, color: tone.muted)
    label = TextStyle(size: 11.5 * unit, color: tone.ink)
    guard limit > 24 * unit, most > 12 * unit else {
      leftOut = legend.entryCount
      return
    }
    var legend = legend
    legend.layers.removeAll(where: \.entries.isEmpty)
    if !legend.title.isEmpty, legend.layers.count == 1 {
      (legend.layers[0].title, legend.layers[0].subtitle) = (legend.title, "")
      (legend.layers[0].groups, legend.layers[0].showsTitle) = ([], true)
      legend.title = ""
    }
    switch self.flow {
    case .columns: layColumns(legend, columns, limit, most, &setter)
    case .rows: layRows(legend, limit, most, &setter)
    }
  }

  var isEmpty: Bool { pieces.isEmpty }

  private mutating func layColumns(
    _ legend: Legend, _ columns: Int?, _ limit: Double, _ most: Double, _ setter: inout TextSetter
  ) {
    let swatch = swatchWidth(legend, &setter)
    // A column is at most 240 pixels wide, so that long labels wrap; wide swatches leave room for labels.
    let count = Double(columns ?? 1)
    let share = (limit - (count - 1) * Self.columnGap * unit) / count
    let columnLimit = min(max(share, 24 * unit), max(240 * unit, swatch + 140 * unit))
    var rows: [Row] = []
    if !legend.title.isEmpty {
      rows.append(titleRow(legend.title, group, limit: columnLimit, gap: 0, &setter))
    }
    var last: LegendLayer?
    for layer in legend.layers {
      rows += self.rows(of: layer, after: last, swatch: swatch, limit: columnLimit, &setter)
      last = layer
    }
    var placed = places(of: rows, limit, most)
    if let columns {
      let even = places(of: rows, limit, most, columns: columns)
      if even.columns <= columns, even.spots.count == placed.spots.count { placed = even }
    }
    for (row, spot) in zip(rows, placed.spots) {
      add(row, x: spot.x, y: spot.y)
      (width, height) = (max(width, spot.x + row.width), max(height, spot.y + row.height))
    }
    leftOut = rows[placed.spots.count...].reduce(0) { $0 + $1.entries }
  }

  /// The space between two columns, in view pixels at the normal size of text.
  ///
  /// - Source: design decision.
  private static let columnGap = 18.0

  /// Returns the positions of the first rows that have room in columns of a height, and the number of columns.
  ///
  /// - Parameter asked: a number of columns that end at about the same height, the first ones lowest.
  private func places(
    of rows: [Row], _ limit: Double, _ most: Double, columns asked: Int = 1
  ) -> (spots: [(x: Double, y: Double)], columns: Int) {
    // The heights of the last rows, by their number.
    let rest = rows.reversed().reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1.gap + $1.height) }
    var spots: [(x: Double, y: Double)] = []
    var (x, y, column, columns) = (0.0, 0.0, 0.0, 1)
    while spots.count < rows.count {
      let place = spots.count
      let row = rows[place]
      // A title is never the last row of a column.
      var needed = row.height
      if row.isTitle {
        var next = place + 1
        while next < rows.count, rows[next].isTitle, next < place + 3 {
          needed += rows[next].gap + rows[next].height
          next += 1
        }
        if next < rows.count { needed += rows[next].gap + rows[next].height }
      }
      let gap = y > 0 ? row.gap : 0
      let share = (y + rest[rows.count - place]) / Double(max(asked - columns + 1, 1))
      let isEven = columns < asked && y + gap > share - unit
      if isEven || y + gap + needed > most, y > 0 {
        x += column + Self.columnGap * unit
        (y, column, columns) = (0, 0, columns + 1)
        let widest = rows[place...].prefix(12).map(\.width).max() ?? 0
        if x + widest > limit { break }
        continue
      }
      if y + gap + row.height > most || x + row.width > limit { break }
      spots.append((x, y + gap))
      y += gap + row.height
      column = max(column, row.width)
    }
    return (spots, columns)
  }

  /// Lays out the layers in bands from top to bottom; layers stand side by side where they have room.
  private mutating func layRows(
    _ legend: Legend, _ limit: Double, _ most: Double, _ setter: inout TextSetter
  ) {
    var (top, right, bottom, isFull) = (0.0, 0.0, 0.0, false)
    if !legend.title.isEmpty {
      let row = titleRow(legend.title, group, limit: limit, gap: 0, &setter)
      isFull = row.height > most
      if !isFull {
        add(row, x: 0, y: 0)
        (width, bottom) = (row.width, row.height)
      }
    }
    var last: LegendLayer?
    for layer in legend.layers {
      let swatch = swatchWidth(Legend(layers: [layer]), &setter)
      let rows = self.rows(of: layer, after: last, swatch: swatch, limit: limit, &setter)
      let lines = lines(of: rows, limit)
      let wide = lines.map { length(of: $0) }.max() ?? 0
      let start = right + Self.layerGap * unit
      // Layers of groups are below their titles.
      let isBeside =
        last?.groups.isEmpty ?? false && layer.groups.isEmpty && right > 0 && start + wide <= limit
      if !isBeside { (top, right) = (bottom > 0 ? bottom + (last == nil ? 2 : 8) * unit : 0, 0) }
      last = layer
      let left = isBeside ? start : 0
      var y = top
      for line in lines {
        let tall = line.map(\.height).max() ?? 0
        isFull = isFull || y + tall > most
        guard !isFull else {
          leftOut += line.reduce(0) { $0 + $1.entries }
          continue
        }
        var x = left
        for row in line {
          add(row, x: x, y: y + (tall - row.height) / 2)
          width = max(width, x + row.width)
          x += row.width + Self.entryGap * unit
        }
        y += tall + 2 * unit
        bottom = max(bottom, y)
      }
      right = max(right, left + wide)
    }
    height = bottom
  }

  /// The space between two entries of a row, and between two layers beside each other, in view pixels at the normal size
  /// of text.
  ///
  /// - Source: design decision.
  private static let (entryGap, layerGap) = (16.0, 36.0)

  /// Returns the rows in lines: a title is a line of its own, and entries follow each other up to a width.
  private func lines(of rows: [Row], _ limit: Double) -> [[Row]] {
    var lines: [[Row]] = []
    var right = 0.0
    for (index, row) in rows.enumerated() {
      let isFirst = index == 0 || row.isTitle || rows[index - 1].isTitle
      if isFirst || right + row.width > limit {
        lines.append([row])
        right = 0
      } else {
        lines[lines.count - 1].append(row)
      }
      right += row.width + Self.entryGap * unit
    }
    return lines
  }

  private func length(of line: [Row]) -> Double {
    line.reduce(-Self.entryGap * unit) { $0 + $1.width + Self.entryGap * unit }
  }

  private mutating func add(_ row: Row, x: Double, y: Double) {
    for var piece in row.pieces {
      piece.box = piece.box.moved(x, y)
      if case .symbol(let symbol, var geometry, let opacity) = piece.content {
        geometry.moveVertices { xs, ys in
          for vertex in 0..<xs.count { (xs[vertex], ys[vertex]) = (xs[vertex] + x, ys[vertex] + y) }
        }
        piece.content = .symbol(symbol, geometry, opacity: opacity)
      }
      if case .leader(let points) = piece.content {
        piece.content = .leader(points.map { ($0.0 + x, $0.1 + y) })
      }
      pieces.append(piece)
    }
  }
}

extension Envelope {
  func moved(_ x: Double, _ y: Double) -> Envelope {
    Envelope(xMin: xMin + x, yMin: yMin + y, xMax: xMax + x, yMax: yMax + y)
  }
}
