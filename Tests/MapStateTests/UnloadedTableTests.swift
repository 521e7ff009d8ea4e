import Foundation
import MapModel
import MapState
import Testing

/// Layers whose tables are not loaded, or cannot be: a count of 0 would be wrong and silent.
@Suite("Unloaded tables") struct UnloadedTableTests {
  private func view(over path: String) throws -> MapView {
    let table = LocalFeatureTable(fileURL: URL(fileURLWithPath: path))
    let map = Map()
    map.addOperationalLayer(FeatureLayer(featureTable: table))
    return try MapView(map: map, width: 100, height: 100)
  }

  private func answers(_ state: ViewState) async -> [String] {
    let layer = state.layers[0]
    var errors: [String] = []
    var funnel = CountOptions()
    funnel.funnel = true
    for options in [CountOptions(), funnel] {
      do { _ = try await state.counts(options) } catch { errors.append("\(error)") }
    }
    do { _ = try await state.features(of: layer, FeatureQuestion()) } catch { errors.append("\(error)") }
    do { _ = try await state.counts(of: layer, inEach: []) } catch { errors.append("\(error)") }
    return errors
  }

  @Test("A question about a table that is not loaded is an error that names load()")
  func notLoaded() async throws {
    let view = try view(over: "\(#filePath)")
    let errors = await answers(view.freeze())
    #expect(errors.count == 4)
    for error in errors { #expect(error.contains("not loaded; await load()"), "\(error)") }
    let report = try await view.freeze().render().report
    #expect(report.layers.map(\.status) == [.unavailable])
    #expect(report.layers[0].warnings.contains { $0.contains("not loaded") })
  }

  @Test("A question about a table that could not be loaded is an error with the reason")
  func failed() async throws {
    let view = try view(over: "/nosuch/table.csv")
    await view.load()
    let errors = await answers(view.freeze())
    #expect(errors.count == 4)
    for error in errors { #expect(error.contains("/nosuch/table.csv"), "\(error)") }
    let report = try await view.freeze().render().report
    #expect(report.layers.map(\.status) == [.unavailable])
  }
}
