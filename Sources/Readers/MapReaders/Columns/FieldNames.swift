/// The names of fields in files that may leave a name empty or use it twice.
package enum FieldNames {
  /// Returns different names that are not empty, in linear time: `a`, `a` and an empty name become `a`, `a_2`
  /// and `field3`.
  package static func distinct(_ names: [String]) -> [String] {
    // For each name in use, the number to try for its next duplicate.
    var numbers: [String: Int] = [:]
    return names.enumerated().map { index, written in
      let wanted = written.isEmpty ? "field\(index + 1)" : written
      var name = wanted
      if var number = numbers[wanted] {
        repeat {
          name = "\(wanted)_\(number)"
          number += 1
        } while numbers[name] != nil
        numbers[wanted] = number
      }
      numbers[name] = 2
      return name
    }
  }

  /// Returns the warning about names that are not as written; empty if all are.
  ///
  /// - Parameter place: the part of the file that has the names, such as `header`.
  package static func warnings(_ names: [String], written: [String], in place: String = "fields") -> [String]
  {
    let renamed = zip(names, written).filter { $0 != $1 }.map(\.0)
    guard !renamed.isEmpty else { return [] }
    let shown = renamed.prefix(5).joined(separator: ", ")
    let rest = renamed.count > 5 ? " and \(renamed.count - 5) more" : ""
    return ["\(place): names that were empty or occurred before became \(shown)\(rest)"]
  }
}
