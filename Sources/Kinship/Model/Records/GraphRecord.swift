/// A value that the cache can hold: identifiable, free to cross any thread, related to others by
/// refs.
///
/// ```swift
/// struct Person: GraphRecord {
///   let id: Int
///   var name: String
///   var father: Ref<Person>?
///   var mother: Ref<Person>?
///   var events: [Ref<Event>] = []
///
///   static let relationships: Relationships<Person> = [
///     .toOne(\.father), .toOne(\.mother), .toMany(\.events),
///   ]
/// }
/// ```
///
/// The `id` must stay equal to itself, and so must its hash: `NaN`, say, is refused with
/// ``KinshipError/unstableID(type:)``, and where nothing can be thrown, nothing is known of it. Ids
/// are compared and hashed while the cache is locked: their `==`, `hash(into:)` and `deinit` must
/// not use the cache, nor must the `==` of a record. Lookups are O(1) as long as hashes differ: a
/// read takes the longer, the more ids share one. What a record holds may use the cache as it ends.
public protocol GraphRecord: Cacheable {
  /// The name under which the type is known, unique within a schema.
  ///
  /// The default is the type's own name.
  static var recordName: String { get }

  /// The version of what is stored in files: 1 or more.
  ///
  /// The default is 1. Raise it with a change that `Codable` does not bridge by itself, as it does
  /// a new optional property, and say in ``Migrations`` how a record of the version before becomes
  /// one of this.
  static var recordVersion: Int { get }

  /// The properties that hold refs to other records and that plans can follow.
  ///
  /// Each stored property that holds refs must be among them, or be
  /// ``RelationshipDeclaration/ignored(_:)``. The default is none. Declare it as a stored `static
  /// let`: it is read whenever a schema is made of the type.
  static var relationships: Relationships<Self> { get }

  /// The properties by which records are found without looking through all.
  ///
  /// The default is none. Declare it as a stored `static let`: see ``RecordIndexes``.
  static var indexes: RecordIndexes<Self> { get }

  /// How old what is known of records may be where a reader does not say.
  ///
  /// The default is `nil`: what is in memory counts until it is written or invalidated. A cache can
  /// say otherwise: ``FreshnessRule``.
  static var freshness: Freshness? { get }
}

extension GraphRecord {
  /// The type's own name, without its module.
  public static var recordName: String { String(describing: Self.self) }

  /// 1.
  public static var recordVersion: Int { 1 }

  /// No relationships.
  @inlinable
  public static var relationships: Relationships<Self> { [] }

  /// No indexes.
  public static var indexes: RecordIndexes<Self> { RecordIndexes() }

  /// Nothing grows too old.
  @inlinable
  public static var freshness: Freshness? { nil }

  /// The ref that names this record.
  @inlinable
  public var ref: Ref<Self> { Ref(id) }
}
