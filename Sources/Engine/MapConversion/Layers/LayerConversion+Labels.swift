import MapDrawing
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapModel
import MapState
import MapSystem

extension LayerConversion {
  /// Adds a layer for each label class.
  ///
  /// - Throws: ``MapStateError``.
  mutating func addLabels() throws(MapStateError) {
    guard layer.labelsAreEnabled, let kind = properties.table.schema.geometryKind else { return }
    for (index, definition) in layer.labelDefinitions.enumerated() {
      guard let template = try? definition.expression.parsed() else {
        lose(labelsOf: index, "its expression cannot be read", .dropped)
        continue
      }
      guard let color = definition.textSymbol.color, color.alpha > 0 else { continue }
      let rows = try rows(labels: definition)
      let values = LabelValues(template, of: definition, rows: rows, &properties)
      if let failure = values.failure {
        lose(labelsOf: index, "its expression fails for some features: \(failure)")
      }
      var draft = StyleLayerDraft("label \(index + 1)", "symbol")
      draft.scales = (definition.minScale, definition.maxScale)
      draft.priority = definition.priority ?? LabelDefinition.priority(of: kind)
      if let filter = choice.filter({ _ in true }) { draft.conditions.append(filter) }
      glyphs.add(values.texts, in: LabelFace(definition.textSymbol))
      draft.set(layout: "text-field", text(values, template, index))
      add(definition.textSymbol, color, to: &draft)
      addPlacement(definition, kind, to: &draft)
      labels.append(draft)
      loseLabels(definition, index)
    }
  }

  /// Returns the text: a field if it holds the texts, and otherwise an added property.
  private mutating func text(_ values: LabelValues, _ template: LabelTemplate, _ index: Int) -> JSONValue {
    if template.parts.count == 1, case .field(let field) = template.parts[0],
      let name = properties.plainName(field, [.text]), let column = properties.column(name),
      properties.rows.allSatisfy({ row in
        if case .text(let text) = column.value(at: row) {
          text == values.texts[row]
        } else {
          values.texts[row] == nil
        }
      })
    {
      return StyleJSON.get(name)
    }
    let texts = values.texts.map { $0.map { AttributeValue.text($0) } ?? .null }
    return StyleJSON.get(properties.add("label \(index + 1)", .text, texts))
  }

  private func add(_ symbol: TextSymbol, _ color: Color, to draft: inout StyleLayerDraft) {
    draft.set(layout: "text-font", [.string(LabelFace(symbol).name)])
    draft.set(layout: "text-size", StyleSize(StyleJSON.pixels(symbol.size)).expression(growing: growth))
    draft.set(paint: "text-color", .string(color.css))
    if let halo = symbol.haloColor, symbol.haloWidth > 0 {
      draft.set(paint: "text-halo-color", .string(halo.css))
      draft.set(paint: "text-halo-width", StyleJSON.pixels(symbol.haloWidth))
    }
    // Lines end where the text has line feeds.
    draft.set(layout: "text-max-width", 100)
  }

  private mutating func addPlacement(
    _ definition: LabelDefinition, _ kind: GeometryKind, to draft: inout StyleLayerDraft
  ) {
    let size = max(definition.textSymbol.size, 1)
    if definition.deconflictionStrategy == .none || definition.deconflictionStrategy == .dynamicNeverRemove {
      draft.set(layout: "text-allow-overlap", true)
      draft.set(layout: "text-ignore-placement", true)
    }
    switch kind {
    case .point, .multipoint:
      let side = (definition.placement ?? .pointAboveRight).side ?? (1, -1)
      guard side != (0, 0) else { return }
      let anchor = Self.anchor(side)
      // A variable of sizes moves the labels of large symbols away.
      var varied: StyleSize?
      if let variable = layer.renderer.visualVariables.size { varied = self.size(variable, name: "size") }
      let reach =
        varied.map { symbolSize in
          let rest = choice.expression { index in
            StyleJSON.pixels(((self.symbol(of: index)?.outlineReach ?? 0) + definition.offsetDistance) / size)
          }
          return symbolSize.expression(times: 0.5 / size, plus: rest)
        }
        ?? choice.expression { index in
          StyleJSON.pixels(((self.symbol(of: index)?.labelReach ?? 0) + definition.offsetDistance) / size)
        }
      if definition.triesPositions {
        let others = [
          "left", "right", "bottom", "top", "bottom-left", "bottom-right", "top-left", "top-right",
        ]
        let anchors = [anchor] + others.filter { $0 != anchor }
        draft.set(layout: "text-variable-anchor", .array(anchors.map { .string($0) }))
        draft.set(layout: "text-radial-offset", reach)
        draft.set(layout: "text-justify", "auto")
        return
      }
      draft.set(layout: "text-anchor", .string(anchor))
      if varied != nil {
        draft.set(layout: "text-radial-offset", reach)
      } else {
        draft.set(
          layout: "text-offset",
          choice.expression { index in
            let reach = ((self.symbol(of: index)?.labelReach ?? 0) + definition.offsetDistance) / size
            return StyleJSON.literal([side.x * reach, side.y * reach])
          })
      }
    case .polyline:
      let line = (definition.placement ?? .lineAboveAlong).line ?? (-1, .along)
      draft.set(layout: "symbol-placement", "line")
      draft.set(layout: "symbol-spacing", StyleJSON.pixels(max(definition.repeatDistance, 1)))
      guard line.side != 0 else { return }
      let reach = choice.expression { index in
        let half = (self.symbol(of: index)?.lineReach ?? 0) + definition.offsetDistance
        return StyleJSON.literal([0, line.side * (half / size + 0.5)])
      }
      draft.set(layout: "text-offset", reach)
    case .polygon: break
    }
  }

  /// Returns the side or corner of a text at its position for a side of the symbol.
  private static func anchor(_ side: (x: Double, y: Double)) -> String {
    let vertical = side.y < 0 ? "bottom" : side.y > 0 ? "top" : ""
    let horizontal = side.x < 0 ? "right" : side.x > 0 ? "left" : ""
    return [vertical, horizontal].filter { !$0.isEmpty }.joined(separator: "-")
  }

  private mutating func loseLabels(_ definition: LabelDefinition, _ index: Int) {
    lose(labelsOf: index, "its labels are placed by the rules of styles")
    let symbol = definition.textSymbol
    if symbol.backgroundColor != nil || symbol.outlineColor != nil && symbol.outlineWidth > 0 {
      lose(labelsOf: index, "styles have no rectangle behind a text", at: ["symbol"])
    }
    if definition.angle != nil {
      lose(labelsOf: index, "its labels are horizontal", at: ["labelAngleInfo"])
    }
    if definition.duplicateRemoval != .none {
      lose(labelsOf: index, "labels with the same text are not removed", at: ["removeDuplicates"])
    }
  }
}

extension SymbolForm {
  /// The distance of a symbol's sides from its position, in pixels.
  fileprivate var labelReach: Double {
    switch self {
    case .marker(let marker): (marker.size + (marker.outline?.width ?? 0)) / 2
    case .picture(let picture): (picture.drawnSize?.height ?? 0) / 2
    case .text(let text): text.size / 2
    case .vector(let vector): vector.size / 2
    case .composite(let composite): composite.parts.map(\.labelReach).max() ?? 0
    case .line, .fill, .pattern, .placed: 0
    }
  }

  /// The distance that an outline reaches beyond a symbol's own size, in pixels.
  fileprivate var outlineReach: Double {
    if case .marker(let marker) = self { (marker.outline?.width ?? 0) / 2 } else { 0 }
  }

  /// Half the width of the widest line of a symbol, in pixels.
  fileprivate var lineReach: Double {
    (simpleParts.map { if case .line(let line) = $0 { line.width } else { 0 } }.max() ?? 0) / 2
  }
}
