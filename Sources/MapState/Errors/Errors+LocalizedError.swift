// Foundation's `localizedDescription` of an error is its description: without these conformances it would be "The
// operation could not be completed" and a number.
public import FoundationEssentials
public import MapFeatures
public import MapFilter
public import MapGeometry
public import MapImages
public import MapJSON
public import MapModel
public import MapSystem

#if Services
  public import MapServices
#endif

extension JSONDecodingError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension JSONSyntaxError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension GeometryFault: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension WellKnownBinaryError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension WellKnownTextError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension BitmapError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension PNGError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension FilterError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension FilterSyntaxError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension FilterWritingError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension QueryConditionError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension SpatialOperationError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension StatisticsError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension LabelExpressionError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

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
