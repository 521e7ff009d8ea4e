import MapState

/// Returns the cause of the `MapStateError` that a call throws; nil for another error or none.
func cause<Result>(_ call: () async throws -> Result) async -> (any Error)? { await fault(call)?.cause }

/// Returns the message of the `MapStateError` that a call throws; nil for another error or none.
func message<Result>(_ call: () async throws -> Result) async -> String? { await fault(call)?.description }

/// Returns the `MapStateError` that a call throws; nil for another error or none.
func fault<Result>(_ call: () async throws -> Result) async -> MapStateError? {
  do { _ = try await call() } catch { return error as? MapStateError }
  return nil
}
