public import MapJSON

extension Envelope {
  /// The sides as `[xmin, ymin, xmax, ymax]`; null for an empty envelope.
  public var json: JSONValue {
    isEmpty ? .null : [.number(xMin), .number(yMin), .number(xMax), .number(yMax)]
  }
}
