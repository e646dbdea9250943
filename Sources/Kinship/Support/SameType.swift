/// A value as what it is, where two types were compared, and are one.
///
/// The compiler does not conclude it from the comparison. A cast would ask the runtime again for
/// each value, which takes as long as to write it. That the two are one is decided by the types
/// that the program declares, never by what is read; were it untrue, sizes that differ would trap
/// at the first value.
///
/// - Precondition: `Value` and `Same` are one type.
@inline(__always)
func identical<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  assert(Value.self == Same.self, "\(Value.self) is not \(Same.self)")
  return unsafeBitCast(value, to: type)
}
