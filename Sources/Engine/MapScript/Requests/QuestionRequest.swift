public import MapFeatures
public import MapFilter
public import MapGeometry
package import MapJSON
public import MapState

/// The treatment of case in names of CQL2.
public enum PropertyCase: String, CaseIterable, Sendable {
  /// Names match only as written.
  case sensitive
  /// Names match in any case.
  case insensitive
}

/// A request for features, from options, a step or a snapshot case.
public struct QuestionRequest: Hashable, Sendable {
  /// The extent to search; nil for none.
  public var bounds: Envelope?
  /// Whether the area of the view is searched.
  public var inView = false
  /// Whether all features are searched, without an extent.
  public var everywhere = false
  /// The SQL condition; nil for none.
  public var whereClause: ParsedFilter?
  /// The CQL2 condition; nil for none.
  public var cql2: ParsedFilter?
  /// The treatment of case in ``cql2``; nil for case-sensitive names.
  public var propertyCase: PropertyCase?
  /// The query geometry; nil for none.
  public var geometry: QueryGeometry?
  /// The relation of the query geometry to a feature; nil if they intersect.
  public var relation: QueryRelation?
  /// The time span; nil for any time.
  public var time: TimeExtent?
  /// The object ids of the features; nil for any.
  public var objectIDs: [Int64]?

  /// Creates a request for the features in the view.
  public init() {}

  /// Whether the request names an extent or a geometry.
  public var asksExtent: Bool { !everywhere && (bounds != nil || inView || geometry != nil) }

  /// Returns the question.
  ///
  /// - Parameters:
  ///   - area: The area if the request names none; nil for everywhere with a geometry, else the view.
  ///   - folder: The folder of a relative path of the geometry.
  /// - Throws: `MapStateError` if the geometry cannot be read.
  public func question(
    area: FeatureQuestion.Area? = nil, folder: String = "."
  ) throws(MapStateError) -> FeatureQuestion {
    var question = FeatureQuestion()
    do {
      question.geometry = try geometry.map { geometry in
        try SpatialCondition(
          geometry.read(in: folder), relation?.relationship ?? .intersects, pattern: relation?.pattern)
      }
    } catch {
      throw MapStateError(error)
    }
    question.area =
      everywhere
      ? .everywhere
      : inView ? .view : bounds.map { .envelope($0) } ?? area ?? (geometry == nil ? .view : .everywhere)
    if let whereClause { question.$whereClause = whereClause }
    if let cql2 { question.$cql2 = cql2 }
    question.cql2NamesHaveCase = propertyCase != .insensitive
    (question.time, question.objectIDs) = (time, objectIDs)
    return question
  }
}

extension QuestionRequest: TabularRequest {
  package static let fields: [RequestField<QuestionRequest>] = [
    RequestField("bounds") { try $1.setBounds($0) },
    RequestField("extent") { try $1.setBounds($0) },
    RequestField("inView", \.inView) { try $0.boolean() },
    RequestField("everywhere", \.everywhere) { try $0.boolean() },
    RequestField("where", \.whereClause) { ParsedFilter(try $0.string()) },
    RequestField("cql2", \.cql2) { node in
      node.value.string == nil ? ParsedFilter(cql2: node.value) : ParsedFilter(cql2: try node.string())
    },
    RequestField("propertyCase", \.propertyCase) { try $0.choice(PropertyCase.self) },
    RequestField("geometry", \.geometry) { try QueryGeometry($0) },
    RequestField("relation", \.relation) { try QueryRelation($0) },
    RequestField("time", \.time) { try TimeExtent($0) },
    RequestField("objectIds", \.objectIDs) { node in
      guard let text = node.value.string else { return try node.elements().map { Int64(try $0.integer()) } }
      return try objectIDs(text: text)
    },
  ]

  /// Reads object ids between commas.
  package static func objectIDs(text: String) throws(MapStateError) -> [Int64] {
    let ids = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Int64(String($0.drop { $0 == " " }))
    }
    guard !ids.contains(nil) else {
      throw MapStateError(.input, "expected whole numbers between commas, for example 3,14")
    }
    return ids.compactMap { $0 }
  }

  /// Reads a request from the members of an object.
  ///
  /// - Throws: `MapStateError` with the JSON path, also for members that contradict each other.
  package init(_ node: JSONNode) throws(MapStateError) {
    try read(node)
    guard [inView, everywhere, bounds != nil].count(where: { $0 }) <= 1 else {
      throw MapStateError(node.invalid("give one of \"bounds\", \"inView\" and \"everywhere\""))
    }
    if geometry == nil, let relation = node["relation"] {
      throw MapStateError(relation.invalid("goes with \"geometry\", which is missing"))
    }
  }

  private mutating func setBounds(_ node: JSONNode) throws {
    guard bounds == nil else {
      throw node.invalid("\"bounds\" and \"extent\" are the same; give one of them")
    }
    bounds = try RequestedExtent.envelope(node)
  }
}
