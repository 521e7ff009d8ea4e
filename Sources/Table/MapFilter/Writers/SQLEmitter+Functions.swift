import MapGeometry

/// Functions in the database's spelling, and spatial predicates.
extension SQLEmitter {
  mutating func call(_ name: String, _ arguments: [FilterExpression]) throws(FilterWritingError) -> String {
    let isPostGIS = dialect == .postGIS
    func refused() -> FilterWritingError { inexpressible("the function \(name)") }
    switch (name, arguments.count) {
    case ("CHAR_LENGTH", 1):
      return "\(isPostGIS ? "char_length" : "length")(\(try value(arguments[0], as: .text)))"
    case ("CONCAT", 2):
      return "(\(try value(arguments[0], as: .text)) || \(try value(arguments[1], as: .text)))"
    case ("SUBSTRING", 2...3):
      // For positions before the first character SQLite counts from the end, and negative lengths are errors.
      guard arguments.dropFirst().allSatisfy({ $0.wholeNumber.map { $0 >= 0 } ?? false }),
        arguments[1].wholeNumber ?? 0 >= 1
      else { throw refused() }
      var texts = [try value(arguments[0], as: .text)]
      for argument in arguments.dropFirst() {
        // PostgreSQL takes 32 bits here, also for the sum of both numbers, and has no text of 1 GiB.
        let number = argument.wholeNumber.map { isPostGIS ? min($0, 1 << 30 - 1) : $0 }
        let argument = number.map { FilterExpression.literal(.integer($0)) } ?? argument
        texts.append("\(try value(argument, as: .integer))\(isPostGIS ? "::int" : "")")
      }
      return "\(isPostGIS ? "substring" : "substr")(\(texts.joined(separator: ", ")))"
    case ("POSITION", 2):
      let (wanted, text) = (try value(arguments[0], as: .text), try value(arguments[1], as: .text))
      return isPostGIS ? "strpos(\(text), \(wanted))" : "instr(\(text), \(wanted))"
    case ("TRIM", 1): return "trim(\(try value(arguments[0], as: .text)), ' ')"
    case ("TRIM", 3):
      guard case .literal(.text(let side)) = arguments[0] else { throw refused() }
      let function = side == "LEADING" ? "ltrim" : side == "TRAILING" ? "rtrim" : isPostGIS ? "btrim" : "trim"
      let characters = try value(arguments[1], as: .text)
      return "\(function)(\(try value(arguments[2], as: .text)), \(characters))"
    case ("CEILING", 1), ("FLOOR", 1):
      return "\(name == "FLOOR" ? "floor" : "ceil")(\(try value(arguments[0], as: .real)))"
    case ("ABS", 1) where try type(arguments[0]) == .real: return "abs(\(try value(arguments[0], as: .real)))"
    case ("MOD", 2):
      return try value(.arithmetic(.modulo, arguments[0], arguments[1]), as: .real)
    case ("COALESCE", _):
      var common: AttributeType?
      for argument in arguments { common = try type(argument) ?? common }
      var texts = ["NULL"]
      for argument in arguments { texts.append(try value(argument, as: common)) }
      return "coalesce(\(texts.joined(separator: ", ")))"
    case ("NULLIF", 2):
      let common = try commonType(arguments[0], arguments[1])
      return "nullif(\(try value(arguments[0], as: common)), \(try value(arguments[1], as: common)))"
    case ("EXTRACT", 2): return try part(arguments[0], of: arguments[1])
    default: throw refused()
    }
  }

  private mutating func part(_ unit: FilterExpression, of moment: FilterExpression) throws(FilterWritingError)
    -> String
  {
    let signs = ["YEAR": "Y", "MONTH": "m", "DAY": "d", "HOUR": "H", "MINUTE": "M"]
    guard case .literal(.text(let word)) = unit, let sign = signs[word] else {
      throw inexpressible("EXTRACT of seconds")
    }
    let text = try value(moment, as: .instant)
    return dialect == .postGIS
      ? "EXTRACT(\(word) FROM \(text) AT TIME ZONE 'UTC')" : "CAST(strftime('%\(sign)', \(text)) AS INTEGER)"
  }

  // MARK: Geometries

  mutating func spatial(
    _ predicate: SpatialPredicate, _ first: FilterExpression, _ second: FilterExpression
  ) throws(FilterWritingError) -> String {
    // ST_Disjoint cannot use a spatial index, so it is written as NOT ST_Intersects.
    let asked: SpatialPredicate = predicate == .disjoint ? .intersects : predicate
    let sides = (try geometry(first, asked), try geometry(second, asked))
    let name = "ST_" + asked.rawValue.prefix(1).uppercased() + asked.rawValue.dropFirst()
    let call = "\(name)(\(sides.0), \(sides.1))"
    let not = predicate == .disjoint ? "NOT " : ""
    guard dialect == .spatiaLite else { return "(\(not)\(call))" }
    // SpatiaLite returns -1 when a geometry is null.
    var columns: [String] = []
    for side in [first, second] {
      if case .property(let name) = side { columns.append(try column(name)) }
    }
    let answer = "\(call) \(predicate == .disjoint ? "<>" : "=") 1"
    guard let column = columns.first else { return "(\(answer))" }
    return "(CASE WHEN \(column) IS NOT NULL THEN \(answer) END)"
  }

  private mutating func geometry(
    _ expression: FilterExpression, _ predicate: SpatialPredicate
  ) throws(FilterWritingError) -> String {
    switch expression {
    case .property(let name): return try column(name)
    case .geometry(let literal):
      if case .collection = literal, predicate != .intersects {
        throw inexpressible("\(predicate.textName) of a collection")
      }
      guard let text = literal.withoutBoxes?.wellKnownText else {
        throw inexpressible("a box without area")
      }
      return "ST_GeomFromText(\(try parameter(.text(text))), 4326)"
    default: throw inexpressible(expression.nameInMessages)
    }
  }
}

extension FilterExpression {
  fileprivate var wholeNumber: Int64? {
    if case .literal(.integer(let number)) = self { number } else { nil }
  }
}

extension GeometryLiteral {
  /// The geometry with a box as polygons; nil for a box without width or height.
  fileprivate var withoutBoxes: GeometryLiteral? {
    guard case .box(let west, let south, let east, let north) = self else { return self }
    guard south < north, west != east, west <= east || (west < 180 && east > -180) else { return nil }
    func rectangle(_ west: Double, _ east: Double) -> [[Point]] {
      [
        [(west, south), (east, south), (east, north), (west, north), (west, south)].map {
          Point(x: $0.0, y: $0.1)
        }
      ]
    }
    return west < east
      ? .polygon(rectangle(west, east)) : .multipolygon([rectangle(west, 180), rectangle(-180, east)])
  }
}
