/// The placed labels of an image, and the result for each candidate.
package struct LabelDrawing: Sendable {
  /// The labels, one display layer for each layer that has labels, from the bottom.
  package let layers: [DisplayLayer]
  /// The label counts of each class.
  package let report: LabelReport
  /// The results for the one requested feature, in the order of placement.
  package let results: [LabelResult]
  /// The number of markers and boxes compared with labels.
  package let comparisons: Int
}

/// The result of placing one label of a feature.
package struct LabelResult: Hashable, Sendable {
  /// The index of the label class in the layer.
  package let classIndex: Int
  /// The name of the result in ``LabelReport/Class/counts``.
  package let name: String
  /// The text of the label.
  package let text: String
}
