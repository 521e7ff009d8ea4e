import MapDrawing
import MapModel
import MapStyleDrawing
import MapStyles
import MapSystem
import Synchronization

/// The images and fonts of a style, which its drawings share.
struct StyleResources: Sendable {
  /// The images of the sprites.
  private(set) var images = StyleImages()
  /// The fonts with the texts that were shaped before; nil without the trait Labels.
  private(set) var fonts: SymbolFonts?
  /// The reasons for images and glyph files that cannot be read.
  private(set) var problems: [String] = []

  private struct Entry {
    let sprites: StyleSprites
    let isDouble: Bool
    let fonts: [FontFile]
    let resources: StyleResources
  }

  /// The resources that were used last, first the newest.
  private static let last = Mutex<[Entry]>([])
  /// The greatest number of resources that are kept.
  ///
  /// - Source: design decision; a map has few styles.
  private static let limit = 4

  /// Returns the resources of a style for a pixel ratio and fonts of the user.
  static func of(_ style: MapStyle, pixelRatio: Double, fonts: [FontFile]) -> StyleResources {
    let isDouble = pixelRatio > 1
    let known = last.withLock { last in
      last.first { $0.sprites === style.sprites && $0.isDouble == isDouble && $0.fonts == fonts }?.resources
    }
    if let known { return known }
    let resources = StyleResources(style, pixelRatio: pixelRatio, fonts: fonts)
    last.withLock { last in
      last.insert(
        Entry(sprites: style.sprites, isDouble: isDouble, fonts: fonts, resources: resources), at: 0)
      if last.count > limit { last.removeLast() }
    }
    return resources
  }

  private init(_ style: MapStyle, pixelRatio: Double, fonts: [FontFile]) {
    let (sprites, found) = style.sprites.sprites(for: pixelRatio)
    problems = found + (style.glyphProblem.map { [$0] } ?? [])
    var read: Set<String> = []
    for sprite in sprites {
      do {
        images.add(
          try StyleImages(
            json: sprite.index, bitmap: sprite.bitmap, prefix: sprite.prefix, pixelRatio: sprite.pixelRatio))
        read.insert(sprite.prefix)
      } catch {
        problems.append("the images of the style cannot be read: \(error)")
      }
    }
    for sprite in style.document.sprites where !read.contains(sprite.id) {
      images.addUnread(prefix: sprite.id)
    }
    problems += images.problems
    self.fonts = TextEngine.measurer(fonts).map {
      SymbolFonts(measurer: $0, families: fonts.map(\.family), images: images, glyphs: style.glyphs)
    }
  }
}
