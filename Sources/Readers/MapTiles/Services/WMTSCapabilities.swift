import MapFeatures
import MapGeometry
import MapModel
import MapReaders

/// The capabilities of a Web Map Tile Service: its layers, and its grids of tiles.
///
/// - Source: OGC Web Map Tile Service 1.0.0 (07-057r7).
struct WMTSCapabilities: Sendable {
  /// A layer.
  private struct Layer {
    var name = ""
    var title = ""
    /// West, south, east and north in degrees; nil if unknown.
    var bounds: [Double]?
    /// The default style, or else the first.
    var style = ""
    var formats: [String] = []
    var sets: [String] = []
    /// The templates of tiles by format.
    var templates: [(format: String, text: String)] = []
    var dimensions: [(name: String, value: String)] = []
  }

  /// A grid.
  private struct MatrixSet {
    var name = ""
    var reference = ""
    var matrices: [Matrix] = []
  }

  /// A level of a grid.
  private struct Matrix {
    var name = ""
    var scale = 0.0
    var corner: [Double] = []
    var width = 0
    var height = 0
    var columns = 0
    var rows = 0
  }

  /// The greatest number of layers, grids, and levels of a grid.
  private static let most = 10_000
  /// The formats that can be drawn, in the order of preference.
  private static let formats = ["image/png", "image/webp", "image/jpeg", "image/jpg"]
  /// The size of a pixel in metres at which scale denominators are stated.
  ///
  /// - Source: OGC 07-057r7, 6.1.
  private static let pixel = 0.00028

  private let address: String
  private var layers: [Layer] = []
  private var sets: [MatrixSet] = []
  private var provider = ""
  /// The address for requests with parameters; empty for none.
  private var parameters = ""

  /// Reads capabilities.
  ///
  /// - Throws: ``TileFileError`` for other XML.
  init(_ bytes: [UInt8], at address: String) throws(TileFileError) {
    self.address = address
    do {
      var scanner = XMLScanner(bytes)
      guard try scanner.next() == .start, scanner.name == "Capabilities" else {
        throw TileFileError(address, "is XML, but not the capabilities of a WMTS service")
      }
      try readRoot(&scanner)
    } catch let error as TileFileError { throw error } catch {
      throw TileFileError(address, "\(FeatureReadError(error, in: bytes))")
    }
  }

  // MARK: Reading

  private mutating func readRoot(_ scanner: inout XMLScanner) throws(ReadFault) {
    try scanner.elements { scanner throws(ReadFault) in
      switch scanner.name {
      case "ServiceProvider":
        try scanner.elements { scanner throws(ReadFault) in
          if scanner.name == "ProviderName" { provider = try Self.text(&scanner) }
        }
      case "OperationsMetadata": try readOperations(&scanner)
      case "Contents":
        try scanner.elements { scanner throws(ReadFault) in
          switch scanner.name {
          case "Layer" where layers.count < Self.most: layers.append(try Self.layer(&scanner))
          case "TileMatrixSet" where sets.count < Self.most: sets.append(try Self.matrixSet(&scanner))
          default: break
          }
        }
      default: break
      }
    }
  }

  private mutating func readOperations(_ scanner: inout XMLScanner) throws(ReadFault) {
    try scanner.elements { scanner throws(ReadFault) in
      guard scanner.name == "Operation", try scanner.attribute("name") == "GetTile" else { return }
      try scanner.elements { scanner throws(ReadFault) in
        guard scanner.name == "DCP" else { return }
        try scanner.elements { scanner throws(ReadFault) in
          guard scanner.name == "HTTP" else { return }
          try scanner.elements { scanner throws(ReadFault) in
            guard scanner.name == "Get", let link = try scanner.attribute("href") else { return }
            // Without a list of encodings, the operation takes parameters.
            var encodings: [String] = []
            try scanner.elements { scanner throws(ReadFault) in
              guard scanner.name == "Constraint" else { return }
              try scanner.elements { scanner throws(ReadFault) in
                guard scanner.name == "AllowedValues" else { return }
                try scanner.elements { scanner throws(ReadFault) in
                  if encodings.count < 10 { encodings.append(try Self.text(&scanner)) }
                }
              }
            }
            if parameters.isEmpty, encodings.isEmpty || encodings.contains("KVP") { parameters = link }
          }
        }
      }
    }
  }

  private static func layer(_ scanner: inout XMLScanner) throws(ReadFault) -> Layer {
    var layer = Layer()
    try scanner.elements { scanner throws(ReadFault) in
      switch scanner.name {
      case "Identifier": layer.name = try text(&scanner)
      case "Title": layer.title = try text(&scanner)
      case "Format" where layer.formats.count < most: layer.formats.append(try text(&scanner))
      case "WGS84BoundingBox":
        var (low, high): ([Double], [Double]) = ([], [])
        try scanner.elements { scanner throws(ReadFault) in
          if scanner.name == "LowerCorner" { low = numbers(try text(&scanner)) }
          if scanner.name == "UpperCorner" { high = numbers(try text(&scanner)) }
        }
        layer.bounds = low.count == 2 && high.count == 2 ? low + high : nil
      case "Style":
        let isDefault = try scanner.attribute("isDefault") == "true"
        try scanner.elements { scanner throws(ReadFault) in
          guard scanner.name == "Identifier" else { return }
          let name = try text(&scanner)
          if isDefault || layer.style.isEmpty { layer.style = name }
        }
      case "TileMatrixSetLink" where layer.sets.count < most:
        try scanner.elements { scanner throws(ReadFault) in
          if scanner.name == "TileMatrixSet" { layer.sets.append(try text(&scanner)) }
        }
      case "ResourceURL" where layer.templates.count < most:
        guard try scanner.attribute("resourceType") == "tile", let text = try scanner.attribute("template")
        else { return }
        layer.templates.append((try scanner.attribute("format") ?? "", text))
      case "Dimension" where layer.dimensions.count < most:
        var (name, value) = ("", "")
        try scanner.elements { scanner throws(ReadFault) in
          if scanner.name == "Identifier" { name = try text(&scanner) }
          if scanner.name == "Default" { value = try text(&scanner) }
        }
        layer.dimensions.append((name, value))
      default: break
      }
    }
    return layer
  }

  private static func matrixSet(_ scanner: inout XMLScanner) throws(ReadFault) -> MatrixSet {
    var set = MatrixSet()
    try scanner.elements { scanner throws(ReadFault) in
      switch scanner.name {
      case "Identifier": set.name = try text(&scanner)
      case "SupportedCRS": set.reference = try text(&scanner)
      case "TileMatrix" where set.matrices.count < most:
        var matrix = Matrix()
        try scanner.elements { scanner throws(ReadFault) in
          switch scanner.name {
          case "Identifier": matrix.name = try text(&scanner)
          case "ScaleDenominator": matrix.scale = Double(try text(&scanner)) ?? 0
          case "TopLeftCorner": matrix.corner = numbers(try text(&scanner))
          case "TileWidth": matrix.width = Int(try text(&scanner)) ?? 0
          case "TileHeight": matrix.height = Int(try text(&scanner)) ?? 0
          case "MatrixWidth": matrix.columns = Int(try text(&scanner)) ?? 0
          case "MatrixHeight": matrix.rows = Int(try text(&scanner)) ?? 0
          default: break
          }
        }
        set.matrices.append(matrix)
      default: break
      }
    }
    return set
  }

  private static func text(_ scanner: inout XMLScanner) throws(ReadFault) -> String {
    let text = String(decoding: try scanner.elementText(), as: UTF8.self)
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func numbers(_ text: String) -> [Double] {
    text.split(separator: " ").compactMap { Double($0) }
  }

  // MARK: Choosing

  /// Returns the tiles of a layer, in Web Mercator if it has them.
  ///
  /// - Parameters:
  ///   - wanted: the identifier or title of the layer; nil for the first.
  ///   - set: the identifier of the grid; nil for any.
  ///   - custom: the parameters that are added to the address of each tile.
  /// - Throws: ``TileFileError``.
  func tiles(
    of wanted: String?, set named: String?, adding custom: [(name: String, value: String)],
    operations: SpatialOperations
  ) throws(TileFileError) -> ServedTiles {
    guard let layer = layers.first(where: { wanted == nil || $0.name == wanted || $0.title == wanted }) else {
      let names = layers.prefix(10).map(\.name).joined(separator: ", ") + (layers.count > 10 ? ", …" : "")
      throw TileFileError(
        address, wanted.map { "has no layer \"\($0)\"; its layers are \(names)" } ?? "has no layers")
    }
    if let named, !layer.sets.contains(named) {
      throw TileFileError(
        address,
        "layer \"\(layer.name)\" has no tile matrix set \"\(named)\"; its sets are "
          + layer.sets.prefix(10).joined(separator: ", "))
    }
    let own = layer.sets.filter { $0 == named ?? $0 }.compactMap { name in sets.first { $0.name == name } }
    let schemes = own.lazy.compactMap { set in
      scheme(of: set, layer, operations).map { (set: set, scheme: $0.scheme, levels: $0.levels) }
    }
    guard let found = schemes.first(where: { $0.scheme.reference == .webMercator }) ?? schemes.first else {
      throw TileFileError(
        address,
        "layer \"\(layer.name)\" has no tile grid that can be drawn: its levels must have one corner and one size of square tiles"
      )
    }
    var metadata = TileMetadata()
    metadata.name = layer.title.isEmpty ? layer.name : layer.title
    metadata.attribution = TileMetadata.plain(provider)
    return ServedTiles(
      template: try template(of: layer, set: found.set.name, levels: found.levels, adding: custom),
      scheme: found.scheme,
      metadata: metadata)
  }

  private func template(
    of layer: Layer, set: String, levels: [Int: String], adding custom: [(name: String, value: String)]
  ) throws(TileFileError) -> TileTemplate {
    for format in Self.formats {
      guard var text = layer.templates.first(where: { $0.format.hasPrefix(format) })?.text else { continue }
      for (name, value) in [("TileMatrixSet", set), ("Style", layer.style), ("style", layer.style)]
        + layer.dimensions.map({ ($0.name, $0.value) })
      {
        text = text.replacing("{\(name)}", with: Self.encoded(value))
      }
      return try TileTemplate(TileTemplate.adding(custom, to: text), levels: levels)
    }
    guard
      let format = Self.formats.first(where: { wanted in layer.formats.contains { $0.hasPrefix(wanted) } }),
      !parameters.isEmpty
    else {
      throw TileFileError(address, "layer \"\(layer.name)\" has no tiles in PNG, WebP or JPEG")
    }
    var values = [
      ("SERVICE", "WMTS"), ("REQUEST", "GetTile"), ("VERSION", "1.0.0"), ("LAYER", layer.name),
      ("STYLE", layer.style), ("FORMAT", format), ("TILEMATRIXSET", set),
    ]
    values += layer.dimensions.map { ($0.name, $0.value) }
    var text = parameters
    text +=
      parameters.contains("?") ? (parameters.hasSuffix("?") || parameters.hasSuffix("&") ? "" : "&") : "?"
    text += values.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
    text += "&TILEMATRIX={TileMatrix}&TILEROW={TileRow}&TILECOL={TileCol}"
    return try TileTemplate(TileTemplate.adding(custom, to: text), levels: levels)
  }

  /// Returns a value for an address: percent-encoded, except for the unreserved characters of RFC 3986, `:` and `/`.
  private static func encoded(_ value: String) -> String {
    var text = ""
    for byte in value.utf8 {
      let isPlain =
        byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
        || "-._~:/".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      text += isPlain ? String(Character(Unicode.Scalar(byte))) : "%" + (byte < 16 ? "0" : "") + digits
    }
    return text
  }

  private func scheme(
    of set: MatrixSet, _ layer: Layer, _ operations: SpatialOperations
  ) -> (scheme: TileScheme, levels: [Int: String])? {
    guard let reference = Self.reference(set.reference), let first = set.matrices.first,
      first.corner.count == 2, (1...1 << 30).contains(first.columns), (1...1 << 30).contains(first.rows),
      set.matrices.count <= 100,
      // A scheme has one corner and one size; rounded scales make corners differ by less than a pixel.
      set.matrices.allSatisfy({ matrix in
        matrix.width == first.width && matrix.height == first.width && matrix.corner.count == 2
          && zip(matrix.corner, first.corner).allSatisfy { abs($0 - $1) <= 1e-9 * abs($1) }
      })
    else { return nil }
    let metres: Double
    switch operations.unit(of: reference) {
    case .linear(let unit): metres = unit.meters
    case .angular(let unit): metres = unit.degrees * 111_319.49079327358
    case nil: return nil
    }
    let levels = set.matrices.enumerated().map {
      TileScheme.Level(zoom: $0, resolution: $1.scale * Self.pixel / metres)
    }
    let size = levels[0].resolution * Double(first.width)
    func extent(_ x: Double, _ y: Double) -> Envelope {
      Envelope(xMin: x, yMin: y - Double(first.rows) * size, xMax: x + Double(first.columns) * size, yMax: y)
    }
    var (x, y) = (first.corner[0], first.corner[1])
    var whole = extent(x, y)
    let isCRS84 = set.reference.hasSuffix("CRS84")
    // Whether the north comes first depends on the spatial reference; the middle of the layer must be in its grid.
    if !isCRS84, let box = layer.bounds {
      var (middleX, middleY) = ([(box[0] + box[2]) / 2], [(box[1] + box[3]) / 2])
      guard (try? operations.project(x: &middleX, y: &middleY, from: .wgs84, to: reference)) != nil else {
        return nil
      }
      func holds(_ extent: Envelope) -> Bool {
        extent.xMin <= middleX[0] && middleX[0] <= extent.xMax && extent.yMin <= middleY[0]
          && middleY[0] <= extent.yMax
      }
      if !holds(whole), holds(extent(y, x)) { (x, y) = (y, x) }
    } else if reference == .wgs84, !isCRS84 {
      (x, y) = (y, x)
    }
    whole = extent(x, y)
    if let box = layer.bounds, let own = Self.extent(box, reference) {
      let part = Envelope(
        xMin: max(whole.xMin, own.xMin), yMin: max(whole.yMin, own.yMin), xMax: min(whole.xMax, own.xMax),
        yMax: min(whole.yMax, own.yMax))
      if part.xMin < part.xMax, part.yMin < part.yMax { whole = part }
    }
    let names = Dictionary(uniqueKeysWithValues: set.matrices.enumerated().map { ($0, $1.name) })
    return TileScheme(
      reference: reference, originX: x, originY: y, tileSize: first.width, levels: levels, extent: whole
    ).map { ($0, names) }
  }

  private static func extent(_ box: [Double], _ reference: SpatialReference) -> Envelope? {
    switch reference {
    case .webMercator: TileMetadata.extent(box)
    case .wgs84: Envelope(xMin: box[0], yMin: box[1], xMax: box[2], yMax: box[3])
    default: nil
    }
  }

  /// Returns the spatial reference of `urn:ogc:def:crs:EPSG::3857` and the like; nil for another one.
  private static func reference(_ text: String) -> SpatialReference? {
    let words = text.uppercased().split { "/:#".contains($0) }
    guard let code = words.last else { return nil }
    if code == "CRS84" { return .wgs84 }
    guard words.contains("EPSG"), let number = Int(code), number > 0 else { return nil }
    return SpatialReference(wkid: number)
  }
}
