package import MapFeatures
package import MapGeometry
import MapJSON
import MapReaders
import Synchronization

/// A layer or table of an ArcGIS feature or map service.
///
/// The service counts first, and the features must match that count: missing, extra or repeated ones are an error,
/// never a partial result. The service's own rules remain: its database decides how text compares. Coordinates meet
/// within its tolerance, by default a millimetre.
///
/// - Source: ArcGIS REST API, query of feature service and map service layers.
package struct ArcGISLayer: ServiceLayer {
  /// The fields, geometry kind and spatial reference of the features that the service returns.
  package let schema: FeatureSchema
  let description: ArcGISDescription
  let resource: ArcGISResource
  let buffers: BufferUse

  /// Opens a layer by its address: `…/FeatureServer/0`, `…/MapServer/0`, or the address of a service with one layer.
  ///
  /// - Throws: ``ServiceError``; for a service of several layers it lists them.
  package static func open(_ url: String, client: ServiceClient) async throws -> ArcGISLayer {
    let client = client.begun()
    let address = try ArcGISAddress(url)
    var resource = ArcGISResource(url: address.url, client: client)
    if address.layer == nil { resource = resource.appending(try await Self.onlyLayer(of: resource)) }
    let answer = try await resource.response([("f", "json")])
    let node = try answer.json()
    let description = try answer.read { () throws(JSONDecodingError) in try ArcGISDescription(node) }
    return ArcGISLayer(description, resource)
  }

  private init(_ description: ArcGISDescription, _ resource: ArcGISResource) {
    (self.description, self.resource, schema) = (description, resource, description.form.schema)
    // The storage resolution is known only for the built-in spatial references, so others are fetched as JSON.
    buffers = BufferUse(description.abilities.hasBuffers && (schema.spatialReference?.isBuiltIn ?? true))
  }

  /// Returns the number of a service's only layer.
  private static func onlyLayer(of service: ArcGISResource) async throws(ServiceError) -> String {
    let answer = try await service.response([("f", "json")])
    let node = try answer.json()
    let layers = try answer.read { () throws(JSONDecodingError) in
      var layers: [(id: Int, name: String)] = []
      for layer in try node.elements("layers") + node.elements("tables") {
        layers.append((try layer.required("id").integer(), try layer.string("name") ?? ""))
      }
      return layers
    }
    guard layers.count == 1 else {
      let list = layers.map { "\($0.id) \($0.name)" }.joined(separator: ", ")
      throw answer.fault(
        layers.isEmpty
          ? "a service without layers"
          : "a service of \(layers.count) layers: add the number of one to the address: \(list)")
    }
    return String(layers[0].id)
  }

  /// The envelope that the service states, in the schema's spatial reference; nil if it states none.
  package var statedExtent: Envelope? { description.extent }
  /// The layer's name, drawing information, time fields and scale range.
  package var metadata: SourceMetadata { description.metadata }
  /// Notices about conditions evaluated locally because the service cannot, and about losses in its description.
  package var notices: [String] { description.notices }

  /// Returns the number of matching features, as counted by the service.
  ///
  /// - Throws: ``ServiceError``.
  package func count(_ query: FeatureQuery) async throws -> Int {
    try await count(conditions(query), resource.begun())
  }

  /// Returns all matching features in the order of their ids.
  ///
  /// - Cost: one request for the count and one per page; memory for twice the columns while pages are joined.
  /// - Throws: ``ServiceError``, also if the pages hold another number of features than the service counts.
  package func features(_ query: FeatureQuery) async throws -> FeatureColumns {
    try await features(conditions(query), first: .max)
  }

  /// Returns the first `limit` matching features in the order of their ids; nil for another order, or if the service
  /// cannot page or order.
  ///
  /// - Throws: The errors of ``features(_:)``.
  package func features(
    _ query: FeatureQuery, first limit: Int, in order: [OrderBy]
  ) async throws -> FeatureColumns? {
    let query = try conditions(query)
    let abilities = description.abilities
    guard order.isEmpty, query.count == 1, abilities.canPage, abilities.canOrder, description.idField != nil
    else {
      return nil
    }
    return try await features(query, first: limit)
  }

  private func features(
    _ query: [ArcGISResource.Parameters], first limit: Int
  ) async throws -> FeatureColumns {
    let resource = resource.begun()
    let all = try await count(query, resource)
    let count = min(all, limit)
    guard count <= resource.client.limits.features else {
      throw fault(
        "\(count) features match, but at most \(resource.client.limits.features) are fetched; add a filter or an extent"
      )
    }
    guard count > 0 else { return FeatureColumns(joining: [], schema: schema) }
    let pages = ArcGISPages(
      layer: self, query: resource.appending("query"), count: count, isWhole: count == all)
    return try await pages.features(query)
  }

  func fault(_ reason: String) -> ServiceError { ServiceError(reason, at: resource.url) }

  func count(_ parts: [ArcGISResource.Parameters], _ resource: ArcGISResource)
    async throws(ServiceError) -> Int
  {
    var count = 0
    for part in parts {
      let answer = try await resource.appending("query").response(
        part + [("returnCountOnly", "true"), ("f", "json")])
      let node = try answer.json()
      let more = try answer.read { () throws(JSONDecodingError) in
        let number = try node.required("count")
        guard let count = number.value.integer, count >= 0 else {
          throw number.invalid("not a number of features")
        }
        guard try node.boolean("exceededTransferLimit") != true else {
          throw number.invalid(
            "cut at the service's limit (exceededTransferLimit), so that more features may match")
        }
        return count
      }
      count = count.added(more)
    }
    return count
  }
}

/// A switch for protocol buffers: off from the first page whose coordinates are rounded.
final class BufferUse: Sendable {
  private let state: Mutex<Bool>

  init(_ areUsed: Bool) { state = Mutex(areUsed) }

  var areUsed: Bool { state.withLock { $0 } }

  /// Requests features in JSON from now on, which holds every coordinate in full.
  func stop() { state.withLock { $0 = false } }
}
