import CGeospatial
import Glibc

/// The limits for running a file's views: an authoriser, a number of steps, and a time.
///
/// They are used by one connection on one thread, and are not `Sendable`.
final class SQLiteLimits {
  /// The greatest number of steps of SQLite's virtual machine, which runs about 50 to 100 million steps per second.
  ///
  /// - Source: design decision; a view of one million rows with twenty fields takes about 30 million steps.
  static let steps = 100_000_000
  /// The greatest processor time in seconds.
  ///
  /// - Source: design decision.
  static let seconds = 4
  /// The number of steps between two checks, since one step may take milliseconds.
  private static let stride: Int32 = 100
  /// The greatest sizes in bytes of a text or blob, and of a pattern of `LIKE` and `GLOB`.
  ///
  /// Their product limits the time of one step.
  ///
  /// - Source: design decision.
  private static let (valueBytes, patternBytes): (Int32, Int32) = (16 << 20, 200)

  /// The functions that a view may call; each takes time and memory at most proportional to its arguments.
  ///
  /// `trim` and `instr` are not among them: they compare every character of one argument with every character of the
  /// other.
  private static let functions: Set<String> = [
    "abs", "avg", "ceil", "ceiling", "char", "coalesce", "count", "cume_dist", "date", "datetime",
    "dense_rank",
    "first_value", "floor", "glob", "ifnull", "iif", "julianday", "lag", "last_value", "lead", "length",
    "like", "ln", "log", "log10", "log2", "lower", "max", "min", "mod", "nth_value", "ntile", "nullif",
    "percent_rank", "pi", "pow", "power", "rank", "round", "row_number", "sign", "sqrt", "strftime",
    "substr", "substring", "sum", "time", "total", "trunc", "typeof", "unicode", "unixepoch", "upper",
  ]

  /// SQLite's own virtual tables, which exist without an entry in the schema.
  private static let builtInTables: Set<String> = [
    "bytecode", "completion", "dbstat", "fsdir", "generate_series", "json_each", "json_tree", "sqlite_dbpage",
    "sqlite_stmt", "tables_used",
  ]

  /// The virtual tables, which are not read.
  private let refusedTables: Set<String>
  private var stepsLeft = SQLiteLimits.steps
  private var deadline = 0
  /// The limit that stopped the last statement; nil when none did.
  private(set) var reached: String?

  /// Creates limits that refuse virtual tables, given by their names in lower case.
  init(refusing tables: Set<String>) { refusedTables = tables.union(Self.builtInTables) }

  /// Applies the limits to a connection, which must not outlive them.
  func apply(to handle: OpaquePointer, _ calls: cgeospatial_sqlite) {
    let box = Unmanaged.passUnretained(self).toOpaque()
    deadline = Self.now + Self.seconds * 1000
    _ = calls.sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.valueBytes)
    _ = calls.sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, Self.patternBytes)
    _ = calls.sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    calls.sqlite3_progress_handler(
      handle, Self.stride,
      { box in
        guard let box else { return 1 }
        return Unmanaged<SQLiteLimits>.fromOpaque(box).takeUnretainedValue().isOver() ? 1 : 0
      }, box)
    _ = calls.sqlite3_set_authorizer(
      handle,
      { box, action, first, second, _, _ in
        guard let box else { return SQLITE_DENY }
        let limits = Unmanaged<SQLiteLimits>.fromOpaque(box).takeUnretainedValue()
        return limits.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
      }, box)
  }

  /// The processor time of this thread in milliseconds.
  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  private func isOver() -> Bool {
    stepsLeft -= Int(Self.stride)
    if stepsLeft < 0 || Self.now > deadline {
      reached = "the limit of \(Self.steps / 1_000_000) million steps or \(Self.seconds) seconds"
    }
    return reached != nil
  }

  private func allows(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?)
    -> Bool
  {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return true
    case SQLITE_READ:
      let table = first.map { String(cString: $0).lowercased() } ?? ""
      guard !refusedTables.contains(table), !table.hasPrefix("pragma_") else {
        reached = "the virtual table \(table), which is not read"
        return false
      }
      return true
    case SQLITE_FUNCTION:
      let name = second.map { String(cString: $0).lowercased() } ?? ""
      guard Self.functions.contains(name) else {
        reached = "the function \(name), which a view may not call"
        return false
      }
      return true
    default:
      reached = "a statement that does more than read"
      return false
    }
  }
}
