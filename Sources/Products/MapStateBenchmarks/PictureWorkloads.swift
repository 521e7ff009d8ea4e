import MapState
import MapSystem

/// An image to draw: a file, its renderer in web map JSON, and an extent in Web Mercator.
struct Scene: Sendable {
  let file: String
  let drawing: JSONValue
  let extent: Envelope

  /// Opens and loads the map.
  func open(in folder: String) async throws -> Map {
    let layer: JSONValue = [
      "id": "l", "title": "l", "layerType": "ArcGISFeatureLayer", "url": .string(file),
      "layerDefinition": ["drawingInfo": drawing],
    ]
    return try await MapDocument.open(
      json: ["operationalLayers": [layer], "version": "2.29"], name: "benchmark", folder: folder
    ).map
  }

  func view(of map: Map, width: Double = 1024, height: Double = 768) throws -> ViewState {
    map.backgroundColor = Color(red: 255, green: 255, blue: 255)
    return try MapView(
      map: map, width: width, height: height, viewpoint: Viewpoint(boundingGeometry: extent)
    ).freeze()
  }
}

extension Workload {
  static let pictures = [
    picture("R1", .points("p1m.fgb")), picture("R1b", .points("p100k.fgb")), picture("R2", .states),
    picture("R2b", .counties), picture("R3", .lines), tiles,
  ]

  private static func picture(_ name: String, _ scene: Scene) -> Workload {
    Workload(name: name) { setting in
      let state = try scene.view(of: try await scene.open(in: setting.folder))
      let times = try await setting.time { _ = try await state.render(threads: setting.threads) }
      let rendered = try await state.render(threads: setting.threads)
      if let folder = setting.pictures {
        try FileAccess.write(rendered.bitmap.pngData(), to: "\(folder)/mapstate_\(name).png")
      }
      let funnel = rendered.report.layers[0].funnel
      let reference = try await state.render(threads: setting.threads, method: .reference).bitmap
      let difference = PictureDifference(rendered.bitmap, reference)
      return [
        Timing(
          workload: name, what: "warm draw", times: times,
          facts: [
            ("drawn", .number(funnel?.drawn ?? 0)), ("threads", .number(setting.threads)),
            ("largestDifference", .number(difference.largest)), ("meanDifference", .number(difference.mean)),
          ])
      ]
    }
  }

  /// Draws 64 tiles of one open map, including the PNG encoding.
  private static let tiles = Workload(name: "R4") { setting in
    let scene = Scene.points("p1m.fgb")
    let map = try await scene.open(in: setting.folder)
    let side = 2 * WebMercator.halfWorld / 16_384
    let center = scene.extent.center
    let (column, row) = (
      ((center.x + WebMercator.halfWorld) / side).rounded(.down) - 4,
      ((WebMercator.halfWorld - center.y) / side).rounded(.down) - 4
    )
    let extents = (0..<64).map { index in
      let (left, top) = (
        (column + Double(index % 8)) * side - WebMercator.halfWorld,
        WebMercator.halfWorld - (row + Double(index / 8)) * side
      )
      return Envelope(
        xMin: left, yMin: top - side, xMax: left + side, yMax: top, spatialReference: .webMercator)
    }
    let times = try await setting.time {
      for extent in extents {
        let state = try Scene(file: "", drawing: .null, extent: extent).view(of: map, width: 256, height: 256)
        _ = try await state.render(threads: setting.threads).bitmap.pngData()
      }
    }
    let rate = 64_000 / times.sorted()[times.count / 2]
    return [
      Timing(workload: "R4", what: "64 tiles with PNG", times: times, facts: [("tiles/s", .number(rate))])
    ]
  }

  /// Encodes the image of R1b as PNG.
  static let encoding = Workload(name: "P1") { setting in
    let scene = Scene.points("p100k.fgb")
    let bitmap = try await scene.view(of: scene.open(in: setting.folder)).render().bitmap
    let times = try await setting.time { _ = try bitmap.pngData() }
    return [
      Timing(
        workload: "P1", what: "PNG of R1b", times: times,
        facts: [("bytes", .number(try bitmap.pngData().count))])
    ]
  }
}

/// The difference between an image on white and the reference painter's image.
struct PictureDifference {
  /// The largest difference of a channel.
  let largest: Int
  /// The average difference of a channel, over the pixels that are not white in both images.
  let mean: Double

  init(_ picture: Bitmap, _ reference: Bitmap) {
    var (largest, sum, touched) = (0, 0, 0)
    let (own, other) = (picture.pixels.span, reference.pixels.span)
    for pixel in stride(from: 0, to: own.count, by: 4) {
      var isWhite = true
      for channel in pixel..<pixel + 3 {
        let difference = abs(Int(own[channel]) - Int(other[channel]))
        largest = max(largest, difference)
        sum += difference
        isWhite = isWhite && own[channel] == 255 && other[channel] == 255
      }
      touched += isWhite ? 0 : 1
    }
    (self.largest, mean) = (largest, Double(sum) / Double(max(1, 3 * touched)))
  }
}

extension Scene {
  static let categories = [
    "Street and Sidewalk Cleaning", "Graffiti", "Encampment", "Abandoned Vehicle", "Illegal Parking",
    "Street Defects", "Tree Maintenance or Damage", "Noise Report", "Streetlights", "Sewer Issues",
    "Litter Receptacles", "Damaged Property",
  ]
  private static let colors: [[JSONValue]] = [
    [31, 119, 180, 255], [174, 199, 232, 255], [255, 127, 14, 255], [255, 187, 120, 255], [44, 160, 44, 255],
    [152, 223, 138, 255], [214, 39, 40, 255], [255, 152, 150, 255], [148, 103, 189, 255],
    [197, 176, 213, 255],
    [140, 86, 75, 255], [227, 119, 194, 255],
  ]

  /// Circles of 6 px without outline, in 12 classes.
  static func points(_ file: String) -> Scene {
    let infos: [JSONValue] = zip(categories, colors).map { category, color in
      [
        "value": .string(category),
        "symbol": ["type": "esriSMS", "style": "esriSMSCircle", "color": .array(color), "size": 4.5],
      ]
    }
    return Scene(
      file: file,
      drawing: [
        "renderer": ["type": "uniqueValue", "field1": "req_type", "uniqueValueInfos": .array(infos)]
      ],
      extent: Envelope(
        xMin: -13642075.766731447, yMin: 4537132.130042938, xMax: -13616727.943817453,
        yMax: 4556142.9972284315,
        spatialReference: .webMercator))
  }

  /// The states and provinces of the world, 404,000 vertices.
  static let states: Scene = {
    let pixel = 2 * WebMercator.halfWorld / 1024
    return areas(
      "adm1.fgb",
      Envelope(
        xMin: -WebMercator.halfWorld, yMin: 3e6 - pixel * 384, xMax: WebMercator.halfWorld,
        yMax: 3e6 + pixel * 384, spatialReference: .webMercator))
  }()

  /// The counties of the United States, a million vertices.
  static let counties = areas(
    "counties.fgb",
    Envelope(
      xMin: -13_900_000, yMin: 2_137_500, xMax: -7_400_000, yMax: 7_012_500, spatialReference: .webMercator))

  /// Areas in five classes, with outlines of half a pixel.
  private static func areas(_ file: String, _ extent: Envelope) -> Scene {
    let ramp: [[JSONValue]] = [
      [255, 255, 178, 255], [254, 204, 92, 255], [253, 141, 60, 255], [240, 59, 32, 255], [189, 0, 38, 255],
    ]
    let infos: [JSONValue] = ramp.enumerated().map { index, color in
      [
        "classMaxValue": .number(index * 20 + 20),
        "symbol": [
          "type": "esriSFS", "style": "esriSFSSolid", "color": .array(color),
          "outline": [
            "type": "esriSLS", "style": "esriSLSSolid", "color": [128, 128, 128, 255], "width": 0.375,
          ],
        ],
      ]
    }
    return Scene(
      file: file,
      drawing: [
        "renderer": [
          "type": "classBreaks", "field": "val", "minValue": 0, "classBreakInfos": .array(infos),
        ]
      ],
      extent: extent)
  }

  /// Opaque lines of 1.5 px with round joins.
  static let lines = Scene(
    file: "lines.fgb",
    drawing: [
      "renderer": [
        "type": "simple",
        "symbol": [
          "type": "esriSLS", "style": "esriSLSSolid", "color": [68, 68, 102, 255], "width": 1.125,
          "join": "round",
        ],
      ]
    ],
    extent: Envelope(
      xMin: -13645081.166666666, yMin: 4522034, xMax: -13585759.833333334, yMax: 4566525,
      spatialReference: .webMercator))
}
