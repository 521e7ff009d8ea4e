import MapSystem

/// The error for a vector tile that is refused: the reason in lower case, without a full stop.
package struct VectorTileError: Error, Hashable, CustomStringConvertible {
  /// The fault, with its layer and feature.
  package let description: String

  /// Creates an error with its reason.
  package init(_ description: String) { self.description = description }
}

/// A violation of the specification in a tile that can be read in spite of it.
package struct VectorTileProblem: Hashable, Sendable, CustomStringConvertible {
  /// The name of the layer.
  package let layer: String
  /// The number of the feature in the tile's layer, from 1; nil for a problem of the layer.
  package let feature: Int?
  /// The rule that is violated.
  package let reason: Reason
  /// Whether the feature, or the layer, was left out.
  package let isSkipped: Bool

  /// The rules that a layer or a feature can violate.
  package enum Reason: Hashable, Sendable {
    /// A layer of a version after 2.
    case version(UInt64)
    /// Several layers have this name; all are read.
    case repeatedName
    /// Keys or text values that are not UTF-8; their bad bytes were replaced.
    case notUTF8(count: Int)
    /// A feature of a geometry type that the specification does not define, or leaves open (0).
    case geometryType(UInt64)
    /// A feature without geometry.
    case noGeometry
    /// A feature with more than one field of packed geometry.
    case severalGeometries
    /// Lines of one vertex, or rings without area; they were left out.
    case emptyParts
    /// Vertices equal to those before them; they were kept.
    case repeatedVertices
    /// Rings without ClosePath; they were closed.
    case openRings
    /// A polygon whose first ring is an interior ring; all its rings were kept.
    case noExteriorRing
    /// Commands that the specification writes as one; they were read as one.
    case splitCommands
    /// Two values for one key; the last was kept.
    case repeatedKey
  }

  /// The layer, the feature and the reason in one line.
  package var description: String {
    let place = feature.map { "feature \($0) of layer" } ?? "layer"
    return "\(place) \"\(MessageText.name(layer))\"\(isSkipped ? " was left out" : ""): \(reason)"
  }
}

extension VectorTileProblem.Reason {
  /// Whether something of the features is lost or replaced; other violations leave them as they are meant.
  package var isLoss: Bool {
    switch self {
    case .version, .notUTF8, .geometryType, .noGeometry, .severalGeometries, .emptyParts, .repeatedKey: true
    case .repeatedName, .repeatedVertices, .openRings, .noExteriorRing, .splitCommands: false
    }
  }
}

extension VectorTileProblem.Reason: CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  package var description: String {
    switch self {
    case .version(let version): "its version is \(version); versions 1 and 2 can be read"
    case .repeatedName: "another layer has the same name"
    case .notUTF8(let count): "\(count) keys or values are not UTF-8; their bad bytes were replaced"
    case .geometryType(0): "its geometry type is unknown"
    case .geometryType(let type): "its geometry type is \(type); 1 to 3 can be read"
    case .noGeometry: "it has no geometry"
    case .severalGeometries: "it has several geometries"
    case .emptyParts: "lines of one vertex or rings without area were left out"
    case .repeatedVertices: "vertices repeat the vertex before them"
    case .openRings: "rings without ClosePath were closed"
    case .noExteriorRing: "its first ring is an interior ring"
    case .splitCommands: "commands of one kind follow each other"
    case .repeatedKey: "it has two values for one key; the last was kept"
    }
  }
}

/// The problems of a tile: the first ones, and the number of all.
package struct VectorTileProblems: Sendable {
  /// The first problems, in the order of the tile, at most ``limit``.
  package private(set) var first: [VectorTileProblem] = []
  /// The number of all problems.
  package private(set) var count = 0
  /// The number of features that were left out.
  package private(set) var skippedFeatures = 0

  /// The maximum number of problems that are kept.
  ///
  /// - Source: design decision.
  package static let limit = 100

  mutating func append(
    _ reason: VectorTileProblem.Reason, layer: String, feature: Int? = nil, skipped: Bool = false
  ) {
    count += 1
    if skipped, feature != nil { skippedFeatures += 1 }
    guard first.count < Self.limit else { return }
    first.append(VectorTileProblem(layer: layer, feature: feature, reason: reason, isSkipped: skipped))
  }
}
