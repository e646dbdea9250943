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
