// Foundation's `localizedDescription` of an error is its description: without these conformances it would be "The
// operation could not be completed" and a number.
public import FoundationEssentials
public import MapModel
public import MapSystem

#if Services
  public import MapServices
#endif

extension SymbolPictureError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension MapStateError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

#if Services
  extension CredentialsError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }

  extension ServiceError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
  }
#endif
