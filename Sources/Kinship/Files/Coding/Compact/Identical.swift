/// A value as one of another type, where it is of that type: a comparison of two addresses, where `as?` asks
/// the runtime.
@inline(__always)
func identical<Value, Other>(_ value: Value, to type: Other.Type) -> Other? {
  Value.self == Other.self ? unsafeBitCast(value, to: Other.self) : nil
}

/// A value as one of the type that it is known to be of.
@inline(__always)
func same<Value, Other>(_ value: Value) -> Other {
  assert(Value.self == Other.self)
  return unsafeBitCast(value, to: Other.self)
}
