import Foundation

/// A table of cases in Cases/, made by the Python script beside it.
enum CaseFile {
  /// The lines of a file, split at tabs; those that begin with # are left out.
  static func rows(of name: String) throws -> [[Substring]] {
    guard let url = Bundle.module.url(forResource: "Cases/\(name)", withExtension: "tsv") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
  }

  /// Numbers between blanks, decimal or hexadecimal; one that is none becomes NaN.
  static func numbers(_ text: Substring) -> [Double] {
    text.split(separator: " ").map { Double($0) ?? .nan }
  }
}
