import MapDocuments
import MapFeatures
import MapFilter
import MapJSON
import MapModel
import Testing

/// Label classes read from and written to web map JSON.
@Suite struct LabelCodecTests {
  private static func read(_ label: String, shown: Bool = true) throws -> (
    labels: [LabelDefinition], warnings: [String]
  ) {
    let map = try DocumentReading.map(
      "\"showLabels\":\(shown)", definition: "{\"drawingInfo\":{\"labelingInfo\":[\(label)]}}")
    #expect(map.layers[0].labelsAreEnabled == shown)
    return (
      map.layers[0].labelDefinitions,
      map.warnings.map {
        String("\($0)".replacing("$.operationalLayers[0].layerDefinition.drawingInfo.labelingInfo", with: ""))
      }
    )
  }

  @Test("A label class with only an expression has the specification's defaults")
  func defaults() throws {
    let (labels, warnings) = try Self.read("{\"labelExpression\":\"[NAME]\"}")
    let label = try #require(labels.first)
    #expect(warnings.isEmpty)
    #expect(
      label
        == {
          var expected = LabelDefinition(labelExpression: SimpleLabelExpression(simpleExpression: "[NAME]"))
          expected.textSymbol.size = 10 * (96.0 / 72)
          return expected
        }())
    #expect(label.placement == nil)
    #expect(label.priority == nil)
    #expect(label.allowsOverrun == nil)
    #expect(label.repeatsAlongLines)
    #expect(label.repeatDistance == 288)
    #expect(label.joinsLines)
    #expect(label.stacking == LabelStacking())
    #expect(label.offsetDistance == 4.0 / 3)
    #expect(label.labelOverlapStrategy == .exclude)
    #expect(label.duplicateRemoval == .none)
    #expect(label.deconflictionStrategy == .static)
    #expect(label.minScale == 0)
    #expect(label.maxScale == 0)
  }

  @Test("Every label key is read, and points are converted to pixels")
  func everything() throws {
    let (labels, warnings) = try Self.read(
      """
      {"name":"Capitals","labelExpressionInfo":{"expression":"$feature.NAME"},"labelExpression":"[OLD]",
       "labelPlacement":"esriServerPointLabelPlacementBelowLeft","where":"RANK < 3","minScale":5e7,"maxScale":1e6,
       "useCodedValues":true,"priority":3,"offsetDistance":3,"deconflictionStrategy":"none","allowOverrun":false,
       "repeatLabel":false,"repeatLabelDistance":75,"multiPart":"labelPerSegment","textLayout":"perpendicular",
       "labelAngleInfo":{"angleExpressionInfo":{"expression":"$feature.HEADING"},"rotationType":"geographic"},
       "allowOverlapOfFeatureInterior":"exclude","allowOverlapOfFeatureBoundary":"avoid","lineConnection":"none",
       "orderBy":[{"field":"RANK","order":"ascending"}],
       "textOrientation":"direction","lineOrientation":"unconstrained","stackBreakPosition":"after",
       "allowOverlapOfLabel":"allow","removeDuplicates":"all","removeDuplicatesDistance":30,"stackLabel":true,
       "stackRowLength":12,"stackSeparators":[{"separator":"/","forceSplit":true,"visible":false},
         {"separator":"-","splitAfter":false}],
       "symbol":{"type":"esriTS","color":[1,2,3,128],"haloColor":[255,255,255,200],"haloSize":1.5,"xoffset":3,"yoffset":-6,
         "horizontalAlignment":"right","verticalAlignment":"top","kerning":true,"rightToLeft":false,"angle":0,
         "font":{"family":"Noto Sans","size":12,"weight":"bold","style":"oblique","decoration":"none"}}}
      """)
    #expect(warnings.isEmpty)
    let label = try #require(labels.first)
    #expect(label.name == "Capitals")
    #expect(label.expression == .arcade("$feature.NAME"))
    #expect(label.placement == .pointBelowLeft)
    #expect(label.featurePriority == FeaturePriority(fieldName: "RANK", largestFirst: false))
    #expect(label.whereClause == "RANK < 3")
    #expect(label.minScale == 5e7)
    #expect(label.maxScale == 1e6)
    #expect(label.usesCodedValues)
    #expect(label.priority == 3)
    #expect(label.offsetDistance == 4)
    #expect(label.deconflictionStrategy == .none)
    #expect(label.allowsOverrun == false)
    #expect(!label.repeatsAlongLines)
    #expect(label.repeatDistance == 100)
    #expect(label.multipartLabeling == .labelPerSegment)
    #expect(label.textLayout == .perpendicular)
    #expect(label.angle?.expression == .arcade("$feature.HEADING"))
    #expect(label.angle?.rotationType == .geographic)
    #expect(label.templates.flatMap(\.fieldNames) == ["NAME", "HEADING"])
    #expect(label.featureInteriorOverlapStrategy == .exclude)
    #expect(label.featureBoundaryOverlapStrategy == .avoid)
    #expect(!label.joinsLines)
    #expect(label.labelOverlapStrategy == .allow)
    #expect(label.duplicateRemoval == .all)
    #expect(label.duplicateRemovalDistance == 40)
    #expect(label.stacking?.rowLength == 12)
    var hyphen = LabelStacking.Separator("-")
    hyphen.beginsLine = true
    #expect(label.stacking?.separators == [.init("/", isForced: true, isVisible: false), hyphen])
    #expect(label.stacking?.breakPosition == .after)
    #expect(label.textOrientation == .direction)
    #expect(label.lineOrientation == .unconstrained)
    let symbol = label.textSymbol
    #expect(symbol.color == Color(red: 1, green: 2, blue: 3, alpha: 128))
    #expect(symbol.haloColor == Color(red: 255, green: 255, blue: 255, alpha: 200))
    #expect(symbol.haloWidth == 2)
    #expect(symbol.offsetX == 4)
    #expect(symbol.offsetY == -8)
    #expect(symbol.size == 16)
    #expect(symbol.horizontalAlignment == .right)
    #expect(symbol.verticalAlignment == .top)
    #expect(symbol.fontWeight == .bold)
    #expect(symbol.fontStyle == .oblique)
    #expect(symbol.fontFamily == "Noto Sans")

    // The label survives a round trip.
    var layer = WebMapLayer(id: "a", title: "A", url: "a.geojson")
    (layer.labelsAreEnabled, layer.labelDefinitions) = (true, labels)
    let again = try WebMap(JSONValue(parsing: WebMap(layers: [layer]).json.text())).layers[0]
    #expect(again.labelsAreEnabled)
    #expect(again.labelDefinitions == labels)
  }

  @Test(
    "The connection of lines is read under its names and survives a round trip",
    arguments: [
      ("none", false, true), ("minimizeLabels", true, true), ("unambiguousLabels", true, false),
      ("unambiguous", true, false),
    ])
  func connections(_ word: String, _ joins: Bool, _ joinsAtJunctions: Bool) throws {
    let (labels, warnings) = try Self.read("{\"labelExpression\":\"[A]\",\"lineConnection\":\"\(word)\"}")
    #expect(warnings.isEmpty)
    #expect(labels.map(\.joinsLines) == [joins])
    #expect(labels.map(\.joinsLinesAtJunctions) == [joinsAtJunctions])
    var layer = WebMapLayer(id: "a", title: "A", url: "a.geojson")
    layer.labelDefinitions = labels
    let again = try WebMap(JSONValue(parsing: WebMap(layers: [layer]).json.text())).layers[0]
    #expect(again.labelDefinitions == labels)
  }

  @Test(
    "Every placement has its specified name and survives a round trip", arguments: LabelingPlacement.allCases)
  func placements(_ placement: LabelingPlacement) throws {
    var layer = WebMapLayer(id: "a", title: "A", url: "a.geojson")
    var definition = LabelDefinition(labelExpression: SimpleLabelExpression(simpleExpression: "[N]"))
    definition.placement = placement
    definition.stacking = nil
    layer.labelDefinitions = [definition]
    let text = WebMap(layers: [layer]).json.text()
    let name = placement.rawValue
    let expected =
      name.hasPrefix("point")
      ? "esriServerPointLabelPlacement\(name.dropFirst(5))"
      : name.hasPrefix("line")
        ? "esriServerLinePlacement\(name.dropFirst(4))" : "esriServerPolygonPlacementAlwaysHorizontal"
    #expect(text.contains("\"\(expected)\""))
    let again = try WebMap(JSONValue(parsing: text)).layers[0]
    #expect(again.labelDefinitions == [definition])
    #expect(!again.labelsAreEnabled)
    #expect(LabelingPlacement.allCases.count == 25)
  }

  @Test(
    "A label setting that is not drawn as written is reported with its path",
    arguments: [
      (
        "\"labelExpressionInfo\":{\"expression\":\"Nothing($feature.A)\"}",
        "[0].labelExpressionInfo.expression: unknown function Nothing (at offset 0); this class draws no labels",
        0
      ),
      (
        "\"labelExpressionInfo\":{\"expression\":\"Nothing($feature.A)\"},\"labelExpression\":\"[A]\"",
        "labelExpression is used instead", 1
      ),
      (
        "\"labelExpression\":\"[A] & [B]\"",
        "[0].labelExpression: expected CONCAT between two parts (at offset 4); this class draws no labels", 0
      ),
      ("\"where\":\"a = 1\"", "[0]: no label expression", 0),
      ("\"labelExpression\":\"[A]\",\"labelPlacement\":\"esriNowhere\"", "[0].labelPlacement", 1),
      (
        "\"labelExpression\":\"[A]\",\"allowOverlapOfFeatureInterior\":\"never\"",
        "[0].allowOverlapOfFeatureInterior", 1
      ),
      ("\"labelExpression\":\"[A]\",\"multiPart\":\"labelPerHouse\"", "[0].multiPart", 1),
      ("\"labelExpression\":\"[A]\",\"deconflictionStrategy\":\"magic\"", "[0].deconflictionStrategy", 1),
      ("\"labelExpression\":\"[A]\",\"bogus\":1", "[0].bogus", 1),
      (
        "\"labelExpression\":\"[A]\",\"symbol\":{\"type\":\"esriTS\",\"font\":{\"family\":\"Arial\"}}",
        "[0].symbol.font.family", 1
      ),
      (
        "\"labelExpression\":\"[A]\",\"labelAngleInfo\":{\"angleExpressionInfo\":{\"expression\":\"Nothing()\"}}",
        "[0].labelAngleInfo.angleExpressionInfo.expression", 1
      ),
      (
        "\"labelExpression\":\"[A]\",\"labelAngleInfo\":{\"rotationType\":\"nautical\"}",
        "[0].labelAngleInfo.rotationType", 1
      ),
      ("\"labelExpression\":\"[A]\",\"textLayout\":\"circular\"", "[0].textLayout", 1),
      ("\"labelExpression\":\"[A]\",\"stackAlignment\":\"middle\"", "[0].stackAlignment", 1),
      (
        "\"labelExpression\":\"[A]\",\"symbol\":{\"type\":\"esriTS\",\"font\":{\"weight\":\"lighter\"}}",
        "[0].symbol.font.weight", 1
      ),
      (
        "\"labelExpression\":\"[A]\",\"symbol\":{\"type\":\"esriTS\",\"font\":{\"decoration\":\"underline\"}}",
        "[0].symbol.font.decoration", 1
      ),
      ("\"labelExpression\":\"[A]\",\"symbol\":{\"type\":\"esriTS\",\"angle\":30}", "[0].symbol.angle", 1),
      ("\"labelExpression\":\"[A]\",\"symbol\":{\"type\":\"CIMSymbolReference\"}", "[0].symbol.type", 1),
    ])
  func said(_ members: String, _ warning: String, _ count: Int) throws {
    let (labels, warnings) = try Self.read("{\(members)}")
    #expect(labels.count == count)
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.first?.contains(warning) == true, "\(warnings)")
    // Hidden labels give no such warning, but an unknown member is still reported.
    let isUnknown = members.contains("bogus")
    #expect(try Self.read("{\(members)}", shown: false).warnings.count == (isUnknown ? 1 : 0))
  }

  @Test(
    "An impossible label value is an error",
    arguments: [
      "\"minScale\":-1", "\"where\":5", "\"symbol\":{\"type\":\"esriTS\",\"font\":{\"size\":-1}}",
      "\"symbol\":{\"type\":\"esriTS\",\"font\":{\"size\":1e9}}",
      "\"symbol\":{\"type\":\"esriTS\",\"color\":[1,2]}",
      "\"priority\":1.5", "\"offsetDistance\":1e300", "\"stackSeparators\":[{}]", "\"labelExpressionInfo\":5",
      "\"symbol\":{}",
    ])
  func impossible(_ members: String) {
    #expect(throws: JSONDecodingError.self) { try Self.read("{\"labelExpression\":\"[A]\",\(members)}") }
  }

  @Test("Labels with the names of coded values know the domains of the document's fields")
  func codedValues() throws {
    let map = try DocumentReading.map(
      "\"showLabels\":true",
      definition: """
        {"fields":[{"name":"A","domain":{"type":"codedValue","name":"d","codedValues":[{"code":1,"name":"one"}]}},
          {"name":"B","domain":null}],
         "drawingInfo":{"labelingInfo":[{"labelExpression":"[A]","useCodedValues":true},{"labelExpression":"[A]"}]}}
        """)
    #expect(map.warnings.isEmpty)
    let domain = FieldDomain.codedValues(name: "d", [FieldDomain.CodedValue(name: "one", code: .integer(1))])
    #expect(map.layers[0].labelDefinitions.map(\.domains) == [["a": domain], [:]])
  }
}
