internal import MapSystem

/// Functions of arrays.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/array_functions/
extension ArcadeFunction {
  static let lists: [ArcadeFunction] = [
    ArcadeFunction("Count", 1...1) { machine, values throws(ArcadeError) in
      switch values[0] {
      case .array(let array): .number(Double(array.items.count))
      case .dictionary(let dictionary): .number(Double(dictionary.keys.count))
      case .feature: .number(Double(machine.inputs.names.count))
      case .null: .number(0)
      default: .number(Double(try text(values[0], machine).unicodeScalars.count))
      }
    },
    ArcadeFunction("Array", 1...2) { machine, values throws(ArcadeError) in
      let size = count(values, 0)
      try machine.charge(16 * min(size, 1 << 30))
      return try machine.array(Array(repeating: values.at(1), count: size))
    },
    ArcadeFunction("First", 1...1) { machine, values throws(ArcadeError) in
      try items(values, machine).first ?? .null
    },
    ArcadeFunction("Front", 1...1) { machine, values throws(ArcadeError) in
      guard let first = try items(values, machine).first else {
        throw ArcadeError("the array is empty", at: 0)
      }
      return first
    },
    ArcadeFunction("Back", 1...1) { machine, values throws(ArcadeError) in
      guard let last = try items(values, machine).last else { throw ArcadeError("the array is empty", at: 0) }
      return last
    },
    ArcadeFunction("Push", 2...2) { machine, values throws(ArcadeError) in
      let array = try list(values)
      try machine.charge(32)
      array.items.append(values[1])
      return .number(Double(array.items.count))
    },
    ArcadeFunction("Pop", 1...1) { _, values throws(ArcadeError) in
      let array = try list(values)
      guard let last = array.items.popLast() else { throw ArcadeError("the array is empty", at: 0) }
      return last
    },
    ArcadeFunction("Insert", 3...3) { machine, values throws(ArcadeError) in
      let array = try list(values)
      try machine.charge(16 * (array.items.count + 1))
      array.items.insert(values[2], at: try place(values[1], in: array.items.count))
      return .null
    },
    ArcadeFunction("Erase", 2...2) { machine, values throws(ArcadeError) in
      let array = try list(values)
      try machine.charge(16 * array.items.count)
      let index = try place(values[1], in: array.items.count)
      guard index < array.items.count else { throw ArcadeError("the array has no such place", at: 0) }
      array.items.remove(at: index)
      return .null
    },
    ArcadeFunction("Resize", 2...3) { machine, values throws(ArcadeError) in
      let array = try list(values)
      let size = count(values, 1)
      try machine.charge(16 * min(size, 1 << 30))
      if size < array.items.count { array.items.removeLast(array.items.count - size) }
      array.items += Array(repeating: values.at(2), count: size - array.items.count)
      return .null
    },
    ArcadeFunction("Includes", 2...2) { machine, values throws(ArcadeError) in
      .boolean(try items(values, machine).contains { ArcadeValue.areEqual($0, values[1]) })
    },
    ArcadeFunction("IndexOf", 2...2) { machine, values throws(ArcadeError) in
      let index = try items(values, machine).firstIndex { ArcadeValue.areEqual($0, values[1]) }
      return .number(Double(index ?? -1))
    },
    ArcadeFunction("Reverse", 1...1) { machine, values throws(ArcadeError) in
      try machine.array(try items(values, machine).reversed())
    },
    ArcadeFunction("Slice", 1...3) { machine, values throws(ArcadeError) in
      let all = try items(values, machine)
      func index(_ value: ArcadeValue, _ standard: Int) -> Int {
        guard !value.isNull else { return standard }
        let number = value.asNumber
        return min(max(Int(clamping: number < 0 ? number + Double(all.count) : number), 0), all.count)
      }
      let (start, end) = (index(values.at(1), 0), index(values.at(2), all.count))
      return try machine.array(start < end ? Array(all[start..<end]) : [])
    },
    ArcadeFunction("Splice", from(1)) { machine, values throws(ArcadeError) in
      var all: [ArcadeValue] = []
      for value in values {
        if case .array(let array) = value {
          try machine.charge(16 * array.items.count)
          all += array.items
        } else {
          all.append(value)
        }
      }
      return try machine.array(all)
    },
    ArcadeFunction("Top", 2...2) { machine, values throws(ArcadeError) in
      try machine.array(Array(try items(values, machine).prefix(count(values, 1))))
    },
    ArcadeFunction("Distinct", from(1)) { machine, values throws(ArcadeError) in
      let all = values.count == 1 ? try items(values, machine) : values
      var found: [ArcadeValue] = []
      for value in all {
        try machine.charge(16 + found.count / 4)
        if !found.contains(where: { ArcadeValue.areEqual($0, value) }) { found.append(value) }
      }
      return try machine.array(found)
    },
    ArcadeFunction("Sort", 1...2) { machine, values throws(ArcadeError) in
      try machine.array(try sorted(try items(values, machine), values.at(1), machine))
    },
    ArcadeFunction("Map", 2...2) { machine, values throws(ArcadeError) in
      var mapped: [ArcadeValue] = []
      for item in try items(values, machine) { mapped.append(try apply(values[1], [item], machine)) }
      return try machine.array(mapped)
    },
    ArcadeFunction("Filter", 2...2) { machine, values throws(ArcadeError) in
      var kept: [ArcadeValue] = []
      for item in try items(values, machine) where try holds(values[1], item, machine) { kept.append(item) }
      return try machine.array(kept)
    },
    ArcadeFunction("All", 2...2) { machine, values throws(ArcadeError) in
      for item in try items(values, machine) where try !holds(values[1], item, machine) {
        return .boolean(false)
      }
      return .boolean(true)
    },
    ArcadeFunction("Any", 2...2) { machine, values throws(ArcadeError) in
      for item in try items(values, machine) where try holds(values[1], item, machine) {
        return .boolean(true)
      }
      return .boolean(false)
    },
    ArcadeFunction("None", 2...2) { machine, values throws(ArcadeError) in
      for item in try items(values, machine) where try holds(values[1], item, machine) {
        return .boolean(false)
      }
      return .boolean(true)
    },
    ArcadeFunction("Reduce", 2...3) { machine, values throws(ArcadeError) in
      var rest = try items(values, machine)[...]
      var result: ArcadeValue
      if values.count == 3 {
        result = values[2]
      } else {
        guard let first = rest.popFirst() else { return .null }
        result = first
      }
      for item in rest { result = try apply(values[1], [result, item], machine) }
      return result
    },
  ]

  private static func list(_ values: [ArcadeValue]) throws(ArcadeError) -> ArcadeArray {
    guard case .array(let array) = values[0] else { throw ArcadeError("expected an array", at: 0) }
    return array
  }

  private static func items(
    _ values: [ArcadeValue], _ machine: ArcadeMachine
  ) throws(ArcadeError) -> [ArcadeValue] {
    let items = try list(values).items
    try machine.charge(8 * items.count)
    return items
  }

  private static func place(_ value: ArcadeValue, in count: Int) throws(ArcadeError) -> Int {
    let number = value.asNumber
    let index = Int(clamping: number < 0 ? number + Double(count) : number)
    guard number == number.rounded(), index >= 0, index <= count else {
      throw ArcadeError("the array has no such place", at: 0)
    }
    return index
  }

  private static func apply(
    _ function: ArcadeValue, _ arguments: [ArcadeValue], _ machine: ArcadeMachine
  ) throws(ArcadeError) -> ArcadeValue {
    guard case .function(let index) = function else {
      throw ArcadeError("expected the name of a function of the expression", at: 0)
    }
    return try machine.call(index, arguments, 0)
  }

  private static func holds(
    _ function: ArcadeValue, _ item: ArcadeValue, _ machine: ArcadeMachine
  ) throws(ArcadeError) -> Bool {
    try apply(function, [item], machine).asBoolean
  }

  /// Sorts values in a stable way; without a function, numbers and dates as numbers, and all else as text.
  private static func sorted(
    _ items: [ArcadeValue], _ function: ArcadeValue, _ machine: ArcadeMachine
  ) throws(ArcadeError) -> [ArcadeValue] {
    guard items.count > 1 else { return items }
    let middle = items.count / 2
    let first = try sorted(Array(items[..<middle]), function, machine)
    let second = try sorted(Array(items[middle...]), function, machine)
    try machine.charge(items.count)
    var (merged, a, b) = ([ArcadeValue](), 0, 0)
    while a < first.count, b < second.count {
      let isBefore: Bool
      if function.isNull {
        isBefore = ArcadeValue.order(second[b], first[a])?.isLess ?? false
      } else {
        isBefore = try apply(function, [second[b], first[a]], machine).asNumber < 0
      }
      if isBefore {
        merged.append(second[b])
        b += 1
      } else {
        merged.append(first[a])
        a += 1
      }
    }
    return merged + first[a...] + second[b...]
  }
}

/// Functions of dictionaries and of fields with domains.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/dictionary_functions/
extension ArcadeFunction {
  static let dictionaries: [ArcadeFunction] = [
    ArcadeFunction("Dictionary", from(0)) { machine, values throws(ArcadeError) in
      if values.count == 1, case .dictionary = values[0] { return values[0] }
      guard values.count.isMultiple(of: 2) else {
        throw ArcadeError("a dictionary takes pairs of keys and values", at: 0)
      }
      let dictionary = try machine.dictionary()
      for index in stride(from: 0, to: values.count, by: 2) {
        dictionary.set(try text(values[index], machine), values[index + 1])
      }
      return .dictionary(dictionary)
    },
    ArcadeFunction("HasKey", 2...2) { machine, values throws(ArcadeError) in
      let key = try text(values[1], machine)
      switch values[0] {
      case .dictionary(let dictionary): return .boolean(dictionary[key] != nil)
      case .feature: return .boolean(machine.inputs.value(named: key, row: machine.row) != nil)
      default: return .boolean(false)
      }
    },
    ArcadeFunction("DomainName", 2...4) { machine, values throws(ArcadeError) in
      let field = try text(values[1], machine)
      let code = values.count > 2 ? values[2] : machine.inputs.value(named: field, row: machine.row) ?? .null
      return machine.inputs.domainName(of: code, field: field)
    },
    ArcadeFunction("DomainCode", 2...4) { machine, values throws(ArcadeError) in
      let field = try text(values[1], machine)
      guard values.count > 2 else { return machine.inputs.value(named: field, row: machine.row) ?? .null }
      return machine.inputs.domainCode(of: try text(values[2], machine), field: field)
    },
  ]
}
