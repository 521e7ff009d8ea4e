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
  private let style: MapStyle
  private let isDouble: Bool
  /// The font files of the user.
  private let files: [FontFile]
  /// The version of the style's glyph files that the fonts use.
  private var glyphVersion = 0

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
  static func of(_ style: MapStyle, pixelRatio: Double, fonts: [FontFile]) async -> StyleResources {
    let isDouble = pixelRatio > 1
    let known = last.withLock { last in
      last.first { $0.sprites === style.sprites && $0.isDouble == isDouble && $0.fonts == fonts }?.resources
    }
    if let known { return known }
    style.glyphs?.forgetFailures()
    let resources = await StyleResources(style, pixelRatio: pixelRatio, fonts: fonts)
    resources.keep()
    return resources
  }

  /// Returns the resources with the glyph files that drawings have missed, which are read first; nil if there are none.
  ///
  /// The fonts have none of the texts that were shaped before.
  func withMissedGlyphs() async -> StyleResources? {
    guard let glyphs = style.glyphs else { return nil }
    guard await glyphs.readMissed() || glyphs.version != glyphVersion else { return nil }
    var resources = self
    resources.renewFonts()
    resources.keep()
    return resources
  }

  /// Keeps the resources for other drawings; not those with faults that another image may not have.
  private func keep() {
    let isKept = !style.sprites.isServed || problems.isEmpty
    let entry = Entry(sprites: style.sprites, isDouble: isDouble, fonts: files, resources: self)
    Self.last.withLock { last in
      last.removeAll {
        $0.sprites === style.sprites && $0.isDouble == isDouble && $0.fonts == files
      }
      if isKept { last.insert(entry, at: 0) }
      if last.count > Self.limit { last.removeLast() }
    }
  }

  private mutating func renewFonts() {
    let images = images
    var bytes: (@Sendable (String, Int) throws -> [UInt8]?)?
    if let glyphs = style.glyphs {
      glyphVersion = glyphs.version
      bytes = { stack, range in try glyphs.bytes(stack: stack, range: range) }
    }
    fonts = TextEngine.measurer(files).map { measurer in
      SymbolFonts(measurer: measurer, families: files.map(\.family), images: images, glyphs: bytes)
    }
  }

  private init(_ style: MapStyle, pixelRatio: Double, fonts: [FontFile]) async {
    (self.style, isDouble, files) = (style, pixelRatio > 1, fonts)
    let (sprites, found) = await style.sprites.sprites(for: pixelRatio)
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
    renewFonts()
  }
}
