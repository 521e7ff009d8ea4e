/// A named viewpoint of a map.
public struct Bookmark: Hashable, Sendable {
  /// The display name.
  public var name: String
  /// The viewpoint that the bookmark shows.
  public var viewpoint: Viewpoint

  /// Creates a bookmark.
  public init(name: String, viewpoint: Viewpoint) { (self.name, self.viewpoint) = (name, viewpoint) }
}
