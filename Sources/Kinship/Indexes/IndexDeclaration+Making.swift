extension IndexDeclaration {
  /// An index that keeps the records in the order of a property.
  ///
  /// It finds records by a value, a range or a prefix, and in order.
  ///
  /// - Parameter property: The property.
  /// - Returns: The declaration.
  @inlinable
  public static func ordered<Value: IndexedValue>(
    _ property: any KeyPath<Element, Value> & Sendable
  ) -> IndexDeclaration {
    IndexDeclaration(
      [property], .ordered, OrderedEntries<Element, SingleKey<Value>>.self, key(property))
  }

  /// An index that keeps the records in the order of two properties.
  ///
  /// It finds records by a value of the first, and then by a value, a range or a prefix of the
  /// second; in the order of both, or, for one value of the first, of the second.
  ///
  /// - Parameters:
  ///   - first: The property that counts first.
  ///   - second: The property that counts where the first is the same.
  /// - Returns: The declaration.
  @inlinable
  public static func ordered<First: IndexedValue, Second: IndexedValue>(
    _ first: any KeyPath<Element, First> & Sendable,
    _ second: any KeyPath<Element, Second> & Sendable
  ) -> IndexDeclaration {
    IndexDeclaration(
      [first, second], .ordered, OrderedEntries<Element, Keys<First, Second>>.self,
      key(first, second))
  }

  /// An index that keeps the records in the order of three properties.
  ///
  /// - Parameters:
  ///   - first: The property that counts first.
  ///   - second: The property that counts where the first is the same.
  ///   - third: The property that counts where the first two are the same.
  /// - Returns: The declaration.
  @inlinable
  public static func ordered<First: IndexedValue, Second: IndexedValue, Third: IndexedValue>(
    _ first: any KeyPath<Element, First> & Sendable,
    _ second: any KeyPath<Element, Second> & Sendable,
    _ third: any KeyPath<Element, Third> & Sendable
  ) -> IndexDeclaration {
    let (one, rest) = (key(first), key(second, third))
    return IndexDeclaration(
      [first, second, third], .ordered,
      OrderedEntries<Element, PairKey<SingleKey<First>, Keys<Second, Third>>>.self
    ) {
      PairKey(one($0), rest($0))
    }
  }

  /// An index that finds records by a value of a property, in a step.
  ///
  /// - Parameter property: The property.
  /// - Returns: The declaration.
  @inlinable
  public static func hashed<Value: Hashable & Sendable>(
    _ property: any KeyPath<Element, Value> & Sendable
  ) -> IndexDeclaration {
    IndexDeclaration(
      [property], .hashed, HashedEntries<Element, SingleKey<Value>>.self, key(property))
  }

  /// An index that finds records by the values of two properties, in a step.
  ///
  /// - Parameters:
  ///   - first: A property.
  ///   - second: Another property.
  /// - Returns: The declaration.
  @inlinable
  public static func hashed<First: Hashable & Sendable, Second: Hashable & Sendable>(
    _ first: any KeyPath<Element, First> & Sendable,
    _ second: any KeyPath<Element, Second> & Sendable
  ) -> IndexDeclaration {
    IndexDeclaration(
      [first, second], .hashed, HashedEntries<Element, Keys<First, Second>>.self, key(first, second)
    )
  }

  /// An index that finds records by a value of a property, in a step, and has no two records share
  /// one.
  ///
  /// Any number of records may have no value, where the property is optional.
  ///
  /// - Parameter property: The property.
  /// - Returns: The declaration.
  @inlinable
  public static func unique<Value: Hashable & Sendable>(
    _ property: any KeyPath<Element, Value> & Sendable
  ) -> IndexDeclaration {
    hashed(property).unique
  }

  /// An index that finds records by the values of two properties, in a step, and has no two records
  /// share both.
  ///
  /// Any number of records may agree in one of them, or in both where one is `nil`.
  ///
  /// - Parameters:
  ///   - first: A property.
  ///   - second: Another property.
  /// - Returns: The declaration.
  @inlinable
  public static func unique<First: Hashable & Sendable, Second: Hashable & Sendable>(
    _ first: any KeyPath<Element, First> & Sendable,
    _ second: any KeyPath<Element, Second> & Sendable
  ) -> IndexDeclaration {
    hashed(first, second).unique
  }

  @inlinable
  var unique: IndexDeclaration {
    var unique = self
    unique.isUnique = true
    return unique
  }

  @usableFromInline
  typealias Keys<First: Sendable, Second: Sendable> = PairKey<SingleKey<First>, SingleKey<Second>>

  /// Reads the key of a property.
  @inlinable
  static func key<Value>(
    _ property: any KeyPath<Element, Value> & Sendable
  ) -> @Sendable (Element) -> SingleKey<Value> {
    let value = PropertyReader(property)
    return { SingleKey(value($0)) }
  }

  /// Reads the key of two properties.
  @inlinable
  static func key<First, Second>(
    _ first: any KeyPath<Element, First> & Sendable,
    _ second: any KeyPath<Element, Second> & Sendable
  ) -> @Sendable (Element) -> Keys<First, Second> {
    let (one, two) = (key(first), key(second))
    return { PairKey(one($0), two($0)) }
  }
}
