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

  /// The bytes that pairs of hexadecimal digits stand for.
  static func bytes(_ hexadecimal: Substring) -> [UInt8] {
    let digits = hexadecimal.utf8.map { UInt8($0 < 0x61 ? $0 - 0x30 : $0 - 0x61 + 10) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
