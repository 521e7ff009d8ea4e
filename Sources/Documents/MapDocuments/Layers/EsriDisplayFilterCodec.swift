import MapJSON
import MapModel

/// A codec for display filters in web map JSON (`layerDefinition.displayFilterInfo`).
enum EsriDisplayFilterCodec {
  /// Reads the definition.
  ///
  /// An unknown mode or active filter is an error, because it changes what is drawn.
  ///
  /// - Source: design decision, stricter than the web map specification's "no filter applies". Without an active
  ///   filter none applies, as the specification says. A filter without `where` passes all features, with a warning.
  static func displayFilter(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> DisplayFilterForm {
    let nodes = try node.elements("filters")
    let filters = try nodes.map { filter throws(JSONDecodingError) in
      let id = try filter.string("id") ?? ""
      if filter["where"] == nil, filter.value.object?.index(of: "where") == nil {
        report.note(filter.path["where"], "missing; the filter passes all features", .drawn)
      }
      return DisplayFilter(
        filterID: id, name: try filter.string("title") ?? id, anyClause: try filter.string("where") ?? "")
    }
    if node["filterMode"] == nil { report.note(node.path["filterMode"], "missing; read as manual", .drawn) }
    let ids = filters.map(\.filterID)
    if Set(ids).count < ids.count {
      report.note(node.path["filters"], "two filters have the same id; the first one is used", .approximated)
    }
    switch try node.string("filterMode") ?? "manual" {
    case "manual":
      let active = try node.string("activeFilterId")
      if let active, !active.isEmpty, !filters.contains(where: { $0.filterID == active }) {
        let meant = NearestName.of(active, among: ids).map { "; did you mean \"\($0)\"?" }
        let known = ids.isEmpty ? "; there are no filters" : "; available: \(ids.joined(separator: ", "))"
        throw JSONDecodingError(
          .invalid("no filter has the id \"\(active)\"" + (meant ?? known)), at: node.path["activeFilterId"])
      }
      return .manual(
        ManualDisplayFilterDefinition(
          activeFilter: filters.first { $0.filterID == active }, availableFilters: filters))
    case "scale":
      var ranges: [ScaleRangeDisplayFilter] = []
      for (filter, node) in zip(filters, nodes) {
        ranges.append(
          ScaleRangeDisplayFilter(
            filter: filter, minScale: try node.double("minScale") ?? 0,
            maxScale: try node.double("maxScale") ?? 0))
      }
      for (range, node) in zip(ranges, nodes)
      where range.minScale < 0 || range.maxScale < 0
        || (range.minScale > 0 && range.maxScale >= range.minScale)
      {
        report.note(node.path, "the scale range is empty; the filter never applies", .drawn)
      }
      let definition = ScaleDisplayFilterDefinition(filters: ranges)
      if definition.hasOverlap {
        report.note(
          node.path["filters"], "scale ranges overlap; the first filter that covers the scale applies", .drawn
        )
      }
      return .scale(definition)
    case let mode:
      throw JSONDecodingError(.invalid("unknown mode \"\(mode)\""), at: node.path["filterMode"])
    }
  }

  static func json(_ displayFilter: DisplayFilterForm) -> JSONValue {
    switch displayFilter {
    case .manual(let definition):
      var info: [(String, JSONValue)] = [
        ("filterMode", "manual"),
        ("filters", .array(definition.availableFilters.map { EsriMembers.object(members($0)) })),
      ]
      if let active = definition.activeFilter { info.append(("activeFilterId", .string(active.filterID))) }
      return EsriMembers.object(info)
    case .scale(let definition):
      let filters = definition.filters.map { item in
        EsriMembers.object(
          members(item.filter) + [("minScale", .number(item.minScale)), ("maxScale", .number(item.maxScale))])
      }
      return ["filterMode": "scale", "filters": .array(filters)]
    }
  }

  private static func members(_ filter: DisplayFilter) -> [(String, JSONValue)] {
    [
      ("id", .string(filter.filterID)), ("title", .string(filter.name)),
      ("where", .string(filter.whereClause)),
    ]
  }
}
