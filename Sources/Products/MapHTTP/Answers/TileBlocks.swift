import MapGeometry
import MapImages
import MapScript
import MapState
import MapSystem
import Synchronization

/// The tiles of a block of a level, which are drawn as one image, so that a label may cross the sides of its tiles.
package struct TileBlock: Hashable, Sendable {
  let zoom: Int
  /// The number of tiles along a side.
  let side: Int
  let column: Int
  let row: Int
  /// The number of pixels along a side of a tile.
  let pixels: Int

  /// The largest number of tiles along a side.
  ///
  /// - Source: design decision, measured: the first tile of 8 by 8 takes 3 to 10 times as long, and of 2 by 2, labels
  ///   would be left out along twice as many sides. MapProxy's blocks have 4 by 4 tiles, too.
  static let largestSide = 4

  /// Finds the block of a tile; blocks begin at multiples of their side, so that a tile has the same one always.
  ///
  /// - Parameter limit: the number of pixels of an image.
  package init(of tile: TileAddress, ratio: Double, limit: Int) {
    let pixels = Int(clamping: TileAddress.side * ratio)
    var side = Self.largestSide
    while side > 1, side * pixels * side * pixels > limit { side /= 2 }
    self.side = min(side, 1 << tile.zoom)
    (zoom, self.pixels) = (tile.zoom, pixels)
    (column, row) = (tile.column / self.side * self.side, tile.row / self.side * self.side)
  }

  /// The area of the block.
  var envelope: Envelope {
    let first = TileAddress(zoom: zoom, column: column, row: row).envelope
    let last = TileAddress(zoom: zoom, column: column + side - 1, row: row + side - 1).envelope
    return Envelope(
      xMin: first.xMin, yMin: last.yMin, xMax: last.xMax, yMax: first.yMax, spatialReference: .webMercator)
  }

  /// Returns the PNG files of the tiles, row by row.
  func cut(_ image: Bitmap) throws -> [[UInt8]] {
    try (0..<side * side).map { number in
      try Task.checkCancellation()
      let (x, y) = (number % side * pixels, number / side * pixels)
      return try image.pngData(columns: x..<x + pixels, rows: y..<y + pixels)
    }
  }

  /// The index of a tile of the block.
  func index(of tile: TileAddress) -> Int { (tile.row - row) * side + tile.column - column }
}

/// Drawn blocks of tiles, by the tag of their answer; those used least recently are dropped.
package final class TileBlocks: Sendable {
  /// A block of a map in one state.
  package struct Key: Hashable, Sendable {
    let block: TileBlock
    /// A text that differs for other data, and for other parameters of the request.
    let state: String

    /// Creates a key.
    package init(block: TileBlock, state: String) { (self.block, self.state) = (block, state) }
  }

  private struct Entry {
    let number: Int
    var content: Content
    /// The number of requests that wait.
    var waiting = 0
    var lastUse: Int

    /// The bytes of the files; nil until they are drawn.
    var bytes: Int? { if case .files(let files) = content { files.reduce(0) { $0 + $1.count } } else { nil } }
  }

  /// The work or its result: a task that is done keeps the memory of its calls, ten times that of the files.
  private enum Content {
    case work(Task<[[UInt8]], any Error>)
    case files([[UInt8]])
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var drawn = 0
    var uses = 0
    var bytes = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  /// Creates an empty cache.
  ///
  /// - Parameter limit: the number of bytes that are kept.
  package init(limit: Int = 64 << 20) { self.limit = limit }

  /// The bytes that are kept, and the number of blocks that were drawn.
  package var counts: (bytes: Int, drawn: Int) { state.withLock { ($0.bytes, $0.drawn) } }

  /// Returns the files of a block, which is drawn once for all requests that ask for it.
  ///
  /// The drawing stops if no request waits for it any longer.
  package func files(
    _ key: Key, _ draw: @escaping @Sendable () async throws -> [[UInt8]]
  ) async throws -> [[UInt8]] {
    let entry = state.withLock { state in
      if var entry = state.entries[key] {
        state.uses += 1
        (entry.lastUse, entry.waiting) = (state.uses, entry.waiting + 1)
        state.entries[key] = entry
        return entry
      }
      state.drawn += 1
      let entry = Entry(
        number: state.drawn, content: .work(Task.detached { try await draw() }), waiting: 1,
        lastUse: state.uses)
      state.entries[key] = entry
      return entry
    }
    let number = entry.number
    let task: Task<[[UInt8]], any Error>
    switch entry.content {
    case .files(let files): return files
    case .work(let work): task = work
    }
    return try await withTaskCancellationHandler {
      do {
        let files = try await task.value
        keep(key, number, files)
        return files
      } catch {
        forget(key, number)
        throw error
      }
    } onCancel: {
      state.withLock { state in
        guard var entry = state.entries[key], entry.number == number else { return }
        entry.waiting -= 1
        state.entries[key] = entry
        guard entry.waiting <= 0, case .work(let task) = entry.content else { return }
        task.cancel()
        // A later request must not get the cancelled work.
        state.entries[key] = nil
      }
    }
  }

  /// Returns the files of a block if they are kept.
  package func kept(_ key: Key) -> [[UInt8]]? {
    state.withLock { state in
      guard case .files(let files) = state.entries[key]?.content else { return nil }
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return files
    }
  }

  private func forget(_ key: Key, _ number: Int) {
    state.withLock { if $0.entries[key]?.number == number { $0.entries[key] = nil } }
  }

  private func keep(_ key: Key, _ number: Int, _ files: [[UInt8]]) {
    state.withLock { state in
      guard var entry = state.entries[key], entry.number == number, entry.bytes == nil else { return }
      state.uses += 1
      (entry.content, entry.lastUse) = (.files(files.map(\.fitted)), state.uses)
      state.entries[key] = entry
      state.bytes += (entry.bytes ?? 0) + key.state.utf8.count
      while state.bytes > limit,
        let oldest = state.entries.filter({ $0.value.bytes != nil }).min(by: {
          $0.value.lastUse < $1.value.lastUse
        })
      {
        state.bytes -= (oldest.value.bytes ?? 0) + oldest.key.state.utf8.count
        state.entries[oldest.key] = nil
      }
    }
  }
}

extension [UInt8] {
  /// The same bytes without room for more; an array that grew may hold twice its bytes.
  fileprivate var fitted: [UInt8] {
    guard capacity > count + count / 8 else { return self }
    var copy: [UInt8] = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}
