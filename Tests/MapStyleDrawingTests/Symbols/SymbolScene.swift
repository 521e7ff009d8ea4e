import Glibc
import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import MapTestSupport
import Testing

/// Features on a plane of 3 × 3 tiles of zoom 14, each 512 CSS pixels wide, in a view of the middle of the plane.
struct SymbolScene {
  /// A feature with vertices in CSS pixels of the plane.
  struct Feature {
    var kind: GeometryKind
    var vertices: [(x: Double, y: Double)]
    var properties: [String: StyleValue]
  }

  static let tileSide = 512.0
  static let extent = 4096.0
  /// The distance beyond the sides of a tile up to which it repeats the features of others, in CSS pixels.
  static let buffer = 32.0

  var features: [Feature] = []
  var width = 800.0
  var height = 600.0
  var zoom = 14.0
  var bearing = 0.0
  var pixelRatio = 1.0
  var images = StyleImages()

  /// Letters that are half an em wide, with a square from the baseline to half an em above it.
  static let measurer = TextMeasurer(
    shapeSections: { sections in
      let line = sections.map(\.text).joined()
      let glyphs = line.unicodeScalars.enumerated().map { index, scalar in
        ShapedLine.Glyph(glyph: scalar.value, x: Double(index) / 2, y: 0, advance: 0.5, character: index)
      }
      return ShapedLine(glyphs: glyphs, advance: Double(glyphs.count) / 2)
    },
    outline: { glyph, _ in
      guard glyph != 0x20 else { return GlyphOutline(steps: []) }
      return GlyphOutline(steps: [
        .move(x: 0, y: 0), .line(x: 0.5, y: 0), .line(x: 0.5, y: 0.5), .line(x: 0, y: 0.5), .close,
      ])
    })

  mutating func addPoint(_ x: Double, _ y: Double, _ name: String, _ more: [String: StyleValue] = [:]) {
    features.append(
      Feature(
        kind: .multipoint, vertices: [(x, y)],
        properties: ["name": .string(name)].merging(more) { $1 }))
  }

  mutating func addLine(_ vertices: [(Double, Double)], _ name: String, _ more: [String: StyleValue] = [:]) {
    features.append(
      Feature(
        kind: .polyline, vertices: vertices.map { ($0.0, $0.1) },
        properties: ["name": .string(name)].merging(more) { $1 }))
  }

  /// Returns the output pixel of a point on the plane.
  func pixel(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let scale = exp2(zoom - zoom.rounded(.down)) * pixelRatio
    let middle = 1.5 * Self.tileSide
    let (dx, dy) = ((x - middle) * scale, (y - middle) * scale)
    let angle = bearing * .pi / 180
    return (
      dx * cos(angle) - dy * sin(angle) + width * pixelRatio / 2,
      dx * sin(angle) + dy * cos(angle) + height * pixelRatio / 2
    )
  }

  /// The tiles, each with the features that reach into it or its buffer.
  var tiles: [StyledTile] {
    (0..<9).map { number in tile(column: number % 3, row: number / 3) }
  }

  private func tile(column: Int, row: Int) -> StyledTile {
    let (left, top) = (Double(column) * Self.tileSide, Double(row) * Self.tileSide)
    let near = -Self.buffer...Self.tileSide + Self.buffer
    let rows = features.indices.filter { index in
      let xs = features[index].vertices.map { $0.x - left }
      let ys = features[index].vertices.map { $0.y - top }
      guard let x0 = xs.min(), let x1 = xs.max(), let y0 = ys.min(), let y1 = ys.max() else { return false }
      return x1 >= near.lowerBound && x0 <= near.upperBound && y1 >= near.lowerBound && y0 <= near.upperBound
    }
    let names = Set(features.flatMap(\.properties.keys)).sorted()
    let columns = names.map { name in
      (
        name: name, codes: rows.indices.map { features[rows[$0]].properties[name] == nil ? -1 : Int32($0) },
        values: rows.map { features[$0].properties[name] ?? .null }
      )
    }
    var (geometries, pixels): ([CoordinateBuffer], [CoordinateBuffer]) = ([], [])
    for kind in [GeometryKind.multipoint, .polyline, .polygon] {
      var (units, own) = (CoordinateBuffer(kind: kind), CoordinateBuffer(kind: kind))
      for index in rows {
        for vertex in features[index].kind == kind ? features[index].vertices : [] {
          let scale = Self.extent / Self.tileSide
          // Tiles have whole units.
          let (x, y) = (((vertex.x - left) * scale).rounded(), ((vertex.y - top) * scale).rounded())
          let place = pixel(left + x / scale, top + y / scale)
          units.appendVertex(x: x, y: y)
          own.appendVertex(x: place.x, y: place.y)
        }
        units.endPart()
        own.endPart()
        units.endRow()
        own.endRow()
      }
      geometries.append(units)
      pixels.append(own)
    }
    let kinds = rows.map { index -> StyleGeometryKind in
      switch features[index].kind {
      case .polygon: .polygon
      case .polyline: .line
      case .point, .multipoint: .point
      }
    }
    let corner = pixel(left, top)
    let scale = exp2(zoom - zoom.rounded(.down)) * pixelRatio
    return StyledTile(
      index: StyleTile(zoom: 14, x: column, y: row), corner: corner,
      region: PixelRegion(columns: 0..<Int(width * pixelRatio), rows: 0..<Int(height * pixelRatio)),
      unitsPerPixel: Self.extent / (Self.tileSide * scale), bearing: bearing,
      layers: [
        "things": StyledTileLayer(
          features: StyleFeatures(kinds: kinds, coded: columns), geometries: geometries, extent: Self.extent,
          pixels: pixels, ids: rows.map { Int32($0) })
      ])
  }

  /// Returns the layer with some properties, whose texts are the names.
  static func layer(
    _ layout: JSONObject, paint: JSONObject = [:], id: String = "a", text: JSONValue? = ["get", "name"]
  ) throws -> StyleLayer {
    var own: JSONObject = [:]
    if let text { own["text-field"] = text }
    for member in layout.members { own[member.name] = member.value }
    let style = try StyleDocument([
      "version": 8, "sources": ["s": ["type": "vector", "url": "x"]], "glyphs": "{fontstack}/{range}",
      "layers": [
        [
          "id": .string(id), "type": "symbol", "source": "s", "source-layer": "things",
          "layout": .object(own),
          "paint": .object(paint),
        ]
      ],
    ])
    return try #require(style.layers.first)
  }

  /// Returns the candidates of a layer.
  func candidates(_ layer: StyleLayer, tiles: [StyledTile]? = nil) -> SymbolCandidates {
    let painter = StylePainter(
      context: StyleContext(zoom: zoom), pixelRatio: pixelRatio, width: Int(width * pixelRatio),
      height: Int(height * pixelRatio), images: images)
    let fonts = SymbolFonts(measurer: Self.measurer, images: images)
    return painter.symbols(of: layer, tiles: tiles ?? self.tiles, fonts: fonts)
  }

  func placement(occupied: [LabelBox] = []) -> SymbolPlacement {
    SymbolPlacement(
      width: Int(width * pixelRatio), height: Int(height * pixelRatio), pixelRatio: pixelRatio,
      occupied: occupied)
  }

  /// Returns the drawing of a layer that is placed alone.
  func drawing(
    _ layout: JSONObject, paint: JSONObject = [:], text: JSONValue? = ["get", "name"],
    tiles: [StyledTile]? = nil, occupied: [LabelBox] = [], staysInside: Bool = false
  ) throws -> StyleLayerDrawing {
    var placement = placement(occupied: occupied)
    return placement.place(
      candidates(try Self.layer(layout, paint: paint, text: text), tiles: tiles), staysInside: staysInside)
  }

  /// Adds random points, and lines of several bends, of some names.
  mutating func addRandom(points: Int, lines: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let plane = 3 * Self.tileSide
    for number in 0..<points {
      addPoint(
        .random(in: 0..<plane, using: &random), .random(in: 0..<plane, using: &random),
        "Point \(number)" + String(repeating: "x", count: .random(in: 0...12, using: &random)),
        ["rank": .number(Double(Int.random(in: 0..<5, using: &random)))])
    }
    for number in 0..<lines {
      var (x, y) = (
        Double.random(in: 0..<plane, using: &random), Double.random(in: 0..<plane, using: &random)
      )
      var angle = Double.random(in: 0..<2 * .pi, using: &random)
      var vertices = [(x, y)]
      for _ in 0..<Int.random(in: 2...12, using: &random) {
        angle += .random(in: -0.3...0.3, using: &random)
        let step = Double.random(in: 20...120, using: &random)
        (x, y) = (x + step * cos(angle), y + step * sin(angle))
        vertices.append((x, y))
      }
      addLine(vertices, "Street \(number % 20)")
    }
  }

  /// An image of one colour for icons.
  static func images(_ names: [String], width: Int = 16, height: Int = 16) throws -> StyleImages {
    let pixels = [UInt8](repeating: 255, count: 4 * width * height)
    let entry: JSONValue = [
      "x": 0, "y": 0, "width": .number(JSONNumber(width)), "height": .number(JSONNumber(height)),
      "pixelRatio": 1,
    ]
    var index: JSONObject = [:]
    for name in names { index[name] = entry }
    return try StyleImages(json: .object(index), bitmap: Bitmap(width: width, height: height, pixels: pixels))
  }
}

extension StyleLayerDrawing {
  /// The texts of all batches.
  var texts: [LabelItem] {
    batches.flatMap { if case .labels(let labels) = $0 { labels.items } else { [LabelItem]() } }
  }

  /// The squares of the letters of each text in pixels, with some distance from their sides.
  func letterBoxes(inset: Double = 0) -> [(text: String, boxes: [[(x: Double, y: Double)]])] {
    batches.flatMap { batch -> [(text: String, boxes: [[(x: Double, y: Double)]])] in
      guard case .labels(let labels) = batch else { return [] }
      return labels.items.map { item in
        let size = labels.styles[Int(item.style)].size
        let boxes = item.glyphs.compactMap { glyph -> [(x: Double, y: Double)]? in
          guard labels.outlines[Int(glyph.outline)].bounds != nil else { return nil }
          let (near, far) = (inset, 0.5 - inset)
          return [(near, near), (far, near), (far, far), (near, far)].map { x, y in
            (
              glyph.x + size * (x * glyph.directionX + y * glyph.directionY),
              glyph.y + size * (x * glyph.directionY - y * glyph.directionX)
            )
          }
        }
        return (item.text, boxes)
      }
    }
  }

  /// The middle of the letters of the text with a name; nil for one that is not shown.
  func middle(of name: String) -> (x: Double, y: Double)? {
    guard let boxes = letterBoxes().first(where: { $0.text == name })?.boxes.joined(), !boxes.isEmpty else {
      return nil
    }
    let (xs, ys) = (boxes.map(\.x), boxes.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
      return nil
    }
    return ((left + right) / 2, (top + bottom) / 2)
  }
}

/// Returns whether two convex polygons share area.
func overlap(_ first: [(x: Double, y: Double)], _ second: [(x: Double, y: Double)]) -> Bool {
  for (a, b) in [(first, second), (second, first)] {
    for index in a.indices {
      let (p, q) = (a[index], a[(index + 1) % a.count])
      let (nx, ny) = (q.y - p.y, p.x - q.x)
      func range(_ polygon: [(x: Double, y: Double)]) -> (Double, Double) {
        let values = polygon.map { $0.x * nx + $0.y * ny }
        return (values.min() ?? 0, values.max() ?? 0)
      }
      let (ra, rb) = (range(a), range(b))
      if ra.1 <= rb.0 + 1e-9 || rb.1 <= ra.0 + 1e-9 { return false }
    }
  }
  return true
}
