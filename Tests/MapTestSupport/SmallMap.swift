import Foundation

/// A small document with data beside it, whose counts are easy to check by eye.
///
/// Eight points on the equator at 0° to 7° east, `n` 0 to 7, `kind` a and b in turn, one day each in January
/// 2020; and a square over 0° to 4°.
public enum SmallMap {
  /// The points as GeoJSON.
  public static let places: String = {
    let features = (0..<8).map { n in
      """
      {"type":"Feature","id":\(n + 1),"properties":{"n":\(n),"half":\(Double(n) / 2),"kind":"\(n % 2 == 0 ? "a" : "b")","day":"2020-01-0\(n + 1)T12:00:00Z"},"geometry":{"type":"Point","coordinates":[\(n),0]}}
      """
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\n" + features.joined(separator: ",\n") + "\n]}\n"
  }()

  /// The square as GeoJSON.
  public static let square =
    #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"square"},"geometry":{"type":"Polygon","coordinates":[[[0,-1],[4,-1],[4,1],[0,1],[0,-1]]]}}]}"#

  /// Three rows of a table with places.
  public static let csv = "name,n,longitude,latitude\none,1,1,0\n\"two, too\",2,2,0\nthree,,3,0\n"

  /// The document: `Square` below `Places`, with the definition n > 1 and a display filter for kind a.
  public static func document(placesURL: String = "data/places.geojson") -> String {
    """
    {
      "version": "2.31",
      "background": {"color": [255, 255, 255, 255]},
      "operationalLayers": [
        {"id": "square", "title": "Square", "layerType": "GeoJSON", "url": "data/square.geojson",
         "layerDefinition": {"drawingInfo": {"renderer": {"type": "simple", "symbol": {
           "type": "esriSFS", "style": "esriSFSSolid", "color": [220, 230, 240, 255]}}}}},
        {"id": "places", "title": "Places", "layerType": "GeoJSON", "url": "\(placesURL)",
         "layerDefinition": {
           "definitionExpression": "n > 1",
           "displayFilterInfo": {"filterMode": "manual", "activeFilterId": "A",
             "filters": [{"id": "A", "title": "Only a", "where": "kind = 'a'"}]},
           "timeInfo": {"startTimeField": "day"},
           "drawingInfo": {"renderer": {"type": "simple", "symbol": {
             "type": "esriSMS", "style": "esriSMSCircle", "color": [200, 30, 30, 255], "size": 6}}}}}
      ],
      "initialState": {"viewpoint": {"targetGeometry": {
        "xmin": -1, "ymin": -1, "xmax": 5.5, "ymax": 1, "spatialReference": {"wkid": 4326}}}},
      "spatialReference": {"wkid": 102100, "latestWkid": 3857}
    }
    """
  }

  /// Writes the document and its data and returns the document's path.
  public static func write(to folder: ScratchFolder, placesURL: String = "data/places.geojson") throws
    -> String
  {
    try folder.write(places, to: "data/places.geojson")
    try folder.write(square, to: "data/square.geojson")
    try folder.write(csv, to: "data/table.csv")
    return try folder.write(document(placesURL: placesURL), to: "map.json")
  }
}
