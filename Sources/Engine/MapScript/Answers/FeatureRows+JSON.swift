package import MapFeatures
import MapGeometry
package import MapJSON
import MapReaders
package import MapState

extension FeatureRows {
  /// The object ids as JSON.
  package var idsJSON: JSONValue { ["ids": .array(objectIDs.map { .number(JSONNumber($0)) })] }

  /// The extent of the features and its spatial reference as JSON; null if no feature has a geometry.
  package var extentJSON: JSONValue {
    let extent = extent
    return [
      "extent": extent.isEmpty ? .null : extent.json,
      "wkid": extent.spatialReference.map { .number($0.wkid) } ?? .null,
    ]
  }

  /// The extent as `xmin,ymin,xmax,ymax,wkid`; `empty` if no feature has a geometry.
  package var extentText: String {
    let extent = extent
    guard !extent.isEmpty else { return "empty" }
    let sides = [extent.xMin, extent.yMin, extent.xMax, extent.yMax].map { "\($0)" }
    return (sides + (extent.spatialReference.map { ["\($0.wkid)"] } ?? [])).joined(separator: ",")
  }

  /// Returns the features as a GeoJSON feature collection, in WGS 84 or in their own spatial reference.
  ///
  /// - Throws: `MapStateError`.
  package func geoJSON(keepsReference: Bool = false) throws(MapStateError) -> JSONValue {
    do {
      return try JSONValue(parsing: try GeoJSONWriter(self, keepsReference: keepsReference).document())
    } catch {
      throw MapStateError(error)
    }
  }
}

extension JSONObject {
  /// Sets the extent of a question, null for everywhere, and its spatial reference.
  package mutating func set(extentOf question: FeatureQuestion, in view: ViewState) {
    let extent = question.extent(in: view)
    self["extent"] = extent?.json ?? .null
    self["wkid"] = .number((extent?.spatialReference ?? view.spatialReference).wkid)
  }
}
