import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Classes, sizes and colours by a field in converted maps.
extension ConvertCommandTests {
  @Test("Class breaks compare as in maps: bounds, null, texts of numbers and gaps")
  func classBreaks() async throws {
    let breaks = """
      "classBreakInfos":[{"classMaxValue":10,"symbol":\(Self.circle("200,0,0"))},
       {"classMaxValue":20,"symbol":\(Self.circle("0,150,0"))},
       {"classMinValue":25,"classMaxValue":30,"symbol":\(Self.circle("0,0,200"))}]
      """
    let values = ["0", "-1", "10", "10.001", "20", "22", "25", "25.5", "30", "31", "null"]
    let folder = try ScratchFolder()
    var count = 0
    for (type, text) in [("esriFieldTypeDouble", false), ("esriFieldTypeString", true)] {
      for fallback in ["", #","defaultSymbol":\#(Self.circle("90,90,90"))"#] {
        let document = Self.document(
          #"{"type":"classBreaks","field":"n","minValue":0,\#(breaks)\#(fallback)}"#,
          fields: [#"{"name":"n","type":"\#(type)"}"#],
          Self.points(values.map { text && $0 != "null" ? #""n":"\#($0)""# : #""n":\#($0)"# }))
        let (distances, _, run) = try await Self.compare(document, in: folder)
        #expect(distances[0].largest == 0 && distances[0].share > 0.005, "\(type) \(fallback) \(distances)")
        #expect(run.err == "")
        count += 1
      }
    }
    #expect(count == 4)
  }

  @Test("Unique values compare as in maps: texts, numbers, null, several fields, expressions and dates")
  func uniqueValues() async throws {
    func value(_ value: String, _ color: String) -> String {
      #"{"value":"\#(value)","symbol":\#(Self.circle(color))}"#
    }
    let cases: [(head: String, classes: [String], field: String, values: [String])] = [
      (
        #""field1":"v""#, [value("a", "200,0,0"), value("<Null>", "0,0,200")], "esriFieldTypeString",
        [#""a""#, #""A""#, "null", #""a ""#]
      ),
      (
        #""field1":"v""#, [value("1", "200,0,0"), value("2.5", "0,0,200")], "esriFieldTypeDouble",
        ["1", "2.5", "2.50001", "null"]
      ),
      (
        #""field1":"v""#, [value("7", "200,0,0"), value("9", "0,0,200")], "esriFieldTypeInteger",
        ["7", "9", "8", "null"]
      ),
      (
        #""field1":"v","field2":"w","fieldDelimiter":", ""#,
        [value("a, 1", "200,0,0"), value("a, 2", "0,0,200")],
        "esriFieldTypeString", [#""a""#, #""b""#, "null"]
      ),
      (
        #""valueExpression":"IIf($feature.v > 5, 'high', 'low')""#,
        [value("high", "200,0,0"), value("low", "0,0,200")], "esriFieldTypeDouble", ["1", "6", "5"]
      ),
      (
        #""field1":"v""#, [value("1577836800000", "200,0,0")], "esriFieldTypeDate",
        ["1577836800000", "0", "null"]
      ),
    ]
    let folder = try ScratchFolder()
    for item in cases {
      for fallback in ["", #","defaultSymbol":\#(Self.circle("90,90,90"))"#] {
        let document = Self.document(
          #"{"type":"uniqueValue",\#(item.head),"uniqueValueInfos":[\#(item.classes.joined(separator: ","))]\#(fallback)}"#,
          fields: [#"{"name":"v","type":"\#(item.field)"}"#, #"{"name":"w","type":"esriFieldTypeInteger"}"#],
          Self.points(item.values.enumerated().map { #""v":\#($1),"w":\#($0 % 2 + 1)"# }))
        let (distances, _, run) = try await Self.compare(document, in: folder)
        #expect(distances[0].largest == 0 && distances[0].share > 0.001, "\(item) \(fallback) \(distances)")
        #expect(run.err == "", "\(run.err)")
      }
    }
    #expect(cases.count == 6)
  }

  @Test("Sizes, colours, transparency and growth follow the field and the scale")
  func variables() async throws {
    let symbol = Self.circle(
      "200,0,0", more: #","outline":{"type":"esriSLS","style":"esriSLSSolid","color":[0,0,0,255],"width":1}"#)
    let stops = #""stops":[{"value":0,"size":4},{"value":10,"size":20}]"#
    let cases: [(variables: String, map: String)] = [
      (#"{"type":"sizeInfo","field":"n",\#(stops)}"#, ""),
      (#"{"type":"sizeInfo","field":"n","normalizationField":"w",\#(stops)}"#, ""),
      (#"{"type":"sizeInfo","field":"n","minDataValue":1,"minSize":4}"#, ""),
      (#"{"type":"sizeInfo","field":"far","valueUnit":"kilometers","valueRepresentation":"diameter"}"#, ""),
      (
        """
        {"type":"sizeInfo","valueExpression":"$view.scale",
         "stops":[{"value":1000000,"size":30},{"value":60000000,"size":5}]}
        """, ""
      ),
      (
        """
        {"type":"colorInfo","field":"n",
         "stops":[{"value":0,"color":[0,0,255,255]},{"value":10,"color":[255,255,0,255]}]}
        """, ""
      ),
      (
        """
        {"type":"transparencyInfo","field":"n",
         "stops":[{"value":0,"transparency":80},{"value":10,"transparency":0}]}
        """, ""
      ),
    ]
    let rows = Self.points(
      ["0", "2", "5", "7.5", "10", "12", "null"].map { value in
        #""n":\#(value),"w":2,"far":\#(value == "null" ? value : value + "e1")"#
      })
    let folder = try ScratchFolder()
    for item in cases {
      let document = Self.document(
        #"{"type":"simple","symbol":\#(symbol),"visualVariables":[\#(item.variables)]}"#,
        fields: [
          #"{"name":"n","type":"esriFieldTypeDouble"}"#, #"{"name":"w","type":"esriFieldTypeDouble"}"#,
          #"{"name":"far","type":"esriFieldTypeDouble"}"#,
        ],
        rows)
      let views = [[], ["--viewpoint", "0,0,10000000"], ["--viewpoint", "0,0,30000000"]]
      let (distances, _, _) = try await Self.compare(document, in: folder, views)
      for distance in distances {
        // The fill of a circle ends at its outline, also below a translucent one.
        let limit = item.variables.contains("transparency") ? 6.0 : 1
        #expect(distance.mean < limit && distance.share > 0.001, "\(item.variables) \(distances)")
      }
    }
    #expect(cases.count == 7)
  }
}
