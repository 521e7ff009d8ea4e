import MapJSON

extension MapPath {
  /// The OpenAPI document of all paths, for maps with some ids.
  ///
  /// - Source: OpenAPI 3.0.3.
  /// - Parameters:
  ///   - root: the public address of the server.
  ///   - hasToken: whether requests need a token.
  ///   - writing: the paths that write files.
  static func openAPI(
    release: String, maps: [String], root: String, hasToken: Bool, writing: [WritingPath] = []
  ) -> JSONValue {
    let json = ["application/json"]
    var paths: JSONObject = [
      "/": operation(
        "root", "A page with examples for web pages and QGIS.", ["text/html"], [],
        [RequestParameter("map", .text, "Id of the map of the examples.")]),
      "/maps": operation("maps", "The maps of the server.", json),
      "/health": operation("health", "Whether the server works.", json),
      "/metrics": operation("metrics", "Counters of the server.", ["text/plain"]),
      "/openapi.json": operation("openapi", "This document.", json),
    ]
    let map: [(String, JSONValue)] = [("id", ["type": "string", "enum": .array(maps.map { .string($0) })])]
    for path in allCases {
      var segments = map
      if path == .seriesImage { segments += [("number", ["type": "integer", "minimum": 0])] }
      if path == .tile { segments += ["z", "x", "y"].map { ($0, ["type": "integer", "minimum": 0]) } }
      paths[path == .description ? "/maps/{id}" : "/maps/{id}/\(path.rawValue)"] = operation(
        path == .description ? "map" : "\(path)", path.summary, path.types, segments, path.parameters)
    }
    paths["/maps/{id}/preview"] = operation("preview", "A page that shows the map.", ["text/html"], map)
    let text: JSONValue = ["type": "string"]
    let collection = map + [("collection", text)]
    let layer: [(String, JSONValue)] = map + [("layer", ["type": "integer", "minimum": 0])]
    let (ogc, format) = (OGCService.self, OGCService.format)
    let geoJSON = ["application/geo+json"]
    let images = ["image/png", "image/jpeg"]
    let standard: [(String, String, [String], [(String, JSONValue)], [RequestParameter])] = [
      ("ogc", "The landing page of the OGC API.", json, map, [format]),
      ("ogc/conformance", "The classes of the OGC API that are served.", json, map, [format]),
      ("ogc/map", "An image of the map.", images, map, ogc.image),
      ("ogc/collections", "The collections, which are the layers.", json, map, [format]),
      ("ogc/collections/{collection}", "A collection.", json, collection, [format]),
      (
        "ogc/collections/{collection}/queryables", "The fields of a collection.", ["application/schema+json"],
        collection, [format]
      ),
      ("ogc/collections/{collection}/map", "An image of a layer.", images, collection, ogc.image),
      (
        "ogc/collections/{collection}/items", "Features of a collection.", geoJSON, collection, ogc.items
      ),
      (
        "ogc/collections/{collection}/items/{item}", "A feature.", geoJSON,
        collection + [("item", ["type": "integer"])], [format, ogc.items[8]]
      ),
      ("FeatureServer", "A feature service.", json, map, [FeatureServer.format]),
      ("FeatureServer/{layer}", "A layer of the feature service.", json, layer, [FeatureServer.format]),
      ("FeatureServer/{layer}/query", "The operation query.", json + geoJSON, layer, FeatureServer.query),
      ("MapServer", "A map service.", json, map, [FeatureServer.format]),
      ("MapServer/{layer}", "A layer of the map service.", json, layer, [FeatureServer.format]),
      ("MapServer/{layer}/query", "The operation query.", json + geoJSON, layer, FeatureServer.query),
      (
        "MapServer/export", "The operation export.", images + ["image/svg+xml", "application/pdf"] + json,
        map,
        FeatureServer.export
      ),
    ]
    for (path, summary, types, segments, parameters) in standard {
      let id = path.filter { $0 != "{" && $0 != "}" }.map { $0 == "/" ? "_" : "\($0)" }.joined()
      paths["/maps/{id}/\(path)"] = operation(
        id, summary, types, segments, parameters,
        allowsEmpty: ["/query", "/export"].contains { path.hasSuffix($0) })
    }
    for path in writing {
      let token: JSONValue = [
        "name": "X-MapState-Token", "in": "header", "required": true, "schema": text,
        "description": "Token that the server printed.",
      ]
      paths["/maps/{id}/\(path.rawValue)"] = operation(
        "\(path)", path.summary, json, map, path.parameters, method: "post", headers: [token])
    }
    var document: JSONObject = [
      "openapi": "3.0.3", "info": ["title": "MapState", "version": .string(release)],
      "servers": [["url": .string(root)]], "paths": .object(paths),
    ]
    if hasToken {
      document["components"] = [
        "securitySchemes": [
          "bearer": ["type": "http", "scheme": "bearer"],
          "parameter": ["type": "apiKey", "in": "query", "name": "token"],
        ]
      ]
      document["security"] = [["bearer": []], ["parameter": []]]
    }
    return .object(document)
  }

  private static func operation(
    _ id: String, _ summary: String, _ types: [String], _ segments: [(String, JSONValue)] = [],
    _ parameters: [RequestParameter] = [], method: String = "get", headers: [JSONValue] = [],
    allowsEmpty: Bool = false
  ) -> JSONValue {
    let path: [JSONValue] = segments.map {
      ["name": .string($0.0), "in": "path", "required": true, "schema": $0.1]
    }
    let query: [JSONValue] = parameters.map { parameter in
      var object: JSONObject = [
        "name": .string(parameter.name), "in": "query", "description": .string(parameter.description),
        "schema": parameter.schema(allowsEmpty: allowsEmpty),
      ]
      if parameter.isRequired { object["required"] = true }
      if allowsEmpty { object["allowEmptyValue"] = true }
      return .object(object)
    }
    let fault = answer("The reason.", ["application/json"])
    var responses: JSONObject = ["200": answer(summary, types)]
    for status in ["400", "404", "503"] + (method == "post" ? ["403", "405", "409"] : []) {
      responses[status] = fault
    }
    return .object([
      method: [
        "operationId": .string(id), "summary": .string(summary),
        "parameters": .array(path + query + headers), "responses": .object(responses),
      ]
    ])
  }

  private static func answer(_ description: String, _ types: [String]) -> JSONValue {
    var content = JSONObject()
    for type in types {
      let isBinary = type.hasPrefix("image/") || type.hasSuffix("pdf") || type.hasSuffix("stream")
      content[type] = ["schema": isBinary ? ["type": "string", "format": "binary"] : [:]]
    }
    return ["description": .string(description), "content": .object(content)]
  }
}
