import MapJSON

/// Display filters from and to web map JSON (`layerDefinition.displayFilterInfo`).
enum EsriDisplayFilterCodec {
  /// The definition; nil for a mode that is not known, which the report says.
  static func displayFilter(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> DisplayFilterForm? {
    let nodes = try node.elements("filters")
    let filters = try nodes.map { filter throws(JSONDecodingError) in
      let id = try filter.string("id") ?? ""
      return DisplayFilter(
        filterID: id, name: try filter.string("title") ?? id, anyClause: try filter.string("where") ?? "")
    }
    switch try node.string("filterMode") ?? "manual" {
    case "manual":
      let active = try node.string("activeFilterId")
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
      let definition = ScaleDisplayFilterDefinition(filters: ranges)
      if definition.hasOverlap {
        report.note(
          node.path["filters"], "scale ranges overlap; the first filter that covers the scale applies")
      }
      return .scale(definition)
    case let mode:
      report.note(node.path["filterMode"], "no filter is applied: unknown mode \"\(mode)\"")
      return nil
    }
  }

  static func json(_ displayFilter: DisplayFilterForm) -> JSONValue {
    switch displayFilter {
    case .manual(let definition):
      var info: [(String, JSONValue)] = [
        ("filterMode", "manual"),
        ("filters", .array(definition.availableFilters.map { EsriSymbolCodec.object(members($0)) })),
      ]
      if let active = definition.activeFilter { info.append(("activeFilterId", .string(active.filterID))) }
      return EsriSymbolCodec.object(info)
    case .scale(let definition):
      let filters = definition.filters.map { item in
        EsriSymbolCodec.object(
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
