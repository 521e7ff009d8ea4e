import Foundation
import MapDocuments
import MapJSON
import MapModel
import Testing

/// Values of documents that are checked before they are read.
@Suite struct DocumentWalkTests {
  private static func warnings(_ members: String = "", definition: String = "{}") throws -> [String] {
    try DocumentReading.map(members, definition: definition).warnings.map {
      "\($0)".replacing("$.operationalLayers[0]", with: "")
    }
  }

  private static func error(_ members: String = "", definition: String = "{}") -> String {
    do {
      _ = try DocumentReading.map(members, definition: definition)
      return ""
    } catch { return "\(error)".replacing("$.operationalLayers[0]", with: "") }
  }

  @Test("A number written as text is read, with a warning, and stays text in the document")
  func numbersAsText() throws {
    let map = try DocumentReading.map(definition: #"{"minScale":"1.0E9","maxScale":" 5 "}"#)
    #expect(map.layers[0].minScale == 1e9)
    #expect(map.layers[0].maxScale == 5)
    #expect(
      map.warnings.map(\.description) == [
        #"$.operationalLayers[0].layerDefinition.minScale: the text "1.0E9" is a number written as text, read as 1000000000"#,
        #"$.operationalLayers[0].layerDefinition.maxScale: the text " 5 " is a number written as text, read as 5"#,
      ])
    let definition = map.source?["operationalLayers"]?[0]?["layerDefinition"]
    #expect(definition?["minScale"] == "1.0E9")
    #expect(definition?["maxScale"] == " 5 ")
    #expect(
      Self.error(definition: #"{"minScale":"far"}"#)
        == ".layerDefinition.minScale: expected a number, found a string")
    for text in ["", "0x10", "1,5", "NaN", "1e999", "true"] {
      #expect(Self.error(definition: "{\"minScale\":\"\(text)\"}").contains("expected a number"), "\(text)")
    }
  }

  @Test("Bookmarks with numbers as text are written as they were read")
  func bookmarks() throws {
    let text = """
      {"operationalLayers":[],"bookmarks":[{"name":"a","viewpoint":{"scale":"500",
      "targetGeometry":{"x":"1","y":2,"spatialReference":{"wkid":4326}}}},5]}
      """
    let map = try WebMap(JSONValue(parsing: text))
    #expect(map.bookmarks.count == 1, "\(map.warnings)")
    #expect(map.warnings.count == 3, "\(map.warnings)")
    let model = Map(document: map)
    model.addBookmark(Bookmark(name: "b", viewpoint: map.bookmarks[0].viewpoint))
    let bookmarks = try JSONValue(parsing: model.toJSON())["bookmarks"]?.array
    #expect(bookmarks?.count == 3)
    #expect(bookmarks?[0]["viewpoint"]?["scale"] == "500")
    #expect(bookmarks?[2] == 5)
  }

  @Test("A layer with its features and an unknown kind is read, with a warning")
  func unknownKind() throws {
    let map = try WebMap(
      JSONValue(
        parsing: """
          {"operationalLayers":[{"id":"a","title":"A","layerType":"ArcGISFeaturelayer","featureCollection":{"layers":[
           {"layerDefinition":{"geometryType":"esriGeometryPoint","fields":[]},"featureSet":{"features":[]}}]}}]}
          """))
    #expect(map.layers.count == 1)
    #expect(
      map.warnings.map(\.description) == [
        #"$.operationalLayers[0].layerType: unknown layer type "ArcGISFeaturelayer"; its feature collection is drawn; did you mean "ArcGISFeatureLayer"?"#
      ])
  }

  @Test("An unknown member is reported with the nearest name that is not yet present")
  func suggestions() throws {
    #expect(
      try Self.warnings(definition: #"{"definitonExpression":"a = 1"}"#)
        == [#".layerDefinition.definitonExpression: unknown member; did you mean "definitionExpression"?"#])
    #expect(try Self.warnings(#""zzzzzzzz":1"#) == [".zzzzzzzz: unknown member"])
    let both = try Self.warnings(definition: #"{"mixScale":5}"#)
    #expect(both[0].hasSuffix(#"did you mean "minScale" or "maxScale"?"#))
    let other = try Self.warnings(definition: #"{"minScale":5,"mixScale":5}"#)
    #expect(other[0].hasSuffix(#"did you mean "maxScale"?"#))
    #expect(try Self.warnings(definition: #"{"definitonExpression":null}"#).isEmpty)
  }

  @Test("An error about a required member names its misspelling")
  func neededMembers() {
    let symbol = #"{"drawingInfo":{"renderer":{"type":"simple","symbol":{"tpye":"esriSMS"}}}}"#
    #expect(
      Self.error(definition: symbol)
        == #".layerDefinition.drawingInfo.renderer.symbol.tpye: unknown member; did you mean "type"?"#)
    #expect(WebMap.isWebMap(["operationalLayres": []]))
    #expect(!WebMap.isWebMap(["layers": []]))
    let error = #expect(throws: JSONDecodingError.self) { try WebMap(["operationalLayres": []]) }
    #expect(
      error?.description == #"$.operationalLayres: unknown member; did you mean "operationalLayers"?"#)
  }

  @Test(
    "Any fault in a display filter is an error",
    arguments: [
      (#"[{"where":"a = 1"}]"#, ": expected an object, found an array"), ("5", ": expected an object"),
      (#"{"mode":"manuel"}"#, #".mode: unknown member; did you mean "filterMode": "manual"?"#),
      (#"{"filterMode":"manuel"}"#, #".filterMode: unknown value "manuel"; did you mean "manual"?"#),
      (#"{"filterMode":"x"}"#, #".filterMode: unknown value "x"; known values: manual, scale"#),
      (#"{"filterMode":5}"#, ".filterMode: expected a string"),
      (#"{"filters":{}}"#, ".filters: expected an array"),
      (#"{"filters":[5]}"#, ".filters[0]: expected an object, found a number"),
      (#"{"filters":[null]}"#, ".filters[0]: expected an object, found null"),
      (#"{"filters":[{"id":"a","where":5}]}"#, ".filters[0].where: expected a string"),
      (
        #"{"filters":[{"id":"a","wehre":"b = 1"}]}"#,
        #".filters[0].wehre: unknown member; did you mean "where"?"#
      ),
      (
        #"{"filters":[{"id":"f1","where":"b = 1"}],"activeFilterId":"f2"}"#,
        #".activeFilterId: no filter has the id "f2"; did you mean "f1"?"#
      ),
      (#"{"activeFilterId":"f2"}"#, #".activeFilterId: no filter has the id "f2"; there are no filters"#),
    ])
  func displayFilters(_ info: String, _ message: String) throws {
    let said = Self.error(definition: "{\"displayFilterInfo\":\(info)}")
    #expect(said.hasPrefix(".layerDefinition.displayFilterInfo" + message), "\(said)")
    // A disabled display filter is ignored.
    let off = "{\"displayFilterInfo\":\(info),\"disableDisplayFilter\":true}"
    #expect(Self.error(definition: off).isEmpty)
  }

  @Test(
    "A drawing order has four allowed words", arguments: ["asc", "ascending", "desc", "descending", "DESC"])
  func orders(_ word: String) throws {
    let map = try DocumentReading.map(definition: "{\"orderBy\":[{\"field\":\"a\",\"order\":\"\(word)\"}]}")
    let isDescending = word.hasPrefix("desc")
    #expect(
      map.layers[0].drawingOrder == [
        DrawingOrder(fieldName: "a", direction: isDescending ? .descending : .ascending)
      ])
    #expect(map.warnings.isEmpty == (word != "DESC"), "\(map.warnings)")
    if word == "DESC" { #expect(map.warnings[0].message.contains(#"did you mean "desc"?"#)) }
  }

  @Test("A value equal to the default drawing gives no warning")
  func drawnAnyway() throws {
    #expect(
      try Self.warnings(
        #""blendMode":"normal","effect":[],"minScale":0,"maxScale":0.0,"mode":1,"featureEffect":{}"#,
        definition:
          #"{"rangeInfos":[],"visibilityField":"","timeInfo":{"exportOptions":{"timeDataCumulative":false}}}"#
      ).isEmpty)
    #expect(try Self.warnings(#""minScale":5"#).count == 1)
  }

  @Test("Copyright text becomes the attribution, and the definition's text wins")
  func copyright() throws {
    #expect(try DocumentReading.layer(#""copyright":"A""#).attribution == "A")
    #expect(
      try DocumentReading.layer(#""copyright":"A""#, definition: #"{"copyrightText":"B"}"#).attribution == "B"
    )
  }

  /// A document of 160 groups, each in the one before.
  private static var deepGroups: String {
    var deep = "[]"
    for _ in 0..<160 { deep = "[{\"layerType\":\"GroupLayer\",\"layers\":\(deep)}]" }
    return "{\"operationalLayers\":\(deep)}"
  }

  @Test("Very many warnings and very deep groups are read")
  func large() throws {
    let many = (0..<50_000).map { "\"definitionExpresion\($0)\":1" }.joined(separator: ",")
    #expect(try Self.warnings(definition: "{\(many)}").count == 50_000)
    #expect(try WebMap(JSONValue(parsing: Self.deepGroups)).layers.isEmpty)
  }

  @Test("Very deep groups are read with a stack of 1 MB")
  func smallStack() async throws {
    let count = await withCheckedContinuation { continuation in
      let thread = Thread {
        continuation.resume(returning: try? WebMap(JSONValue(parsing: Self.deepGroups)).layers.count)
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    #expect(count == 0)
  }
}
