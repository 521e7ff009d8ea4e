import MapSystem

/// The symbols that are in tiles of two zooms, and are placed once.
///
/// - Source: MapLibre GL JS 5: an equal text within a cell of 4 CSS pixels.
struct SymbolDuplicates {
  private struct Cell: Hashable {
    let name: String
    let column: Int
    let row: Int
  }

  private let texts: [SymbolText]
  /// The zooms of the tiles of the symbols seen in a cell; nil when all tiles have one zoom.
  private var seen: [Cell: Set<Int>]?

  init(_ candidates: SymbolCandidates) {
    texts = candidates.texts
    let first = candidates.symbols.first?.zoom
    seen = candidates.symbols.contains { $0.zoom != first } ? [:] : nil
  }

  /// Returns whether an equal symbol of a tile of another zoom is near; keeps the symbol otherwise.
  mutating func isDuplicate(_ symbol: Symbol, pixelRatio: Double) -> Bool {
    guard seen != nil else { return false }
    let side = 4 * pixelRatio
    func cell(_ position: Double) -> Int { Int(clamping: (position / side).rounded(.down)) }
    let (column, row) = (cell(symbol.x), cell(symbol.y))
    let name = symbol.text.map { texts[$0].name } ?? ""
    for near in row - 1...row + 1 {
      for beside in column - 1...column + 1 {
        let zooms = seen?[Cell(name: name, column: beside, row: near)] ?? []
        if zooms.contains(where: { $0 != symbol.zoom }) { return true }
      }
    }
    seen?[Cell(name: name, column: column, row: row), default: []].insert(symbol.zoom)
    return false
  }
}
