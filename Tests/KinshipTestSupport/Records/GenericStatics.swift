internal import Kinship

/// The values that generic types would store in static properties if they could.
public enum GenericStatics {
  private static let values = Lock<[[ObjectIdentifier]: any Sendable]>([:])

  /// The value of a type, created on first use.
  ///
  /// - Parameters:
  ///   - type: The type that would store it.
  ///   - make: Creates the value. It may run more than once.
  /// - Returns: The value.
  /// - Throws: Any error of `make`. Nothing is kept then.
  public static func value<Value: Sendable, E: Error>(
    of type: Any.Type, _ make: () throws(E) -> Value
  ) throws(E) -> Value {
    let key = [ObjectIdentifier(type), ObjectIdentifier(Value.self)]
    if let value = values.withLock({ $0[key] }) as? Value { return value }
    let value = try make()
    values.withLock { $0[key] = value }
    return value
  }
}
