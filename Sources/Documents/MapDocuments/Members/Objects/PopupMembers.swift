/// Members of popups, which have no effect on the image.
extension DocumentObject {
  static let popupInfoMembers: [DocumentMember] = .of(
    .aside(.text, "title", "description"),
    .aside(.list(.members(.fieldInfo)), "fieldInfos"),
    .noEffect(.list(.members(.popupExpression)), "expressionInfos"),
    .noEffect(.list(.members(.mediaInfo)), "mediaInfos"),
    .noEffect(.list(.members(.popupElement)), "popupElements"),
    .noEffect(.members(.relatedRecordsInfo), "relatedRecordsInfo"),
    .noEffect(.members(.layerOptions), "layerOptions"),
    .noEffect(.boolean, "showAttachments", "showLastEditInfo"),
    .noEffect(.array, "outFields"))

  static let fieldInfoMembers: [DocumentMember] = .of(
    .aside(.text, "fieldName", "label"),
    .aside(.boolean, "visible"),
    .noEffect(.text, "tooltip", "stringFieldOption", "statisticType"),
    .noEffect(.boolean, "isEditable"),
    .noEffect(.members(.fieldFormat), "format"),
    .noEffect(.object, "fieldFormat"))

  static let fieldFormatMembers: [DocumentMember] = .of(
    .noEffect(.text, "dateFormat", "timezone"),
    .noEffect(.number, "places"),
    .noEffect(.boolean, "digitSeparator"))

  static let popupExpressionMembers: [DocumentMember] = .of(
    .noEffect(.text, "name", "title", "expression", "returnType"),
    // Written by an editor of ArcGIS Online.
    .noEffect(.boolean, "_visible"),
    .noEffect(.number, "_pos"))

  static let mediaInfoMembers: [DocumentMember] = .of(
    .noEffect(.text, "type", "title", "caption", "altText"),
    .noEffect(.number, "refreshInterval"),
    .noEffect(.members(.mediaValue), "value"))

  static let mediaValueMembers: [DocumentMember] = .of(
    .noEffect(.array, "fields", "colors"),
    .noEffect(.text, "normalizeField", "tooltipField", "sourceURL", "linkURL"))

  static let popupElementMembers: [DocumentMember] = .of(
    .noEffect(.text, "type", "text", "title", "description", "displayType"),
    .noEffect(.list(.members(.fieldInfo)), "fieldInfos"),
    .noEffect(.list(.members(.mediaInfo)), "mediaInfos"),
    .noEffect(.list(.members(.relatedOrder)), "orderByFields"),
    .noEffect(.members(.popupExpression), "expressionInfo"),
    .noEffect(.object, "attributes"),
    .noEffect(.number, "activeMediaInfoIndex", "relationshipId", "displayCount"),
    .noEffect(.array, "attachmentTypes", "associatedTypes", "attachmentKeywords"))

  static let relatedRecordsInfoMembers: [DocumentMember] = .of(
    .noEffect(.boolean, "showRelatedRecords"),
    .noEffect(.list(.members(.relatedOrder)), "orderByFields"))

  static let relatedOrderMembers: [DocumentMember] = .noEffect(.text, "field", "order")

  static let layerOptionsMembers: [DocumentMember] = .noEffect(
    .boolean, "showNoDataRecords", "returnTopmostRaster")
}
