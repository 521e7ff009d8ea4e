public import MapFeatures
import MapFilter

extension WebMapLayer {
  /// The fields that the layer's filters, renderer, labels, order and time ask for, whether or not they are in force.
  ///
  /// Nothing that is drawn or counted of the layer as its document says it asks for another.
  public var fields: FieldSelection {
    var names = renderer?.fieldNames ?? []
    names += renderer?.visualVariables.inputs.flatMap(\.input.fieldNames) ?? []
    names += drawingOrder.map(\.fieldName)
    if let timeInfo { names += [timeInfo.startField] + (timeInfo.endField.map { [$0] } ?? []) }
    for definition in labelDefinitions { names += (try? definition.expression.parsed())?.fieldNames ?? [] }
    var clauses = [definitionExpression] + labelDefinitions.map(\.whereClause)
    clauses += displayFilter?.availableFilters.map(\.whereClause) ?? []
    if case .manual(let definition)? = displayFilter {
      clauses.append(definition.activeFilter?.whereClause ?? "")
    }
    return clauses.reduce(FieldSelection(names)) { $0.union(FieldSelection(where: $1)) }
  }
}
