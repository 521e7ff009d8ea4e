import MapModel
import Testing

/// Source of the rules: Esri web map specification, `visualVariables`; js for clamping and null.
@Suite struct VisualVariableTests {
  private static let field = VariableInput.field("v")

  @Test("Colours are interpolated in all four channels and clamped at both ends")
  func color() {
    let (low, middle) = (Color(red: 0, green: 200, blue: 10, alpha: 0), Color(red: 100, green: 0, blue: 10))
    let variable = ColorVariable(
      input: Self.field, stops: [.init(20, .white), .init(0, low), .init(10, middle)])
    #expect(variable.stops.map(\.value) == [0, 10, 20])
    for (value, color) in [
      (-5.0, low), (0, low), (5, Color(red: 50, green: 100, blue: 10, alpha: 128)), (10, middle),
      (12, Color(red: 131, green: 51, blue: 59)), (20, .white), (1e300, .white), (.nan, low),
    ] {
      #expect(variable.color(of: value) == color, "\(value)")
    }
    #expect(ColorVariable(input: Self.field, stops: []).color(of: 1) == nil)
    // At a jump, the later stop applies at the value itself and beyond.
    let jump = ColorVariable(
      input: Self.field, stops: [.init(0, low), .init(5, low), .init(5, .black), .init(9, .black)])
    #expect(jump.color(of: 4.999) == low)
    #expect(jump.color(of: 5) == .black)
    let far = ColorVariable(
      input: Self.field,
      stops: [.init(-.greatestFiniteMagnitude, low), .init(.greatestFiniteMagnitude, .white)])
    #expect(far.color(of: 1e308) == low)
  }

  @Test("A transparency of 0 is opaque and 100 is transparent")
  func transparency() {
    let variable = TransparencyVariable(input: Self.field, stops: [.init(0, 100), .init(10, 20)])
    for (value, opacity) in [(-1.0, 0.0), (0, 0), (5, 0.4), (10, 0.8), (11, 0.8)] {
      #expect(abs((variable.opacity(of: value) ?? -1) - opacity) < 1e-12)
    }
  }

  @Test("Each size rule gives the expected size, and an invalid value gives none")
  func sizes() {
    func size(_ rule: SizeVariable.Rule, _ value: Double?, scale: Double = 1000, byArea: Bool = true)
      -> Double?
    {
      SizeVariable(input: Self.field, rule: rule).size(of: value, scale: scale, byArea: byArea)
    }
    let stops = SizeVariable.Rule.stops([.init(100, 30), .init(0, 10)])
    for (value, expected) in [(-1.0, 10.0), (0, 10), (50, 20), (100, 30), (101, 30)] {
      #expect(size(stops, value) == expected)
    }
    #expect(size(stops, nil) == nil)
    #expect(size(stops, .nan) == nil)
    #expect(size(.stops([.init(0, 0), .init(10, 10)]), 0) == nil)
    let byScale = ScaledSize.byScale([.init(1000, 20), .init(3000, 40)])
    let bounded = SizeVariable.Rule.bounded(minimum: 10, maximum: 20, smallest: .fixed(4), largest: byScale)
    #expect(size(bounded, 0) == 4)
    #expect(size(bounded, 15) == 12)
    #expect(size(bounded, 30) == 20)
    #expect(size(bounded, 15, scale: 2000) == 17)
    #expect(size(bounded, 99, scale: 1e9) == 40)
    let proportional = SizeVariable.Rule.proportional(minimum: 4, smallest: .fixed(10), largest: nil)
    #expect(size(proportional, 4) == 10)
    #expect(size(proportional, 16) == 20)
    #expect(size(proportional, 1) == 5)
    #expect(size(proportional, 16, byArea: false) == 40)
    #expect(size(proportional, 0) == nil)
    #expect(size(proportional, -4) == nil)
    #expect(size(proportional, nil) == nil)
    let limited = SizeVariable.Rule.proportional(minimum: 4, smallest: .fixed(10), largest: .fixed(15))
    #expect(size(limited, 5, byArea: false) == 12.5)
    #expect(size(limited, 16) == 15)
    // At 1:3779.52 a pixel is a metre.
    let one = ResolvedViewpoint.scalePerResolution
    for (unit, part, expected) in [
      (GroundMeasure.Unit.meters, GroundMeasure.Part.diameter, 10.0), (.meters, .radius, 20),
      (.kilometers, .width, 10_000), (.feet, .distance, 3.048),
    ] {
      let found = size(.ground(GroundMeasure(unit: unit, part: part)), 10, scale: one)
      #expect(abs((found ?? 0) / expected - 1) < 1e-12)
    }
    let area = size(.ground(GroundMeasure(unit: .meters, part: .area)), 25 * .pi, scale: one / 2)
    #expect(abs((area ?? 0) - 20) < 1e-12)
  }

  @Test("No size exceeds the upper bound used for fetching")
  func upperBound() {
    let byScale = ScaledSize.byScale([.init(1000, 20), .init(3000, 4)])
    let rules: [SizeVariable.Rule] = [
      .stops([.init(0, 3), .init(5, 30), .init(9, 2)]),
      .bounded(minimum: 5, maximum: 1, smallest: byScale, largest: .fixed(6)),
      .proportional(minimum: 1, smallest: .fixed(2), largest: byScale),
    ]
    for rule in rules {
      let variable = SizeVariable(input: Self.field, rule: rule)
      for scale in [500.0, 1500, 2000, 5000] {
        let sizes = (-10...20).compactMap { variable.size(of: Double($0), scale: scale, byArea: true) }
        #expect(!sizes.isEmpty)
        #expect(sizes.allSatisfy { $0 <= variable.upperBound(atScale: scale) })
      }
    }
  }

  @Test("A rotation variable turns clockwise from north or counter-clockwise from east")
  func rotation() {
    let geographic = RotationVariable(input: Self.field)
    let arithmetic = RotationVariable(input: Self.field, kind: .arithmetic)
    for (value, north, east) in [
      (0.0, 0.0, 90.0), (90, 90, 0), (-30, 330, 120), (450, 90, 0), (180, 180, 270),
    ] {
      #expect(geographic.heading(of: value) == north)
      #expect(arithmetic.heading(of: value) == east)
    }
    #expect(geographic.heading(of: nil) == 0)
    #expect(arithmetic.heading(of: nil) == 0)
    #expect(arithmetic.heading(of: .nan) == 0)
  }

  // MARK: Documents

  private static func read(_ variables: String, _ more: String = "") throws -> (
    variables: VisualVariables, form: RendererForm, warnings: [String]
  ) {
    let (form, warnings) = try DocumentReading.renderer(
      "{\"type\":\"simple\",\"symbol\":{\"type\":\"esriSMS\"}\(more),\"visualVariables\":[\(variables)]}")
    let found = try #require(form)
    return (found.visualVariables, found, warnings)
  }

  private static let all = """
    {"type":"colorInfo","field":"c","normalizationField":"n","stops":[
      {"value":1,"color":[0,0,0,255],"label":"low"},{"value":2,"color":[255,255,255]}]},
    {"type":"transparencyInfo","field":"t","stops":[{"value":0,"transparency":10},{"value":5,"transparency":90}]},
    {"type":"sizeInfo","field":"s","valueUnit":"unknown","minDataValue":1,"maxDataValue":9,"maxSize":30,
      "minSize":{"type":"sizeInfo","expression":"view.scale","stops":[{"value":100,"size":6},{"value":900,"size":3}]}},
    {"type":"sizeInfo","target":"outline","valueExpression":"return $view.scale;",
      "stops":[{"value":141,"size":1.5},{"value":72223,"size":0.375}]},
    {"type":"rotationInfo","field":"r","rotationType":"arithmetic"}
    """

  @Test("Every kind of visual variable survives a round trip without a warning")
  func documents() throws {
    let (variables, form, warnings) = try Self.read(Self.all)
    #expect(warnings.isEmpty, "\(warnings)")
    #expect(variables.color?.input == .field("c", normalizedBy: "n"))
    #expect(variables.color?.stops == [.init(1, .black, label: "low"), .init(2, .white)])
    #expect(variables.transparency?.stops == [.init(0, 10), .init(5, 90)])
    #expect(
      variables.size
        == SizeVariable(
          input: .field("s"),
          rule: .bounded(
            minimum: 1, maximum: 9, smallest: .byScale([.init(100, 8), .init(900, 4)]), largest: .fixed(40))))
    #expect(variables.outlineWidth?.input == .scale)
    #expect(variables.outlineWidth?.rule == .stops([.init(141, 2), .init(72223, 0.5)]))
    #expect(variables.rotation == RotationVariable(input: .field("r"), kind: .arithmetic))
    #expect(try DocumentReading.rewritten(form) == form)
    for rule in [
      SizeVariable.Rule.proportional(minimum: 3, smallest: .fixed(4), largest: nil),
      .proportional(minimum: 3, smallest: .fixed(4), largest: .fixed(8)),
      .ground(GroundMeasure(unit: .nauticalMiles, part: .area)),
    ] {
      var variables = VisualVariables()
      variables.size = SizeVariable(input: .field("s"), rule: rule)
      for form in [form, UniqueValueRenderer(fieldNames: ["a"], uniqueValues: []).form] {
        let written = form.with(variables)
        #expect(try DocumentReading.rewritten(written) == written)
      }
    }
  }

  @Test("Older forms of colour, transparency and rotation variables are read")
  func olderForms() throws {
    let (variables, _, warnings) = try Self.read(
      """
      {"type":"colorInfo","field":"c","minDataValue":0,"maxDataValue":10,"colors":[[0,0,0],[9,9,9],[255,255,255]]},
      {"type":"transparencyInfo","field":"c","minDataValue":2,"maxDataValue":4,"transparencyValues":[0,50]}
      """, ",\"rotationExpression\":\"[DIR]\",\"rotationType\":\"arithmetic\"")
    #expect(warnings.isEmpty, "\(warnings)")
    #expect(variables.color?.stops.map(\.value) == [0, 5, 10])
    #expect(variables.transparency?.stops == [.init(2, 0), .init(4, 50)])
    #expect(variables.rotation == RotationVariable(input: .field("DIR"), kind: .arithmetic))
  }

  @Test(
    "A visual variable that is not applied is reported with its path",
    arguments: [
      (
        "{\"type\":\"sizeInfo\",\"field\":\"a\",\"valueExpression\":\"Random()\",\"stops\":[]}",
        ".valueExpression"
      ),
      ("{\"type\":\"sizeInfo\",\"field\":\"a\",\"valueUnit\":\"unknown\"}", ""),
      ("{\"type\":\"sizeInfo\",\"field\":\"a\",\"axis\":\"height\",\"valueUnit\":\"meters\"}", ".axis"),
      ("{\"type\":\"glowInfo\"}", ".type"),
      ("{\"type\":\"rotationInfo\",\"field\":\"a\",\"rotationType\":\"odd\"}", ".rotationType"),
    ])
  func warnings(_ variable: String, _ member: String) throws {
    let place = "$.operationalLayers[0].layerDefinition.drawingInfo.renderer.visualVariables[0]\(member): "
    let warnings = try Self.read(variable).warnings
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.hasPrefix(place) == true, "\(warnings)")
    let twice = "{\"type\":\"rotationInfo\",\"field\":\"a\"}"
    #expect(try Self.read("\(twice),\(twice)").warnings.count == 1)
  }

  @Test(
    "An impossible visual variable is an error",
    arguments: [
      "{\"type\":\"sizeInfo\",\"field\":\"a\",\"stops\":[{\"value\":1,\"size\":721}]}",
      "{\"type\":\"sizeInfo\",\"field\":\"a\",\"stops\":[{\"value\":1}]}",
      "{\"type\":\"sizeInfo\",\"field\":\"a\",\"minDataValue\":1,\"minSize\":{\"expression\":\"$feature.x\"}}",
      "{\"type\":\"transparencyInfo\",\"field\":\"a\",\"stops\":[{\"value\":1,\"transparency\":101}]}",
      "{\"type\":\"colorInfo\",\"field\":\"a\",\"stops\":[{\"value\":1}]}",
    ])
  func errors(_ variable: String) {
    #expect(throws: (any Error).self) { try Self.read(variable) }
  }
}
