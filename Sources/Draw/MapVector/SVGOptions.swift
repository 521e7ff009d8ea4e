/// The options of an SVG image.
public struct SVGOptions: Hashable, Sendable {
  /// Whether text is written as text, in the font family Noto Sans; otherwise as outlines, which need no font.
  public var writesText = false
  /// Whether the first element of each feature has the attribute `data-id`.
  ///
  /// A drawn feature whose symbol paints nothing is an empty group with its id.
  public var writesIDs = false
  /// Whether the first element of each feature has its title, which browsers show as a tooltip.
  public var writesTitles = false

  /// Creates options for text as outlines, without ids and titles.
  public init() {}
}

/// The ids and titles of a layer's features, by table row.
package struct SVGFeatures: Sendable {
  /// The id of each row; empty for none.
  package var ids: [Int64] = []
  /// The title of each row; empty for none.
  package var titles: [String] = []
  /// The drawn rows, also those whose symbol paints nothing.
  package var drawn: [Int] = []

  package init() {}
}
