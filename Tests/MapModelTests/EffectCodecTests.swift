import MapDocuments
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import Testing

/// Effects of layers in documents.
@Suite struct EffectCodecTests {
  private static func effect(_ json: String) throws -> (effect: LayerEffect?, warnings: [String]) {
    let map = try DocumentReading.map("\"effect\":\(json)")
    return (map.layers[0].effect, map.warnings.map(\.description))
  }

  /// The layer after a round trip through a new document.
  private static func rewritten(_ effect: LayerEffect?, _ feature: FeatureEffect? = nil) throws -> WebMapLayer
  {
    var layer = WebMapLayer(id: "a", title: "A", url: "a.geojson")
    (layer.effect, layer.featureEffect) = (effect, feature)
    return try WebMap(JSONValue(parsing: WebMap(layers: [layer]).json.text())).layers[0]
  }

  private static let all = """
    [{"type":"brightness","amount":1.5},{"type":"contrast","amount":0.5},{"type":"grayscale","amount":0.2},
     {"type":"invert","amount":1},{"type":"opacity","amount":0.5},{"type":"saturate","amount":2},
     {"type":"sepia","amount":3},{"type":"hue-rotate","angle":-30},{"type":"blur","radius":3},
     {"type":"drop-shadow","xoffset":1.5,"yoffset":-3,"blurRadius":0.75,"color":[1,2,3,40]},
     {"type":"bloom","strength":1.5,"radius":0.75,"threshold":0.25}]
    """

  private static let allFunctions: [EffectFunction] = [
    .amount(.brightness, 1.5), .amount(.contrast, 0.5), .amount(.grayscale, 0.2), .amount(.invert, 1),
    .amount(.opacity, 0.5), .amount(.saturate, 2), .amount(.sepia, 1), .hueRotate(-30), .blur(4),
    .dropShadow(EffectShadow(x: 2, y: -4, radius: 1, color: Color(red: 1, green: 2, blue: 3, alpha: 40))),
    .bloom(EffectBloom(strength: 1.5, radius: 1, threshold: 0.25)),
  ]

  @Test("All functions are read, lengths in points, and written back")
  func functions() throws {
    let (effect, warnings) = try Self.effect(Self.all)
    #expect(warnings.isEmpty)
    #expect(effect == .everywhere(Self.allFunctions))
    #expect(try Self.rewritten(effect).effect == effect)
  }

  @Test("The text form has the same functions")
  func text() throws {
    let (effect, warnings) = try Self.effect(
      "\"brightness(150%) contrast(.5) grayscale(20%) invert() opacity(0.5) saturate(2) sepia(300%) "
        + "HUE-ROTATE(-30deg) blur(4px) drop-shadow(2px -4px 0.75pt rgba(1, 2, 3, 15.7%)) "
        + "bloom(150%, 1px, 0.25)\"")
    #expect(warnings.isEmpty)
    #expect(effect == .everywhere(Self.allFunctions))
    #expect(try Self.effect("\" none \"").effect == .everywhere([]))
    #expect(
      try Self.effect("\"hue-rotate(0.5turn) drop-shadow(red 1px 2px)\"").effect
        == .everywhere([
          .hueRotate(180), .dropShadow(EffectShadow(x: 1, y: 2, radius: 0, color: .red)),
        ]))
  }

  @Test(
    "A text that is not an effect is reported, and the rest of it is applied",
    arguments: [
      ("blurr(2px) invert(1)", "\"blurr\" is not supported; did you mean \"blur\"?"),
      ("blur(2) invert(1)", "\"2\" are not arguments of blur"),
      ("blur(-2px) invert(1)", "the radius of blur is below 0"),
      ("sepia(a) invert(1)", "\"a\" are not arguments of sepia"),
      ("drop-shadow(1px) invert(1)", "\"1px\" are not arguments of drop-shadow"),
      ("hue-rotate(20) invert(1)", "\"20\" are not arguments of hue-rotate"),
      ("invert(1) sepia", "\"sepia\" is not a function"),
      ("invert(1) sepia(1", "\"sepia(1\" is not a function"),
    ])
  func faults(_ text: String, _ message: String) throws {
    let (effect, warnings) = try Self.effect("\"\(text)\"")
    #expect(effect == .everywhere([.amount(.invert, 1)]))
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains(message) == true, "\(warnings)")
    #expect(warnings.first?.hasPrefix("$.operationalLayers[0].effect: not drawn: ") == true)
    #expect(warnings.first?.contains("not drawn: not drawn") == false)
  }

  @Test("Limits of a text's functions are reported as they are drawn")
  func limits() throws {
    let (wide, warnings) = try Self.effect("\"blur(5000px)\"")
    #expect(wide == .everywhere([.blur(128)]))
    #expect(warnings == ["$.operationalLayers[0].effect: approximated: a blur has at most 128 pixels"])
    let (many, faults) = try Self.effect("\"" + String(repeating: "invert(1) ", count: 70) + "\"")
    #expect(many == .everywhere(Array(repeating: .amount(.invert, 1), count: 64)))
    #expect(faults.count == 6 && faults[0].hasSuffix("not drawn: only 64 effects are drawn"))
  }

  @Test("Functions that are not drawn as written are reported with their path")
  func reported() throws {
    let (effect, warnings) = try Self.effect(
      """
      [{"type":"bloom","strength":-1,"radius":1,"threshold":0.1},{"type":"blurr","radius":1},{"radius":1},
       {"type":"blur","radius":5000},{"type":"sepia","amount":-1},{"type":"blur","radios":1},
       {"type":"drop-shadow","xoffset":9000,"yoffset":0,"blurRadius":0,"color":[0,0,0,255]}]
      """)
    #expect(
      effect
        == .everywhere([
          .blur(128), .blur(0), .dropShadow(EffectShadow(x: 256, y: 0, radius: 0, color: .black)),
        ]))
    let path = "$.operationalLayers[0].effect"
    #expect(
      Set(warnings) == [
        "\(path)[0]: not drawn: a number of bloom is below 0 or not a number",
        "\(path)[1].type: not drawn: the effect \"blurr\" is not supported; did you mean \"blur\"?",
        "\(path)[2].type: missing: the effect is not drawn",
        "\(path)[3]: approximated: a blur has at most 128 pixels",
        "\(path)[4]: not drawn: the amount of sepia is below 0 or not a number",
        "\(path)[5].radios: unknown member; did you mean \"radius\"?",
        "\(path)[6]: approximated: a shadow is at most 256 pixels away and has a blur of at most 128",
      ])
  }

  @Test("Effects that reach far are drawn as far as 1024 pixels")
  func reach() throws {
    let many = Array(repeating: #"{"type":"blur","radius":90}"#, count: 40).joined(separator: ",")
    let (effect, warnings) = try Self.effect("[\(many)]")
    #expect(effect?.lists[0].count == 2)
    #expect(warnings.count == 38)
    #expect(warnings.allSatisfy { $0.hasSuffix("not drawn: the effects reach farther than 1024 pixels") })
  }

  @Test("Effects by scale are interpolated between their stops")
  func scales() throws {
    let (effect, warnings) = try Self.effect(
      """
      [{"scale":3000,"value":[{"type":"blur","radius":3},{"type":"sepia","amount":1}]},
       {"scale":1000,"value":"blur(0)"}]
      """)
    #expect(warnings.isEmpty)
    let read = try #require(effect)
    #expect(read.functions(atScale: 500) == [.blur(0)])
    #expect(read.functions(atScale: 1000) == [.blur(0)])
    #expect(read.functions(atScale: 1500) == [.blur(1), .amount(.sepia, 0.25)])
    #expect(read.functions(atScale: 3000) == [.blur(4), .amount(.sepia, 1)])
    #expect(read.functions(atScale: 9000) == [.blur(4), .amount(.sepia, 1)])
    #expect(try Self.rewritten(effect).effect == effect)
    let jumping = try Self.effect(
      #"[{"scale":10,"value":[{"type":"blur","radius":3}]},{"scale":20,"value":[{"type":"sepia","amount":1}]}]"#
    )
    #expect(jumping.warnings.count == 1)
    #expect(jumping.effect?.functions(atScale: 15) == [.blur(4)])
    let shadow = LayerEffect.byScale([
      LayerEffect.Stop(scale: 0, functions: []),
      LayerEffect.Stop(
        scale: 100,
        functions: [
          .dropShadow(EffectShadow(x: 8, y: 4, radius: 2, color: Color(red: 200, green: 0, blue: 0)))
        ]),
    ])
    #expect(
      shadow.functions(atScale: 50) == [
        .dropShadow(
          EffectShadow(x: 4, y: 2, radius: 1, color: Color(red: 100, green: 0, blue: 0, alpha: 128)))
      ])
    #expect(LayerEffect.byScale([]).functions(atScale: 5).isEmpty)
  }

  @Test("A feature effect has a filter and two effects")
  func featureEffect() throws {
    let map = try DocumentReading.map(
      """
      "featureEffect":{"filter":{"where":"n > 3"},"includedEffect":"sepia(1)",
       "excludedEffect":[{"type":"opacity","amount":0.25}]}
      """)
    #expect(map.warnings.isEmpty)
    let effect = FeatureEffect(
      where: "n > 3", included: .everywhere([.amount(.sepia, 1)]),
      excluded: .everywhere([.amount(.opacity, 0.25)]))
    #expect(map.layers[0].featureEffect == effect)
    #expect(try Self.rewritten(nil, effect).featureEffect == effect)
    let spatial = try DocumentReading.map(
      #""featureEffect":{"filter":{"geometry":{"x":1,"y":2}},"excludedEffect":"opacity(20%)"}"#)
    let near = try #require(spatial.layers[0].featureEffect)
    #expect(near.geometry == (try SpatialCondition(Point(x: 1, y: 2), .intersects)))
    #expect(try Self.rewritten(nil, near).featureEffect == near)
    #expect(spatial.warnings.isEmpty)
  }
}
