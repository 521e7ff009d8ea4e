import MapFeatures
import MapFilter
import MapModel
package import MapReaders

extension WebMapLayer {
  /// Whether the features of the layer are in the document, with all their fields.
  package var holdsItsTable: Bool { if case .features = content { true } else { false } }

  /// The fields of the table that its popups list, without expressions and related records.
  package var popupFieldNames: [String] {
    definition.popupDefinition?.fields.map(\.fieldName).filter { !$0.isEmpty && !$0.contains("/") } ?? []
  }

  /// The fields that the layer's filters, renderer, labels, order, time, clusters and bins use, whether active or not.
  ///
  /// No other field is needed to draw or count the layer as its document describes it.
  package var fields: FieldSelection {
    let templates = definition.labelDefinitions.flatMap(\.templates)
    if definition.renderer?.readsAllFields ?? false || templates.contains(where: \.readsAllFields) {
      return .all
    }
    var names = definition.renderer?.fieldNames ?? []
    names += definition.renderer?.visualVariables.inputs.flatMap(\.input.fieldNames) ?? []
    if case .rules(let renderer)? = definition.renderer { names += renderer.orderFields }
    names += definition.renderer?.overrides.flatMap(\.input.fieldNames) ?? []
    names += definition.drawingOrder.map(\.fieldName)
    if let timeInfo = definition.timeInfo {
      names += [timeInfo.startField] + (timeInfo.endField.map { [$0] } ?? [])
    }
    names += definition.visibilityField.map { [$0] } ?? []
    names += templates.flatMap(\.fieldNames)
    names += definition.labelDefinitions.compactMap(\.featurePriority?.fieldName)
    names += definition.labelDefinitions.compactMap(\.shortField)
    names += definition.aggregation?.fields.compactMap(\.onField) ?? []
    names += definition.$definitionExpression.fieldNames
    names += definition.labelDefinitions.flatMap(\.$whereClause.fieldNames)
    names += definition.displayFilter?.availableFilters.flatMap(\.$whereClause.fieldNames) ?? []
    if case .manual(let manual)? = definition.displayFilter {
      names += manual.activeFilter?.$whereClause.fieldNames ?? []
    }
    return FieldSelection(names)
  }
}
