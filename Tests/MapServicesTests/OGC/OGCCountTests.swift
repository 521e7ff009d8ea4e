import MapFeatures
import MapServices
import Testing

/// Counts of services that state no number of matching features.
@Suite struct OGCCountTests {
  private static let notice = "the service does not state how many features match (numberMatched)"

  private func source(_ change: (inout OGCStub.Settings) -> Void = { _ in }) async throws -> ServiceSource {
    var settings = OGCStub.Settings()
    settings.features = OGCStub.features(30)
    change(&settings)
    return try await ServiceSource(OGCStub(settings).opened(), operations: .builtIn)
  }

  @Test("A stated number of features makes counts exact")
  func statedNumber() async throws {
    let source = try await source()
    #expect(source.isExact)
    #expect(!source.warnings.contains { $0.hasPrefix(Self.notice) })
  }

  @Test("Without a stated number counts are inexact and a warning is given")
  func noNumber() async throws {
    let source = try await source { $0.numbers = { _, returned in #","numberReturned":\#(returned)"# } }
    #expect(try await source.count(OGCStub.query()) == 30)
    #expect(!source.isExact)
    #expect(source.warnings.filter { $0.hasPrefix(Self.notice) }.count == 1)
  }
}
