import MapImages
import MapModel
import MapSnapshots
import MapState
import MapSystem
import MapTestSupport
import MapTiles

/// Images: any bytes are a PNG that stays the same when written, or are refused.
enum SubjectImages {
  static func png(_ bytes: [UInt8]) -> Bool {
    var isRead = false
    for bytes in [bytes, withChecksums(bytes)] {
      guard let bitmap = try? PNGCodec.decode(bytes, maximumPixels: 1 << 20) else { continue }
      guard let written = try? bitmap.pngData() else { fatalError("an image that was read is not written") }
      precondition((try? Bitmap(pngData: written)) == bitmap)
      isRead = true
    }
    return isRead
  }

  /// Opens an archive of tiles and reads some tiles.
  static func pmTiles(_ bytes: [UInt8], folder: String) async -> Bool {
    let path = "\(folder)/fuzzed.pmtiles"
    guard (try? FileAccess.write(bytes, to: path)) != nil, let tiles = try? TileFile.open(path) else {
      return false
    }
    let asked = [(0, 0, 0), (1, 1, 0), (2, 3, 3), (14, 9000, 5000)].map {
      TileIndex(zoom: $0.0, column: $0.1, row: $0.2)
    }
    let images = await tiles.images(at: asked)
    precondition(images.count == asked.count)
    return true
  }

  /// Reads the description of a server's tiles, and makes the addresses of some tiles.
  static func tileDescription(_ bytes: [UInt8]) -> Bool {
    let served = try? ServedTiles.read(
      bytes, at: "https://example.com/tiles", layer: nil, operations: .installed)
    guard let served else { return false }
    for level in served.scheme.levels {
      _ = served.scheme.columnsAroundWorld(level)
      for number in [0, 1, -5, 1 << 40] {
        _ = served.template.place(of: TileIndex(zoom: level.zoom, column: number, row: -number))
      }
    }
    return true
  }

  /// The same bytes with correct chunk checksums; otherwise no change would reach the decoder.
  private static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var start = 8
    while start + 12 <= result.count {
      let length = result[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= result.count - start - 12 else { break }
      let end = start + 8 + length
      let checksum = StoredArchive.checksum(result[start + 4..<end])
      for index in 0..<4 { result[end + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * index)) }
      start = end + 4
    }
    return result
  }
}
