/// A place of a map that people come back to, by name.
public struct Bookmark: Hashable, Sendable {
  /// The name for people.
  public var name: String
  /// What it shows.
  public var viewpoint: Viewpoint

  /// A place by name.
  public init(name: String, viewpoint: Viewpoint) { (self.name, self.viewpoint) = (name, viewpoint) }
}
