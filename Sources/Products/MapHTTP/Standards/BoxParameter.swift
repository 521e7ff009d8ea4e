import MapGeometry
import MapJSON
import MapState

/// A rectangle that features must intersect, as standards define it.
///
/// The extent of a question meets the envelopes of features. These standards compare the geometries.
enum BoxParameter {
  /// Sets the condition in the parameters of a question about a layer.
  ///
  /// - Parameters:
  ///   - box: west, south, east and north; west above east crosses the antimeridian.
  ///   - relation: the relation of the rectangle to a feature.
  static func set(
    _ box: [Double], wkid: Int, relation: String = "intersects", kind: GeometryKind?,
    in parameters: inout JSONObject
  ) {
    let (west, south, east, north) = (box[0], box[1], box[2], box[3])
    let meetsEnvelopes = kind == .point && relation == "intersects" || relation == "envelopeIntersects"
    guard !meetsEnvelopes, west < east, south < north else {
      parameters["bounds"] = .string("\(west),\(south),\(east),\(north),\(wkid)")
      return
    }
    let corners = [(west, south), (west, north), (east, north), (east, south), (west, south)]
    parameters["everywhere"] = true
    parameters["geometry"] = [
      "rings": [.array(corners.map { [.number($0.0), .number($0.1)] })],
      "spatialReference": ["wkid": .number(wkid)],
    ]
    parameters["relation"] = .string(relation)
  }

  /// Reads four numbers, or the six of a box with heights.
  ///
  /// - Throws: ``HTTPFault``.
  static func numbers(_ text: String, _ name: String) throws(HTTPFault) -> [Double] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let numbers = parts.compactMap { $0 }.filter(\.isFinite)
    guard numbers.count == parts.count, [4, 6].contains(numbers.count) else {
      throw HTTPFault(400, "\(name): expected four numbers between commas")
    }
    let box = numbers.count == 4 ? numbers : [numbers[0], numbers[1], numbers[3], numbers[4]]
    guard box[1] <= box[3] else { throw HTTPFault(400, "\(name): the lower side is above the upper one") }
    return box
  }
}
