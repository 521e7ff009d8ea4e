#if Labels
  internal import CHarfBuzz

  /// A run of consecutive characters of one script.
  struct ScriptRun {
    /// The indexes of the characters in the line.
    let range: Range<Int>
    /// The script, as a HarfBuzz constant.
    let script: hb_script_t

    /// Splits a line into script runs.
    ///
    /// Digits, spaces, signs and marks, which have no script of their own, join the run before them; at the start of a
    /// line they join the run after them.
    ///
    /// - Source: Unicode Standard Annex 24, 5.1, for common and inherited; brackets are not paired.
    static func runs(of scalars: [Unicode.Scalar]) -> [ScriptRun] {
      // These functions depend on Unicode data only; HarfBuzz keeps them for the life of the program.
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
#endif
