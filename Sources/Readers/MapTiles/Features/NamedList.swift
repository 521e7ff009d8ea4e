import MapModel
import MapReaders

/// Elements with names, such as layers and fields, in order of first appearance.
struct NamedList<Element: Sendable>: Sendable {
  /// The elements.
  var elements: [Element] = []
  private var places: [ExactText: Int] = [:]
  private let noun: String
  private let limit: Int

  /// Creates an empty list of at most `limit` elements.
  ///
  /// - Parameter noun: the elements in messages, such as `layers`.
  init(of noun: String, limit: Int) { (self.noun, self.limit) = (noun, limit) }

  /// Returns the index of the element with a name, which is created if there is none yet.
  ///
  /// - Throws: `TileError` for more elements than the limit.
  mutating func index(of name: String, _ create: (String) -> Element) throws(TileError) -> Int {
    let exact = ExactText(name)
    if let place = places[exact] { return place }
    guard elements.count < limit else { throw TileError("has more than \(limit) \(noun), the limit") }
    places[exact] = elements.count
    elements.append(create(name))
    return elements.count - 1
  }
}
