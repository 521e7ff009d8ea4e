import MapJSON
import MapModel

/// Members of label classes.
extension DocumentObject {
  private static let overlaps: DocumentShape = .word(["allow", "avoid", "exclude"])

  static let labelClassMembers: [DocumentMember] = .of(
    .read(.members(.labelExpressionInfo), "labelExpressionInfo"),
    .read(.text, "labelExpression", "where", "name"),
    .read(.word(LabelingPlacement.allCases.map(\.esriName)), "labelPlacement"),
    .read(.number, "minScale", "maxScale", "priority", "offsetDistance", "removeDuplicatesDistance"),
    .read(.number, "stackRowLength", "repeatLabelDistance"),
    .read(.members(.symbol), "symbol"),
    .read(.boolean, "useCodedValues", "allowOverrun", "stackLabel", "repeatLabel"),
    .read(.list(.members(.stackSeparator)), "stackSeparators"),
    .read(.word(["none", "labelClass", "featureType", "all"]), "removeDuplicates"),
    .read(.word(["static", "none", "dynamic", "dynamicNeverRemove"]), "deconflictionStrategy"),
    .partly(
      overlaps, "allowOverlapOfLabel", "approximated: a label that would cover another is left out",
      drawn: "allow", "exclude"),
    .read(overlaps, "allowOverlapOfFeatureInterior", "allowOverlapOfFeatureBoundary"),
    .notDrawn(
      overlaps, "allowOverlapOfFeature", "not applied yet: labels may lie over features", drawn: "allow"),
    .read(.word(["labelLargest", "labelPerFeature", "labelPerPart", "labelPerSegment"]), "multiPart"),
    .read(.word(["horizontal", "straight", "followFeature", "perpendicular"]), "textLayout"),
    .read(.members(.labelAngleInfo), "labelAngleInfo"),
    .read(.word(["page", "direction"]), "textOrientation"),
    .read(.word(LabelStacking.Alignment.allCases.map(\.rawValue).sorted()), "stackAlignment"),
    .read(.word(["after", "before"]), "stackBreakPosition"),
    .notDrawn(
      .list(.members(.fieldInfo)), "fieldInfos", "not applied yet: values are written without a format",
      drawn: []),
    .read(.word(["none", "minimizeLabels", "unambiguousLabels", "unambiguous"]), "lineConnection"),
    .read(.word(["page", "direction", "unconstrained"]), "lineOrientation"),
    // Members of MapState, one with the form of that of layers.
    .read(.list(.members(.orderBy)), "orderBy"),
    .read(.text, "shortField"),
    .read(.boolean, "followsGround"))

  static let labelAngleInfoMembers: [DocumentMember] = .of(
    .read(.members(.labelExpressionInfo), "angleExpressionInfo"),
    .read(.word(["arithmetic", "geographic"]), "rotationType"))

  static let labelExpressionInfoMembers: [DocumentMember] = .of(
    .read(.text, "expression", "value"),
    .noEffect(.text, "title", "returnType"))

  static let stackSeparatorMembers: [DocumentMember] = .of(
    .read(.text, "separator"),
    .read(.boolean, "forceSplit", "visible", "splitAfter"))
}
