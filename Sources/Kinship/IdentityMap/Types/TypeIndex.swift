/// An index from a type to its number in the schema: a few instructions, on every read.
@usableFromInline
struct TypeIndex: Sendable {
  /// The identities of the types, hashed by their address; 0 where there is none.
  @usableFromInline let keys: ContiguousArray<UInt>
  @usableFromInline let numbers: ContiguousArray<TypeNumber>

  init(_ types: [Any.Type]) {
    var size = 4
    while size < types.count * 2 { size *= 2 }
    var keys = ContiguousArray<UInt>(repeating: 0, count: size)
    var numbers = ContiguousArray<TypeNumber>(repeating: TypeNumber(0), count: size)
    for (number, type) in types.enumerated() {
      let key = UInt(bitPattern: ObjectIdentifier(type))
      var position = Self.position(of: key, mask: size - 1)
      while keys[position] != 0 { position = (position + 1) & (size - 1) }
      keys[position] = key
      numbers[position] = TypeNumber(number)
    }
    self.keys = keys
    self.numbers = numbers
  }

  @inlinable
  static func position(of key: UInt, mask: Int) -> Int {
    // Type metadata is aligned to 8 bytes and spaced irregularly: mix a higher part in.
    Int(truncatingIfNeeded: (key &>> 3) ^ (key &>> 9)) & mask
  }

  @inlinable
  subscript(type: Any.Type) -> TypeNumber? {
    let key = UInt(bitPattern: ObjectIdentifier(type))
    let mask = keys.count &- 1
    var position = Self.position(of: key, mask: mask)
    while true {
      if keys[position] == key { return numbers[position] }
      if keys[position] == 0 { return nil }
      position = (position &+ 1) & mask
    }
  }
}

/// The position of a record type in its schema, by which the core knows it.
@usableFromInline
package struct TypeNumber: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int

  @inlinable
  package init(_ index: Int) { self.index = index }

  @inlinable
  package static func < (left: TypeNumber, right: TypeNumber) -> Bool { left.index < right.index }
}

extension Collection where Index == Int {
  /// Returns the element of a type, if there is one for each type, in the order of the schema.
  @inlinable
  package subscript(type: TypeNumber) -> Element { self[type.index] }

  /// The numbers of the types of which there is an element each.
  @inlinable
  package var typeNumbers: some Sequence<TypeNumber> { indices.lazy.map { TypeNumber($0) } }
}

extension MutableCollection where Index == Int {
  @inlinable
  package subscript(type: TypeNumber) -> Element {
    get { self[type.index] }
    _modify { yield &self[type.index] }
  }
}
