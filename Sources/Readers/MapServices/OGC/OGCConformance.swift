import MapJSON

/// The conformance classes that a service declares.
struct OGCConformance: Sendable {
  private let names: Set<String>

  /// Reads the classes of a declaration.
  ///
  /// A class is known by the last step of its address, because services announce drafts and versions.
  init(_ declaration: JSONValue?) {
    let addresses = declaration?["conformsTo"]?.array ?? []
    names = Set(addresses.compactMap { $0.string?.split(separator: "/").last?.lowercased() })
  }

  /// Whether the service declares a class.
  func has(_ name: String) -> Bool { names.contains(name) }

  /// Whether the service supports filters.
  ///
  /// - Source: OGC 19-079 (Features, part 3), `features-filter`, in drafts `filter`.
  var hasFilters: Bool { has("features-filter") || has("filter") }

  /// Whether the service declares that it reads CQL2 in its text encoding.
  ///
  /// - Source: OGC 21-065 (CQL2); some services declare filters and leave out what they read.
  var hasCQL2Text: Bool { has("cql2-text") && has("basic-cql2") }
}
