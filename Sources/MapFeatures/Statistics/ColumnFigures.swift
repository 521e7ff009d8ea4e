import MapFilter

/// The figures of one column for every group.
struct ColumnFigures {
  private enum Moments {
    case integers([IntegerMoments])
    case reals([RealMoments])
  }

  private let column: Column
  private let moments: Moments
  private let spreads: [Spread]
  /// For text the dictionary in order, since ranks stand in for texts.
  private let texts: [String]

  /// Works out the figures of the rows, each counted in its group.
  ///
  /// The table is cut in chunks by its number of rows alone, and their figures are put together in order, so that the
  /// digits do not depend on how many of them run at once.
  init(of column: Column, rows: RowSet, groups: GroupCodes, needsSpread: Bool) async {
    self.column = column
    let valid = column.validity.map { rows.intersection($0) } ?? rows
    let count = groups.keys.count
    let chunks = RowChunks(valid, groupCount: count)
    switch ColumnNumbers(column) {
    case .integers(let values, let texts):
      self.texts = texts
      let parts = await chunks.map { chunk in
        var parts = Array(repeating: IntegerMoments(), count: count)
        chunk.forEach(groups.codes) { row, group in parts[group].add(values[row]) }
        return parts
      }
      let moments = parts.merged { $0.add($1) }
      self.moments = .integers(moments)
      guard needsSpread else { spreads = []; return }
      let centers = moments.map(\.center)
      spreads = await chunks.map { chunk in
        var parts = Array(repeating: Spread(), count: count)
        chunk.forEach(groups.codes) { row, group in
          let (whole, rest) = centers[group]
          let (near, isFar) = values[row].subtractingReportingOverflow(whole)
          parts[group].add((isFar ? Double(values[row]) - Double(whole) : Double(near)) - rest)
        }
        return parts
      }.merged { $0.add($1) }
    case .reals(let values):
      texts = []
      let parts = await chunks.map { chunk in
        var parts = Array(repeating: RealMoments(), count: count)
        chunk.forEach(groups.codes) { row, group in parts[group].add(values[row]) }
        return parts
      }
      let moments = parts.merged { $0.add($1) }
      self.moments = .reals(moments)
      guard needsSpread else { spreads = []; return }
      let centers = moments.map { $0.sum.value / Double(max($0.count, 1)) }
      spreads = await chunks.map { chunk in
        var parts = Array(repeating: Spread(), count: count)
        chunk.forEach(groups.codes) { row, group in parts[group].add(values[row] - centers[group]) }
        return parts
      }.merged { $0.add($1) }
    }
  }

  /// A figure of a group; null where it has no value.
  ///
  /// - Throws: `StatisticsError.overflow`.
  func value(
    _ statistic: StatisticDefinition.StatisticType, group: Int, field: String
  ) throws(StatisticsError) -> AttributeValue {
    func real(_ value: Double?) throws(StatisticsError) -> AttributeValue {
      guard let value else { return .null }
      guard value.isFinite else { throw .overflow(statistic, field: field) }
      return .real(value)
    }
    switch statistic {
    case .count: return .integer(Int64(count(group)))
    case .minimum: return bound(group, least: true)
    case .maximum: return bound(group, least: false)
    case .variance: return try real(spreads[group].variance(count: count(group)))
    case .standardDeviation:
      return try real(spreads[group].variance(count: count(group))?.squareRoot())
    case .sum: return try real(count(group) == 0 ? nil : sum(group))
    case .average:
      return try real(count(group) == 0 ? nil : sum(group) / Double(count(group)))
    }
  }

  private func count(_ group: Int) -> Int {
    switch moments {
    case .integers(let all): all[group].count
    case .reals(let all): all[group].count
    }
  }

  private func sum(_ group: Int) -> Double {
    switch moments {
    case .integers(let all): Double(all[group].sum)
    case .reals(let all): all[group].sum.value
    }
  }

  private func bound(_ group: Int, least: Bool) -> AttributeValue {
    guard count(group) > 0 else { return .null }
    switch moments {
    case .reals(let all): return .real(least ? all[group].minimum : all[group].maximum)
    case .integers(let all):
      let value = least ? all[group].minimum : all[group].maximum
      return switch column.storage {
      case .integers: .integer(value)
      case .booleans: .boolean(value != 0)
      case .dates: .date(CalendarDate(days: Int32(truncatingIfNeeded: value)))
      case .instants: .instant(Instant(microseconds: value))
      case .text: .text(texts[Int(value)])
      case .reals: .null
      }
    }
  }
}

/// The rows of a set in chunks that depend on the table alone.
private struct RowChunks {
  private let rows: RowSet
  private let ranges: [Range<Int>]

  init(_ rows: RowSet, groupCount: Int) {
    self.rows = rows
    // Figures of every chunk are held at once: many groups go in one.
    let count = rows.rowCount >= 1 << 18 && groupCount <= 1 << 12 ? 16 : 1
    let words = rows.words.count
    ranges = (0..<count).map { words * $0 / count..<words * ($0 + 1) / count }
  }

  /// Runs over all chunks, as many at once as there are cores; the results in the order of the chunks.
  func map<Result: Sendable>(_ body: @escaping @Sendable (RowChunk) -> Result) async -> [Result] {
    guard ranges.count > 1 else { return ranges.map { body(RowChunk(rows: rows, words: $0)) } }
    return await withTaskGroup(of: (Int, Result).self) { group in
      for (index, range) in ranges.enumerated() {
        group.addTask { [rows] in (index, body(RowChunk(rows: rows, words: range))) }
      }
      var results: [(Int, Result)] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

/// A stretch of a set of rows.
private struct RowChunk {
  let rows: RowSet
  let words: Range<Int>

  /// Calls with each row and its group.
  @inline(__always)
  func forEach(_ codes: [Int32]?, _ body: (_ row: Int, _ group: Int) -> Void) {
    for index in words {
      var word = rows.words[index]
      while word != 0 {
        let row = index << 6 | word.trailingZeroBitCount
        word &= word - 1
        body(row, codes.map { Int($0[row]) } ?? 0)
      }
    }
  }
}

extension Array {
  /// The parts put together, place by place, in their order.
  fileprivate func merged<Part>(_ add: (inout Part, Part) -> Void) -> [Part] where Element == [Part] {
    guard var result = first else { return [] }
    for part in dropFirst() {
      for index in result.indices { add(&result[index], part[index]) }
    }
    return result
  }
}
