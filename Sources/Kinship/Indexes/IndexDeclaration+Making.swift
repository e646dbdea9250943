extension IndexDeclaration {
  /// Declares an index that keeps the records in the order of a property.
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

  /// Declares an index that keeps the records in the order of two properties.
  ///
  /// It finds records by a value of the first property, and then by a value, a range or a prefix of
  /// the second. It sorts by both, or, for one value of the first, by the second.
  ///
  /// - Parameters:
  ///   - first: The property that counts first.
  ///   - second: The property that counts if the first is equal.
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

  /// Declares an index that keeps the records in the order of three properties.
  ///
  /// - Parameters:
  ///   - first: The property that counts first.
  ///   - second: The property that counts if the first is equal.
  ///   - third: The property that counts if the first two are equal.
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

  /// Declares an index that finds records by a value of a property in one step.
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

  /// Declares an index that finds records by the values of two properties in one step.
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

  /// Declares an index that finds records by a value of a property in one step, and that no two
  /// records may share a value of.
  ///
  /// If the property is optional, any number of records may be `nil`.
  ///
  /// - Parameter property: The property.
  /// - Returns: The declaration.
  @inlinable
  public static func unique<Value: Hashable & Sendable>(
    _ property: any KeyPath<Element, Value> & Sendable
  ) -> IndexDeclaration {
    hashed(property).unique
  }

  /// Declares an index that finds records by the values of two properties in one step, and that no
  /// two records may share both values of.
  ///
  /// Any number of records may agree in one of them, or in both if one is `nil`.
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
