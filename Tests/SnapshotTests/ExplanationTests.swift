import Foundation
import MapScript
import MapSnapshots
import MapState
import MapTestSupport
import Testing

/// Explanations of features compared with the counts, drawings and labels of the same views.
@Suite struct ExplanationTests {
  private static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The views of all snapshot cases, which include every document in `Styles`, in a fixed order.
  private static func views() async throws -> [(name: String, view: ViewState)] {
    let root = project.appending(path: "Snapshots").path
    var views: [(name: String, view: ViewState)] = []
    for folder in try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    where folder.hasSuffix("/case.json") {
      let name = String(folder.dropLast("/case.json".count))
      let snapshot = try SnapshotCase(folder: "\(root)/\(name)", name: name)
      views.append((name, try await snapshot.view().freeze().fetched()))
    }
    return views
  }

  @Test("An explanation agrees with the funnel, the drawing and the painted pixels")
  func stages() async throws {
    var random = SeededGenerator(seed: 19)
    var (explained, drawn, edge, failed) = (0, 0, 0, Set<String>())
    for (name, view) in try await Self.views() {
      for (index, layer) in view.layers.enumerated() where layer.source.rowCount > 0 {
        // For each layer, one random feature and one painted feature.
        let drawing = try await view.drawing(of: layer, index: index)
        let table = try await layer.source.whole().shownColumns(on: view.spatialReference)
        let chosen =
          [(0..<table.rowCount).randomElement(using: &random)]
          + [Array(drawing.painted).randomElement(using: &random), Array(drawing.edge).first]
        for row in chosen.compactMap({ $0 }) {
          let id = ObjectIDs(table).id(ofRow: row)
          let explanation = try await view.explanation(of: index, objectID: id)
          let kinds: [QueryConditions.Kind] = [
            .total, .definition, .extent, .time, .scale, .display,
          ]
          var passes: [Bool] = []
          for kind in kinds { passes.append(try await view.rows(of: layer, for: .stage(kind)).contains(row)) }
          passes += [drawing.drawn.contains(row), drawing.edge.contains(row)]
          #expect(explanation.stages.map(\.passes) == passes, "\(name) \(layer.name) \(id)")
          #expect(explanation.isDrawn == drawing.painted.contains(row), "\(name) \(layer.name) \(id)")
          // Only the first stage that fails has a reason.
          let first = explanation.stages.firstIndex { !$0.passes }
          let reasons = explanation.stages.indices.filter { explanation.stages[$0].reason != nil }
          #expect(reasons == (first == explanation.stages.count - 1 ? [] : first.map { [$0] } ?? []))
          #expect((explanation.className == nil) == (explanation.symbol == nil))
          #expect(explanation.symbol != nil || !explanation.isDrawn)
          #expect(explanation.isDrawn || explanation.paintedPixels == 0)
          let covered = explanation.coveredBy.reduce(0) { $0 + $1.pixels }
          #expect(
            explanation.visiblePixels + covered == explanation.paintedPixels, "\(name) \(layer.name) \(id)")
          let isNamedOnce = view.layers.filter { $0.name == layer.name }.count == 1
          #expect(
            !isNamedOnce || explanation.coveredBy.allSatisfy { $0.layer != layer.name || $0.objectID != id })
          explained += 1
          if drawing.drawn.contains(row) { drawn += 1 }
          if drawing.edge.contains(row) { edge += 1 }
          if let failure = explanation.failure { failed.insert(failure.name) }
        }
      }
    }
    #expect(explained > 200, "\(explained) \(drawn) \(edge)")
    #expect(drawn > 80, "\(explained) \(drawn) \(edge)")
    #expect(edge > 10, "\(explained) \(drawn) \(edge)")
    #expect(failed.isSuperset(of: ["definition", "extent", "scale", "display"]), "\(failed)")
  }

  @Test("The label results of all painted features add up to the label report")
  func labels() async throws {
    var results: [String: Int] = [:]
    for (name, view) in try await Self.views() where name.hasPrefix("labels/") {
      let report = try await view.render().report.labels.classes
      for (index, layer) in view.layers.enumerated() {
        let drawing = try await view.drawing(of: layer, index: index)
        // Features with a transparent symbol have labels, too.
        let labelled = Set(drawing.painted).union(drawing.inView)
        guard labelled.count <= 40 else { continue }
        let ids = ObjectIDs(try await layer.source.whole().shownColumns(on: view.spatialReference))
        // Several classes may have the same name.
        var (counts, expected): ([String: Int], [String: Int]) = ([:], [:])
        for row in labelled {
          let explanation = try await view.explanation(of: index, objectID: ids.id(ofRow: row))
          #expect(explanation.labels.isEmpty == (explanation.labelReason != nil))
          for label in explanation.labels {
            counts["\(label.className)/\(label.result)", default: 0] += 1
            results[label.result, default: 0] += 1
          }
        }
        for item in report where item.layerIndex == index {
          for (result, count) in item.counts where count > 0 {
            expected["\(item.name)/\(result)", default: 0] += count
          }
        }
        #expect(counts == expected, "\(name) \(layer.name)")
      }
    }
    #expect(results["placed", default: 0] > 30, "\(results)")
    #expect(results.count > 2, "\(results)")
  }

  @Test("An unknown feature id is an error with the range of ids")
  func unknownID() async throws {
    let path = Self.project.appending(path: "Styles/world-cities.json").path
    let view = try await MapDocument.open(path).view(ViewRequest()).freeze()
    let error = await #expect(throws: MapStateError.self) { try await view.explanation(of: 0, objectID: 0) }
    #expect(error?.description == "layer \"Cities\": no feature with id 0; ids are 1 to 10020")
    #expect(error?.kind == .input)
  }
}
