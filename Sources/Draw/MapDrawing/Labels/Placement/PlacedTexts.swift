import MapGeometry
import MapModel

/// The texts of the placed labels, with which duplicates are compared.
struct PlacedTexts {
  /// The class and position of a placed label.
  private struct Place {
    let layerIndex: Int
    let classIndex: Int
    let kind: GeometryKind
    let center: (x: Double, y: Double)
  }

  private var places: [String: [Place]] = [:]

  /// Returns a text in one line, so that line breaks make no difference.
  private static func joined(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "\n")) ? text.replacing("\n", with: " ") : text
  }

  /// Keeps the text and position of a placed label.
  mutating func insert(_ text: String, at place: (x: Double, y: Double), of candidates: LabelCandidates) {
    places[Self.joined(text), default: []].append(
      Place(
        layerIndex: candidates.layerIndex, classIndex: candidates.classIndex, kind: candidates.kind,
        center: place))
  }

  /// Returns whether a label with the same text is where the class's duplicate removal forbids another.
  func isDuplicate(
    _ text: String, at place: (x: Double, y: Double), of candidates: LabelCandidates
  ) -> Bool {
    let removal = candidates.definition.duplicateRemoval
    guard removal != .none, let others = places[Self.joined(text)] else { return false }
    let distance = candidates.definition.duplicateRemovalDistance * candidates.pixelRatio
    return others.contains { other in
      let isRelated =
        switch removal {
        case .none: false
        case .labelClass:
          other.layerIndex == candidates.layerIndex && other.classIndex == candidates.classIndex
        case .featureType: other.kind == candidates.kind
        case .all: true
        }
      let (dx, dy) = (place.x - other.center.x, place.y - other.center.y)
      return isRelated && (distance == 0 || dx * dx + dy * dy <= distance * distance)
    }
  }
}
