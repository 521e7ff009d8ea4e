extension Envelope {
  /// The world copies in which data of this extent lie: 0 from -180° to 180°, 1 east of it and -1 west of it.
  ///
  /// Data that end exactly on the antimeridian are in world copy 0 only; `copies(in:touching:)` adds the other side. Data
  /// in a spatial reference without world copies are in world copy 0, too.
  ///
  /// - Source: design decision; uncut data continue past 180°, but never farther than one and a half world widths.
  public var worldsReached: ClosedRange<Int> {
    guard !isEmpty, let half = Self.worldWidth(of: spatialReference).map({ $0 / 2 }) else { return 0...0 }
    return (xMin < -half ? -1 : 0)...(xMax > half ? 1 : 0)
  }

  /// Returns the envelope moved east by a number of world widths; unchanged in a spatial reference without world
  /// copies.
  ///
  /// - Error: rounding of the sides.
  public func moved(worlds: Int, of reference: SpatialReference?) -> Envelope {
    guard worlds != 0, let width = Self.worldWidth(of: reference) else { return self }
    return moved(east: Double(worlds) * width)
  }

  /// Returns the envelope in each of some world copies, and the antimeridian where it is one side of the envelope and
  /// data lie exactly on it as the other side of the world.
  ///
  /// A feature exactly on the antimeridian is therefore on both sides of it.
  ///
  /// - Parameters:
  ///   - worlds: The world copies that contain the data.
  ///   - data: The extent of the data, in the spatial reference of this envelope.
  package func copies(in worlds: ClosedRange<Int>, touching data: Envelope) -> [Envelope] {
    var copies = worlds.map { moved(worlds: $0, of: data.spatialReference) }
    guard !isEmpty, !data.isEmpty, let width = Self.worldWidth(of: data.spatialReference) else {
      return copies
    }
    // An envelope with both sides of the world contains the antimeridian itself.
    let (isWest, isEast) = (xMin <= -width / 2, xMax >= width / 2)
    guard isWest != isEast else { return copies }
    let edge =
      isWest
      ? Double(worlds.upperBound) * width + width / 2 : Double(worlds.lowerBound) * width - width / 2
    if isWest ? data.xMax >= edge : data.xMin <= edge {
      copies.append(
        Envelope(xMin: edge, yMin: yMin, xMax: edge, yMax: yMax, spatialReference: spatialReference))
    }
    return copies
  }

  /// Returns the envelope moved by whole world widths; see ``moved(x:by:)``.
  package func moved(east shift: Double) -> Envelope {
    guard shift != 0 else { return self }
    return Envelope(
      xMin: Self.moved(x: xMin, by: shift), yMin: yMin, xMax: Self.moved(x: xMax, by: shift), yMax: yMax,
      spatialReference: spatialReference)
  }

  /// Returns the width of the world in x; nil in a spatial reference without world copies.
  package static func worldWidth(of reference: SpatialReference?) -> Double? {
    switch reference {
    case .some(.wgs84): 360
    case .some(.webMercator): 2 * WebMercator.halfWorld
    default: nil
    }
  }

  /// Returns an x moved by whole world widths.
  ///
  /// A number with nine decimals in degrees, or six in metres, keeps exactly that many decimals. Therefore 275.1 and
  /// -84.9 degrees are equal after a move.
  ///
  /// - Error: one rounding.
  package static func moved(x: Double, by shift: Double) -> Double {
    let sum = x + shift
    let scale = abs(shift) < 1e6 ? 1e9 : 1e6
    let decimal = (sum * scale).rounded() / scale
    return abs(decimal - sum) <= max(x.ulp, sum.ulp, abs(shift) < 1e6 ? 0 : shift.ulp) ? decimal : sum
  }
}

extension [Envelope] {
  /// Returns the envelopes, and the antimeridian where it is a side of one and data lie exactly on its other side.
  ///
  /// The envelopes do not cross the antimeridian; see ``Envelope/copies(in:touching:)``.
  package func addingAntimeridian(of data: Envelope) -> [Envelope] {
    let edges = flatMap { envelope in
      data.spatialReference == envelope.spatialReference
        ? envelope.copies(in: 0...0, touching: data).dropFirst() : []
    }
    return self + edges.filter { edge in !contains { $0.contains(edge) } }
  }
}
