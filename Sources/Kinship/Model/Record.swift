/// A value that the cache can hold: identifiable, free to cross any thread, related to others by
/// refs.
///
/// ```swift
/// struct Person: Record {
///   let id: Int
///   var name: String
///   var father: Ref<Person>?
///   var events: [Ref<Event>] = []
///
///   static let relationships: Relationships<Person> = [.toOne(\.father), .toMany(\.events)]
/// }
/// ```
public protocol Record: Identifiable, Sendable where ID: Sendable {
  /// The name under which the type is known, unique within a schema.
  ///
  /// The default is the type's own name.
  static var recordName: String { get }

  /// The properties that hold refs to other records and that plans can follow.
  ///
  /// The default is none. Declare it as a stored `static let`: it is read whenever a schema is
  /// made of the type.
  static var relationships: Relationships<Self> { get }

  /// What holding this record costs, in a unit of your choice (bytes, say).
  ///
  /// The sum over all records is kept within the cache's `costLimit`. It must depend on the
  /// record's value alone, must not call the cache, and counts as 0 where it is negative. The
  /// default is 1.
  var cacheCost: Int { get }
}

extension Record {
  /// The type's own name, without its module.
  public static var recordName: String { String(describing: Self.self) }

  /// No relationships.
  @inlinable
  public static var relationships: Relationships<Self> { [] }

  /// Every record costs 1.
  @inlinable
  public var cacheCost: Int { 1 }

  /// The ref that names this record.
  @inlinable
  public var ref: Ref<Self> { Ref(id) }
}
