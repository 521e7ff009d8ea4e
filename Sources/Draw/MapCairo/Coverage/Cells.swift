internal import Glibc

/// Values in separately allocated memory, all 0 at first.
///
/// Every index is checked. An array would check before each write whether it is shared, which takes longer than the
/// write.
@safe struct Cells<Value: BitwiseCopyable & AdditiveArithmetic>: ~Copyable {
  /// The first value, for C; valid as long as the cells are.
  @unsafe let start: UnsafeMutablePointer<Value>
  let count: Int

  init(count: Int) {
    // Zeroed memory of the system, which takes no page before it is written.
    guard let memory = unsafe calloc(max(1, count), MemoryLayout<Value>.stride) else {
      fatalError("no memory for \(count) cells")
    }
    unsafe start = memory.bindMemory(to: Value.self, capacity: count)
    self.count = count
  }

  deinit { unsafe free(start) }

  subscript(index: Int) -> Value {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      return unsafe start[index]
    }
    @inline(__always) nonmutating set {
      precondition(index >= 0 && index < count)
      unsafe start[index] = newValue
    }
  }

  /// Sets some values to one.
  @inline(__always)
  func set(_ range: Range<Int>, to value: Value) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    for index in range { unsafe start[index] = value }
  }
}

/// Memory for values that C code initializes before it reads them.
@safe struct UninitializedCells<Value: BitwiseCopyable>: ~Copyable {
  /// The first value; valid as long as the cells are.
  @unsafe let start: UnsafeMutablePointer<Value>

  init(count: Int) { unsafe start = UnsafeMutablePointer<Value>.allocate(capacity: max(1, count)) }

  deinit { unsafe start.deallocate() }
}
