internal import Glibc

/// Returns whether the system would now allocate that much memory in one block.
///
/// A failed allocation of an array ends the program, so callers test large ones here first. The answer is valid at
/// this instant only. A system that promises more memory than it has may still end the program later.
package func canAllocate(bytes: Int) -> Bool {
  // Small requests are not worth a call.
  if bytes < 1 << 20 { return true }
  guard let memory = unsafe malloc(bytes) else { return false }
  unsafe free(memory)
  return true
}
