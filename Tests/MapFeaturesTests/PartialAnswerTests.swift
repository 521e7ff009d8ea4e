import MapFeatures
import MapJSON
import MapReaders
import Testing

/// Saved answers of services that contain only part of their features.
@Suite struct PartialAnswerTests {
  private static let feature =
    #"{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]}}"#

  @Test(
    "A feature collection that declares missing features gives a warning and is inexact",
    arguments: [
      (#""exceededTransferLimit":true"#, "exceededTransferLimit: "),
      (#""exceededTransferLimit":"true""#, "exceededTransferLimit: "),
      (#""properties":{"exceededTransferLimit":true}"#, "exceededTransferLimit: "),
      (#""numberMatched":3,"numberReturned":1"#, "numberMatched: states 3 features, but only 1 are present"),
      (#""numberReturned":2"#, "numberReturned: states 2 features, but only 1 are present"),
      (#""numberMatched":"15""#, "numberMatched: states 15 features, but only 1 are present"),
      (#""numberMatched":-1"#, "numberMatched: is not a number of features"),
      (#""numberMatched":1e308"#, "numberMatched: is not a number of features"),
      (#""numberMatched":9223372036854775808"#, "numberMatched: is not a number of features"),
      (#""numberReturned":0"#, "numberReturned: states 0 features, but 1 are present"),
      (#""links":{"rel":"next","href":"b"}"#, "links: "),
      (#""links":[{"rel":["NEXT"],"href":"b"}]"#, "links: "),
      (
        #""links":[{"rel":"http://www.iana.org/assignments/relation/next","href":"b"}]"#, "links: "
      ),
      (#""totalFeatures":7"#, "totalFeatures: states 7 features, but only 1 are present"),
      (#""links":[{"rel":"self","href":"a"},{"rel":"next","href":"b"}]"#, "links: "),
    ])
  func partialCollections(_ members: String, _ reason: String) throws {
    for text in [
      #"{"type":"FeatureCollection",\#(members),"features":[\#(Self.feature)]}"#,
      #"{"type":"FeatureCollection","features":[\#(Self.feature)],\#(members)}"#,
    ] {
      let table = try GeoJSONReader.read(Array(text.utf8))
      #expect(table.warnings.count == 1)
      #expect(table.warnings.first?.hasPrefix(reason) == true, "\(table.warnings)")
      #expect(!table.isComplete)
      #expect(!InMemorySource(table).isExact)
    }
  }

  @Test(
    "A complete feature collection gives no warning",
    arguments: [
      #""exceededTransferLimit":false"#, #""exceededTransferLimit":0"#, #""exceededTransferLimit":"False""#,
      #""exceededTransferLimit":null"#, #""properties":null"#,
      #""properties":{"name":"x","exceededTransferLimit":false}"#, #""numberMatched":1,"numberReturned":1"#,
      #""numberMatched":"unknown""#, #""links":[{"rel":"self","href":"a"}]"#, #""links":{}"#,
      #""links":[1,null]"#,
    ])
  func wholeCollections(_ members: String) throws {
    let text = #"{"type":"FeatureCollection",\#(members),"features":[\#(Self.feature)]}"#
    let table = try GeoJSONReader.read(Array(text.utf8))
    #expect(table.warnings == [])
    #expect(table.isComplete)
    #expect(InMemorySource(table).isExact)
  }

  @Test(
    "An Esri feature set that declares missing features is incomplete",
    arguments: [
      (#""exceededTransferLimit":true"#, false), (#""properties":{"exceededTransferLimit":true}"#, false),
      (#""numberMatched":9"#, false), (#""links":[{"rel":"next","href":"x"}]"#, false),
      (#""exceededTransferLimit":false"#, true), (#""numberMatched":1"#, true),
    ])
  func featureSets(_ members: String, _ isComplete: Bool) throws {
    let text = #"{\#(members),"features":[{"attributes":{"a":1},"geometry":{"x":1,"y":2}}]}"#
    let table = try EsriFeatureSet.read(JSONNode(JSONValue(parsing: Array(text.utf8))))
    #expect(table.rowCount == 1)
    #expect(table.isComplete == isComplete)
    #expect(InMemorySource(table).isExact == isComplete)
  }

  @Test("Rows of an incomplete table and joins with one are incomplete")
  func derivedTables() throws {
    let text = #"{"type":"FeatureCollection","exceededTransferLimit":true,"features":[\#(Self.feature)]}"#
    let table = try GeoJSONReader.read(Array(text.utf8))
    #expect(!table.rows([0]).isComplete)
    #expect(!FeatureColumns(joining: [table, table], schema: table.schema).isComplete)
  }
}
