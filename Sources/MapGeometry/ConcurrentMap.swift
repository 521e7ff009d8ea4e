internal import Dispatch
internal import Synchronization

/// What a body gives for the numbers below a count, worked out on all cores, in the order of the numbers.
///
/// The answer does not depend on how many cores there are; of several errors the first in order is thrown. The calling
/// thread works too, so it also ends when no other is free.
/// - Cost: some 10 µs beside the work itself.
package func concurrentMap<Value: Sendable, Failure: Error>(
  _ count: Int, _ body: @Sendable (Int) throws(Failure) -> Value
) throws(Failure) -> [Value] {
  let outcomes = Mutex<[Result<Value, Failure>?]>(Array(repeating: nil, count: count))
  DispatchQueue.concurrentPerform(iterations: count) { index in
    let outcome = Result { () throws(Failure) in try body(index) }
    outcomes.withLock { $0[index] = outcome }
  }
  var values: [Value] = []
  values.reserveCapacity(count)
  for outcome in outcomes.withLock({ $0 }) {
    if let value = try outcome?.get() { values.append(value) }
  }
  return values
}

extension Range<Int> {
  /// The range in pieces of a size, the last one smaller.
  package func pieces(of size: Int) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: size).map { $0..<Swift.min(upperBound, $0 + size) }
  }
}
