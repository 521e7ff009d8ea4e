/// The place of a folder in its file, and what the file shows of it.
package struct KMLFolder: Hashable, Sendable {
  /// The numbers of the folders and documents around the placemarks, the outermost first.
  ///
  /// They count all of the file in the order of their start, from 0.
  package let numbers: [Int]
  /// Whether the file hides it, or a folder around it.
  package let isHidden: Bool
  /// The field with the names of placemarks; nil if they have none.
  package let nameField: String?
  /// The field that is 0 for placemarks that the file hides one by one; nil if there are none.
  package let visibilityField: String?
  /// The warning that hidden placemarks were read; nil if there are none.
  package let hiddenWarning: String?
}
