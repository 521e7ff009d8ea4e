import Foundation
import MapJSON
import Testing

import MapStyles

/// The expression tests of the MapLibre Style Specification.
@Suite struct StyleExpressionConformanceTests {
  /// Tests that we do not pass, with the reason.
  static let exceptions: [String: String] = [:]

  @Test("Expressions have the types, values and errors of the specification's tests")
  func conformance() throws {
    let cases = try ExpressionCase.all()
    let failures = cases.filter { Self.exceptions[$0.name] == nil }.compactMap { test -> String? in
      let differences = test.differences()
      return differences.isEmpty ? nil : "\(test.name): \(differences.prefix(3).joined(separator: "; "))"
    }
    let isHeldOut = ProcessInfo.processInfo.environment["MAPSTATE_STYLE_EXPRESSIONS"] != nil
    print("\(cases.count) expression tests, \(failures.count) failures")
    if isHeldOut {
      #expect(cases.count > 0)
      #expect(Double(failures.count) <= 0.03 * Double(cases.count), "\(failures.joined(separator: "\n"))")
    } else {
      #expect(cases.count == 281)
      #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
  }

  @Test("Errors are worded as in the specification's tests")
  func messages() throws {
    let cases = try ExpressionCase.all()
    let failures = cases.compactMap { test -> String? in
      let differences = test.messageDifferences()
      return differences.isEmpty ? nil : "\(test.name): \(differences.prefix(3).joined(separator: "; "))"
    }
    #expect(Double(failures.count) <= 0.03 * Double(cases.count), "\(failures.joined(separator: "\n"))")
  }
}
