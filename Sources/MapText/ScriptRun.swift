internal import CHarfBuzz

/// Characters of one script that follow each other.
struct ScriptRun {
  /// Where they stand in the line.
  let range: Range<Int>
  /// HarfBuzz's name of the script.
  let script: hb_script_t

  /// The runs of a line: digits, blanks, signs and marks, which belong to no script of their own, join the run before
  /// them, and at the start the run after.
  ///
  /// - Source: Unicode Standard Annex 24, 5.1, for common and inherited; brackets are not paired.
  static func runs(of scalars: [Unicode.Scalar]) -> [ScriptRun] {
    // Functions for characters that depend on nothing but Unicode's data, kept by HarfBuzz for the whole program.
    let functions = unsafe hb_unicode_funcs_get_default()
    var runs: [ScriptRun] = []
    var (start, current) = (0, HB_SCRIPT_COMMON)
    for (index, scalar) in scalars.enumerated() {
      let script = unsafe hb_unicode_script(functions, scalar.value)
      if script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == current { continue }
      if current != HB_SCRIPT_COMMON {
        runs.append(ScriptRun(range: start..<index, script: current))
        start = index
      }
      current = script
    }
    if start < scalars.count { runs.append(ScriptRun(range: start..<scalars.count, script: current)) }
    return runs
  }
}
