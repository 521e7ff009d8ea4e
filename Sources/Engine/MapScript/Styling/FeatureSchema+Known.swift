import MapFeatures
import MapState
import MapSystem

extension FeatureSchema {
  /// Returns the index of a field that an option names.
  ///
  /// - Throws: `MapStateError` of kind input with the nearest name.
  func known(_ field: String, of option: String) throws(MapStateError) -> Int {
    if let index = index(ofField: field) { return index }
    let names = fields.map(\.name)
    let nearest = NearestName.of(field, among: names)
    let known = "available: \(names.isEmpty ? "none" : names.joined(separator: ", "))"
    throw MapStateError(
      .input, "\(option): no field named \"\(field)\"; \(nearest.map { "did you mean \"\($0)\"?" } ?? known)",
      suggestion: nearest)
  }
}
