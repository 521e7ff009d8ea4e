import MapImages
import MapSystem
import MapTestSupport
import Testing

/// Animations: every image as it is shown equals the image that was given.
@Suite struct AnimationTests {
  /// Returns an image whose pixels have up to a number of colours, and are opaque or not.
  private static func image(
    _ width: Int, _ height: Int, colors: Int, opaque: Bool = true, using random: inout SeededGenerator
  ) throws -> Bitmap {
    var pixels: [UInt8] = []
    for _ in 0..<width * height {
      let color = UInt32.random(in: 0..<UInt32(colors), using: &random) &* 2_654_435_761
      let channels = [24, 16, 8].map { UInt8(truncatingIfNeeded: color >> $0) }
      pixels += channels + [opaque ? 255 : [0, 90, 255].randomElement(using: &random) ?? 0]
    }
    return try Bitmap(width: width, height: height, pixels: pixels)
  }

  /// Returns images in which the next one changes a part of the one before; the last one changes nothing.
  private static func images(colors: Int, opaque: Bool = true) throws -> [Bitmap] {
    var random = SeededGenerator(seed: UInt64(colors))
    var images = [try image(61, 37, colors: colors, opaque: opaque, using: &random)]
    for number in 0..<4 {
      var next = try #require(images.last)
      let part = try image(7 + number, 5, colors: colors, opaque: opaque, using: &random)
      next.replace(x: 13 * number + 1, y: 9 * number, by: part)
      images.append(next)
    }
    return images + [images[4]]
  }

  private static func patches(_ images: [Bitmap]) throws -> [ImagePatch] {
    try images.indices.map { index in
      index == 0 ? ImagePatch(images[0]) : try ImagePatch(from: images[index - 1], to: images[index])
    }
  }

  private static func gif(_ images: [Bitmap], _ timing: AnimationTiming = AnimationTiming()) throws -> [UInt8]
  {
    let encoder = GIFEncoder(width: images[0].width, height: images[0].height, timing)
    return try encoder.start + patches(images).flatMap { encoder.image($0) } + GIFEncoder.end
  }

  private static func colors(_ image: Bitmap) -> [UInt32] {
    (0..<image.width * image.height).map { pixel in
      let at = pixel * 4
      return UInt32(image.pixels[at]) << 16 | UInt32(image.pixels[at + 1]) << 8
        | UInt32(image.pixels[at + 2])
    }
  }

  @Test(
    "A GIF of images with up to 256 colours shows their pixels exactly", arguments: [1, 2, 3, 16, 100, 256])
  func exactGIF(count: Int) throws {
    let images = try Self.images(colors: count)
    let bytes = try Self.gif(images)
    let read = try #require(GIFReader(bytes))
    #expect(read.images.count == images.count && read.repetitions == 0)
    #expect(read.width == 61 && read.height == 37 && read.delays == Array(repeating: 50, count: 6))
    for (shown, image) in zip(read.images, images) { #expect(shown == Self.colors(image)) }
    #expect(try Self.gif(images) == bytes)
  }

  @Test("A GIF of more colours has 256 of them, each image near the given one, and areas keep their colour")
  func reducedGIF() throws {
    var random = SeededGenerator(seed: 9)
    var image = try Self.image(96, 64, colors: 3_000, using: &random)
    // Three quarters of the image are one colour.
    for row in 16..<64 {
      for column in 0..<96 { image[column, row] = PixelColor(red: 12, green: 34, blue: 56) }
    }
    let read = try #require(GIFReader(try Self.gif([image])))
    #expect(read.paletteSizes == [256])
    var (sum, wrong) = (0, 0)
    for (shown, given) in zip(try #require(read.images.first), Self.colors(image)) {
      let shown = try #require(shown)
      if given == 0x0C_2238, shown != given { wrong += 1 }
      for shift in [UInt32(0), 8, 16] {
        sum += abs(Int(shown >> shift & 255) - Int(given >> shift & 255))
      }
    }
    #expect(wrong == 0)
    // Random colours in 255 boxes are about 10 of 255 off, in a quarter of the image.
    #expect(sum < 3 * 96 * 16 * 14, "\(sum)")
  }

  /// Runs through full tables of codes, which begin again.
  @Test("Long images with few and with many repetitions are exact", arguments: [2, 200])
  func longGIF(count: Int) throws {
    var random = SeededGenerator(seed: 4)
    let noise = try Self.image(300, 200, colors: count, using: &random)
    let plain = try Bitmap(width: 900, height: 400, pixels: Array(repeating: 255, count: 900 * 400 * 4))
    for image in [noise, plain] {
      let read = try #require(GIFReader(try Self.gif([image])))
      #expect(read.images == [Self.colors(image)])
    }
  }

  @Test("A GIF states how often it plays, and its times", arguments: [(0, 0 as Int?), (1, nil), (4, 3)])
  func timing(plays: Int, repetitions: Int?) throws {
    var timing = AnimationTiming()
    (timing.milliseconds, timing.plays) = (126, plays)
    let read = try #require(GIFReader(try Self.gif(Self.images(colors: 4), timing)))
    #expect(read.repetitions == repetitions && Set(read.delays) == [13])
  }

  @Test("Images of other sizes are refused")
  func sizes() throws {
    let (small, large) = (try Bitmap(width: 2, height: 2), try Bitmap(width: 2, height: 3))
    #expect(throws: MapStateError.self) { try ImagePatch(from: small, to: large) }
  }

  @Test("A patch has all changes and begins at even columns and rows", arguments: [true, false])
  func patch(opaque: Bool) throws {
    let images = try Self.images(colors: 50, opaque: opaque)
    for (patch, pair) in zip(try Self.patches(images).dropFirst(), zip(images, images.dropFirst())) {
      #expect(patch.x % 2 == 0 && patch.y % 2 == 0)
      #expect(!opaque || patch.isBlended)
      #expect(Self.shown(patch, over: pair.0) == pair.1)
    }
    let same = try ImagePatch(from: images[0], to: images[0])
    #expect(same.pixels.width == 1 && same.pixels.height == 1 && same.isBlended)
  }

  /// Returns an image with a patch over it.
  private static func shown(_ patch: ImagePatch, over image: Bitmap) -> Bitmap {
    var image = image
    for y in 0..<patch.pixels.height {
      for x in 0..<patch.pixels.width where !patch.isBlended || patch.pixels[x, y].alpha > 0 {
        image[patch.x + x, patch.y + y] = patch.pixels[x, y]
      }
    }
    return image
  }

  @Test("An APNG shows the pixels of its images, also transparent ones", arguments: [true, false])
  func apng(opaque: Bool) throws {
    let images = try Self.images(colors: 5_000, opaque: opaque)
    let encoder = APNGEncoder(width: 61, height: 37, count: images.count, AnimationTiming())
    var bytes = encoder.start(dotsPerInch: 96)
    for (number, patch) in try Self.patches(images).enumerated() {
      bytes += try encoder.image(patch, number: number)
    }
    bytes += APNGEncoder.end
    // A reader that knows no animations shows the first image.
    #expect(try Bitmap(pngData: bytes) == images[0])
    let chunks = Self.chunks(of: bytes)
    #expect(chunks.map(\.name).prefix(5) == ["IHDR", "pHYs", "acTL", "fcTL", "IDAT"])
    #expect(Self.number(chunks[2].content, 0) == images.count && Self.number(chunks[2].content, 4) == 0)
    let numbered = chunks.filter { ["fcTL", "fdAT"].contains($0.name) }.map { Self.number($0.content, 0) }
    #expect(numbered == Array(0..<2 * images.count - 1))
    let controls = chunks.filter { $0.name == "fcTL" }.map(\.content)
    let data = chunks.filter { ["IDAT", "fdAT"].contains($0.name) }
    try #require(controls.count == images.count && data.count == images.count)
    var canvas = try Bitmap(width: 61, height: 37)
    for (image, (control, chunk)) in zip(images, zip(controls, data)) {
      let content = chunk.name == "IDAT" ? chunk.content : Array(chunk.content.dropFirst(4))
      let part = try Bitmap(
        pngData: Self.png(size: Array(control[4..<12]), content))
      let (x, y) = (Self.number(control, 12), Self.number(control, 16))
      for row in 0..<part.height {
        for column in 0..<part.width where control[25] == 0 || part[column, row].alpha > 0 {
          canvas[x + column, y + row] = part[column, row]
        }
      }
      #expect(canvas == image)
      // 500 of 1,000 parts of a second; the image stays below the next one.
      #expect(Array(control[20..<25]) == [1, 244, 3, 232, 0])
    }
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func chunks(of bytes: [UInt8]) -> [(name: String, content: [UInt8])] {
    var (chunks, place): ([(name: String, content: [UInt8])], Int) = ([], 8)
    while place + 12 <= bytes.count {
      let count = number(bytes, place)
      let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      chunks.append((name, Array(bytes[place + 8..<place + 8 + count])))
      place += 12 + count
    }
    return chunks
  }

  /// Returns a PNG of RGBA with a size and compressed pixels.
  private static func png(size: [UInt8], _ data: [UInt8]) -> [UInt8] {
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    for (name, content) in [("IHDR", size + [8, 6, 0, 0, 0]), ("IDAT", data), ("IEND", [])] {
      let chunk = Array(name.utf8) + content
      png += bytes(UInt32(content.count)) + chunk + bytes(checksum(chunk))
    }
    return png
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Returns the checksum of a chunk (ISO/IEC 15948, annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
      }
    }
  }
}
