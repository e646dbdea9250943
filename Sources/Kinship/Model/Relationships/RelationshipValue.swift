/// A value that plans can follow: refs to records of one type, or of one of several.
///
/// Only ``RelationshipValue`` and ``RefChoice`` refine it: conform to nothing else.
public protocol FollowedValue: Sendable {}

extension Optional: FollowedValue where Wrapped: FollowedValue {}

extension Array: FollowedValue where Element: FollowedValue {}

/// The value of a relationship's property: a ref, an optional ref, or an array of refs.
///
/// Only ``Ref``, `Optional` and `Array` of refs conform.
public protocol RelationshipValue: FollowedValue {
  /// The type of the records that the refs name.
  associatedtype Target: GraphRecord

  /// Returns a value that holds one ref.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The value.
  static func holding(_ ref: Ref<Target>) -> Self

  /// Calls a closure with each ref, in order.
  ///
  /// - Parameter body: The closure.
  func forEachRef(_ body: (Ref<Target>) -> Void)

  /// Returns the value without the refs to some records.
  ///
  /// - Parameter ids: The ids of the records.
  /// - Returns: The value, or `nil` if it requires such a ref.
  func removing(_ ids: Set<Target.ID>) -> Self?

  /// Returns the value with another ref, which replaces a single ref or is added to several.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The value.
  func inserting(_ ref: Ref<Target>) -> Self
}

/// The value of a to-one relationship's property: a ref, or an optional ref.
///
/// Only ``Ref`` and `Optional` of refs conform.
public protocol ToOneValue: RelationshipValue {}

extension Ref: ToOneValue {
  /// The ref itself.
  @inlinable
  public static func holding(_ ref: Ref<R>) -> Ref<R> { ref }

  /// Calls a closure with the ref.
  @inlinable
  public func forEachRef(_ body: (Ref<R>) -> Void) { body(self) }

  /// The ref, unless it names one of some records.
  @inlinable
  public func removing(_ ids: Set<R.ID>) -> Ref<R>? { ids.contains(id) ? nil : self }

  /// Another ref in place of this one.
  @inlinable
  public func inserting(_ ref: Ref<R>) -> Ref<R> { ref }
}

extension Optional: RelationshipValue where Wrapped: RelationshipValue {
  /// The type of the record that the ref names.
  public typealias Target = Wrapped.Target

  /// An optional that holds a ref.
  @inlinable
  public static func holding(_ ref: Ref<Wrapped.Target>) -> Wrapped? { .some(.holding(ref)) }

  /// Calls a closure with the ref, if there is one.
  @inlinable
  public func forEachRef(_ body: (Ref<Wrapped.Target>) -> Void) { self?.forEachRef(body) }

  /// The ref, or none if it names one of some records.
  @inlinable
  public func removing(_ ids: Set<Wrapped.Target.ID>) -> Wrapped?? { .some(self?.removing(ids)) }

  /// Returns the ref, instead of the one that the optional holds.
  @inlinable
  public func inserting(_ ref: Ref<Wrapped.Target>) -> Wrapped? { .holding(ref) }
}

extension Optional: ToOneValue where Wrapped: ToOneValue {}

extension Array: RelationshipValue where Element: RelationshipValue {
  /// The type of the records that the refs name.
  public typealias Target = Element.Target

  /// An array that holds one ref.
  @inlinable
  public static func holding(_ ref: Ref<Element.Target>) -> [Element] { [.holding(ref)] }

  /// Calls a closure with each ref, in order.
  @inlinable
  public func forEachRef(_ body: (Ref<Element.Target>) -> Void) {
    for element in self { element.forEachRef(body) }
  }

  /// The refs to other records, in order.
  ///
  /// - Parameter ids: The ids of the records whose refs are left out.
  /// - Returns: The array.
  @inlinable
  public func removing(_ ids: Set<Element.Target.ID>) -> [Element]? {
    compactMap { $0.removing(ids) }
  }

  /// The refs and one more, unless it is there already.
  @inlinable
  public func inserting(_ ref: Ref<Element.Target>) -> [Element] {
    var isThere = false
    forEachRef { if $0.id == ref.id { isThere = true } }
    return isThere ? self : self + [.holding(ref)]
  }
}
