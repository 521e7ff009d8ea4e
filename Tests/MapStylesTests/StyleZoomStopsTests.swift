import MapJSON
import Testing

import MapStyles

@Suite struct StyleZoomStopsTests {
  @Test(
    "The value at a zoom is one output of a step, and two of an interpolation",
    arguments: [
      (#"["step", ["zoom"], 1, 5, 2, 8, 3]"#, 4.9, "1"), (#"["step", ["zoom"], 1, 5, 2, 8, 3]"#, 5, "2"),
      (#"["interpolate", ["linear"], ["zoom"], 5, 1, 8, 2]"#, 4, "1"),
      (#"["interpolate", ["linear"], ["zoom"], 5, 1, 8, 2]"#, 6, "[1,2]"),
      (#"["interpolate", ["linear"], ["zoom"], 5, 1, 8, 2]"#, 9, "2"),
      (#"{"stops": [[5, "a"], [8, "b"]]}"#, 7.5, #"["a","b"]"#),
      (#"{"type": "interval", "stops": [[5, "a"], [8, "b"]]}"#, 7.5, #""a""#),
      (
        #"{"property": "p", "stops": [[{"zoom": 1, "value": 2}, 3], [{"zoom": 1, "value": 4}, 5], [{"zoom": 6, "value": 2}, 7]]}"#,
        0,
        #"{"property":"p","stops":[[2,3],[4,5]]}"#
      ),
    ])
  func written(text: String, zoom: Double, expected: String) throws {
    let stops = try #require(StyleZoomStops(JSONValue(parsing: text), isInterpolated: true))
    #expect(stops.written(at: zoom) == (try JSONValue(parsing: expected)))
  }

  @Test(
    "Values without stops of the zoom have none",
    arguments: [
      "3", #"["step", ["get", "rank"], 1, 5, 2]"#, #"{"property": "p", "stops": [[1, 2]]}"#,
      #"{"stops": []}"#,
      #"["interpolate", ["linear"], ["zoom"], "x", 1]"#,
    ])
  func none(text: String) throws {
    #expect(StyleZoomStops(try JSONValue(parsing: text), isInterpolated: true) == nil)
  }

  @Test("All zooms of a value are those of inner stops and of comparisons, too")
  func zooms() throws {
    let json = try JSONValue(
      parsing:
        #"["all", [">=", ["zoom"], 11], ["case", true, ["step", ["zoom"], 1, 5, 2], {"stops": [[7, 1], [9, 2]]}]]"#
    )
    #expect(StyleZoomStops.zooms(in: json) == [5, 7, 9, 11])
  }
}
