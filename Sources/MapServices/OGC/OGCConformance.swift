import MapJSON

/// The conformance classes that a service declares.
struct OGCConformance: Sendable {
  private let names: Set<String>

  /// The classes of a declaration by the last step of their addresses, since services announce drafts and versions.
  init(_ declaration: JSONValue?) {
    let addresses = declaration?["conformsTo"]?.array ?? []
    names = Set(addresses.compactMap { $0.string?.split(separator: "/").last?.lowercased() })
  }

  /// True for a class that is declared.
  func has(_ name: String) -> Bool { names.contains(name) }

  /// True where features may be filtered.
  ///
  /// - Source: OGC 19-079 (Features, part 3), `features-filter`, in drafts `filter`.
  var hasFilters: Bool { has("features-filter") || has("filter") }

  /// True where the service says that it reads CQL2 in its text encoding.
  ///
  /// - Source: OGC 21-065 (CQL2); some services declare filters and leave out what they read.
  var hasCQL2Text: Bool { has("cql2-text") && has("basic-cql2") }
}
