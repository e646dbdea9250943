/// Returns a value as another type, if two types were compared and are the same.
///
/// The compiler does not conclude it from the comparison. A cast would ask the runtime again for
/// each value, which takes as long as writing it. That the two are the same follows from the types
/// that the program declares, never from data; otherwise, different sizes would trap at the first
/// value.
///
/// - Precondition: `Value` and `Same` are one type.
@inlinable
@inline(__always)
package func identical<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  assert(Value.self == Same.self, "\(Value.self) is not \(Same.self)")
  return unsafeBitCast(value, to: type)
}
