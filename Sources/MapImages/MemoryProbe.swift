internal import Glibc

/// True when the system would now give that much memory in one piece.
///
/// An array that gets no memory ends the program, so large ones are asked for here first. It is an answer for this
/// moment only, and a system that promises more memory than it has may still end the program later.
package func canAllocate(bytes: Int) -> Bool {
  // Small requests are not worth the call.
  if bytes < 1 << 20 { return true }
  guard let memory = unsafe malloc(bytes) else { return false }
  unsafe free(memory)
  return true
}
