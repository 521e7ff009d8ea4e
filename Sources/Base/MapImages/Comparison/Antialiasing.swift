/// A detector of pixels that anti-aliasing produced.
///
/// The pixel has a darker and a brighter neighbour and at most two neighbours of its own brightness. In addition, its
/// darkest or its brightest neighbour lies in an even area of both images.
///
/// - Source: V. Vyšniauskas, "Anti-aliased pixel and intensity slope detector", 2009, as implemented in pixelmatch
///   7.1.
struct Antialiasing {
  let width: Int
  let height: Int

  /// Returns whether anti-aliasing in either image may have produced the pixel.
  func explains(x: Int, y: Int, _ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    made(x: x, y: y, a, b) || made(x: x, y: y, b, a)
  }

  private func made(x: Int, y: Int, _ picture: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    // Neighbours of the same colour have the same brightness, so this quick test decides most pixels, which lie in
    // even areas.
    if isEven(x, y, picture) { return false }
    let (columns, rows) = (around(x, width), around(y, height))
    var equal = isAtEdge(x, y) ? 1 : 0
    var (darkest, brightest) = (0.0, 0.0)
    var (dark, bright) = ((x: 0, y: 0), (x: 0, y: 0))
    for column in columns {
      for row in rows where column != x || row != y {
        let step = PerceivedDifference(picture, y * width + x, picture, row * width + column).brightness
        if step == 0 {
          equal += 1
          if equal > 2 { return false }
        } else if step < darkest {
          (darkest, dark) = (step, (column, row))
        } else if step > brightest {
          (brightest, bright) = (step, (column, row))
        }
      }
    }
    guard darkest < 0, brightest > 0 else { return false }
    return (isEven(dark.x, dark.y, picture) && isEven(dark.x, dark.y, other))
      || (isEven(bright.x, bright.y, picture) && isEven(bright.x, bright.y, other))
  }

  /// Returns whether three or more neighbours have the pixel's colour; the edge of the image counts as one.
  private func isEven(_ x: Int, _ y: Int, _ picture: Span<UInt8>) -> Bool {
    var equal = isAtEdge(x, y) ? 1 : 0
    let at = (y * width + x) * 4
    for row in max(y &- 1, 0)..<min(y &+ 2, height) {
      for column in max(x &- 1, 0)..<min(x &+ 2, width) {
        let next = (row &* width &+ column) &* 4
        if picture[at] == picture[next], picture[at + 1] == picture[next + 1],
          picture[at + 2] == picture[next + 2], picture[at + 3] == picture[next + 3]
        {
          equal &+= 1
          // The pixel itself is counted too.
          if equal > 3 { return true }
        }
      }
    }
    return false
  }

  private func around(_ place: Int, _ count: Int) -> ClosedRange<Int> {
    max(place - 1, 0)...min(place + 1, count - 1)
  }

  private func isAtEdge(_ x: Int, _ y: Int) -> Bool {
    x == 0 || y == 0 || x == width - 1 || y == height - 1
  }
}
