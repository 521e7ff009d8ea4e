/// A font file of the user, for labels and text symbols.
///
/// The module `MapState` opens font files: `FontFile(path:)`.
public struct FontFile: Hashable, Sendable {
  /// The largest file in bytes, 64 MiB, and the largest number of fonts of a map.
  ///
  /// - Source: design decision; fonts of all Chinese characters take about 20 MB.
  package static let (largestSize, largestCount) = (64 << 20, 32)

  /// The name of the file.
  public let name: String
  /// The family that documents name; empty for a font without one.
  public let family: String
  /// The content of the file.
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8], family: String) {
    (self.name, self.bytes, self.family) = (name, bytes, family)
  }

  /// Hashes the name and the number of bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(bytes.count)
  }
}

extension DocumentWarning {
  /// Returns the message about a family that no font has.
  package static func missingFamily(_ family: String) -> String {
    "approximated: text is set in Noto Sans, not \"\(family)\""
  }

  /// Returns whether a warning is about a family that one of some fonts has.
  package func isSolved(by fonts: [FontFile]) -> Bool {
    fonts.contains {
      !$0.family.isEmpty && message.lowercased() == Self.missingFamily($0.family).lowercased()
    }
  }
}
