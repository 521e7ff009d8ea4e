/// A JSON value.
public enum JSONValue: Hashable, Sendable { case null }
