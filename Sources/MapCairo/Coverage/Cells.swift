/// Values in memory of their own, all 0 at first.
///
/// Every place is checked. An array would look whether it is shared before each write, which takes longer than the write.
@safe struct Cells<Value: BitwiseCopyable & AdditiveArithmetic>: ~Copyable {
  private let start: UnsafeMutablePointer<Value>
  let count: Int

  init(count: Int) {
    unsafe start = .allocate(capacity: count)
    unsafe start.initialize(repeating: .zero, count: count)
    self.count = count
  }

  deinit { unsafe start.deallocate() }

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
}
