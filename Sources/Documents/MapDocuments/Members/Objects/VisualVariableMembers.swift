import MapJSON

/// Members of visual variables and their stops.
extension DocumentObject {
  /// The members that all visual variables share.
  private static let commonVariableMembers: [DocumentMember] = .of(
    .read(.text, "type", "field", "normalizationField", "valueExpression", "expression"),
    .aside(.label, "valueExpressionTitle"),
    .aside(.members(.legendOptions), "legendOptions"),
    .noEffect(.text, "theme"))

  static let colorVariableMembers: [DocumentMember] = .of(
    commonVariableMembers,
    .read(.list(.members(.colorStop)), "stops"),
    .read(.list(.list(.number)), "colors"),
    .read(.number, "minDataValue", "maxDataValue"))

  static let transparencyVariableMembers: [DocumentMember] = .of(
    commonVariableMembers,
    .read(.list(.members(.transparencyStop)), "stops"),
    .read(.list(.number), "transparencyValues"),
    .read(.number, "minDataValue", "maxDataValue"))

  static let sizeVariableMembers: [DocumentMember] = .of(
    commonVariableMembers,
    .read(.list(.members(.sizeStop)), "stops"),
    .read(.number, "minDataValue", "maxDataValue"),
    .read(.either(.number, .members(.sizeVariable)), "minSize", "maxSize"),
    .read(.text, "valueUnit", "target"),
    .read(.word(["radius", "diameter", "area", "width", "distance"]), "valueRepresentation"),
    .notDrawn(.text, "axis", "not applied: the size is used for every axis", drawn: "all"),
    .noEffect(.boolean, "useSymbolValue"))

  static let rotationVariableMembers: [DocumentMember] = .of(
    commonVariableMembers,
    .read(.word(["geographic", "arithmetic"]), "rotationType"),
    .noEffect(.text, "axis"))

  /// The members of a visual variable of unknown type.
  static let anyVariableMembers: [DocumentMember] = .merged([
    sizeVariableMembers, colorVariableMembers, transparencyVariableMembers, rotationVariableMembers,
  ])

  static let colorStopMembers: [DocumentMember] = .of(
    .read(.number, "value"),
    .read(.list(.number), "color"),
    .aside(.label, "label"))

  static let transparencyStopMembers: [DocumentMember] = .of(
    .read(.number, "value", "transparency"),
    .aside(.label, "label"))

  static let sizeStopMembers: [DocumentMember] = .of(
    .read(.number, "value", "size"),
    .aside(.label, "label"))
}
