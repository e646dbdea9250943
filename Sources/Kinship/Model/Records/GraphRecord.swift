/// A value that the cache can hold: identifiable, sendable, and related to other records by refs.
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
/// The `id` must stay equal to itself, and so must its hash: calls reject `NaN`, for example, with
/// ``KinshipError/InvalidSchema/unstableID(type:)``, and calls that cannot throw treat its record
/// as unknown. The cache compares and hashes ids while it is locked: their `==`, `hash(into:)` and
/// `deinit` must not use the cache, nor must the `==` of a record. Lookups are O(1) as long as
/// hashes differ: the more ids share a hash, the longer a read takes. The `deinit` of objects that
/// a record holds may use the cache.
public protocol GraphRecord: Cacheable {
  /// The name of the type, unique within a schema.
  ///
  /// The default is the type's own name.
  static var recordName: String { get }

  /// The version of the record's stored form in files: 1 or more.
  ///
  /// The default is 1. Raise it with each change that `Codable` does not bridge by itself (it does
  /// bridge a new optional property), and say in ``Migrations`` how to convert a record of the
  /// previous version to this one.
  static var recordVersion: Int { get }

  /// The properties that hold refs to other records and that plans can follow.
  ///
  /// Each stored property that holds refs must be among them, or be
  /// ``RelationshipDeclaration/ignored(_:)``. The default is none. Declare it as a stored
  /// `static let`: it is read whenever a schema is created with the type.
  static var relationships: Relationships<Self> { get }

  /// The properties by which records are found without scanning all.
  ///
  /// The default is none. Declare it as a stored `static let`: see ``RecordIndexes``.
  static var indexes: RecordIndexes<Self> { get }

  /// The freshness of the type's records if a reader demands none.
  ///
  /// The default is `nil`: a record in memory is used until it is written or invalidated. A cache
  /// can override it: ``FreshnessRule``.
  static var freshness: Freshness? { get }
}

extension GraphRecord {
  /// The type's own name, without its module.
  public static var recordName: String { String(describing: Self.self) }

  /// The default: 1.
  public static var recordVersion: Int { 1 }

  /// The default: no relationships.
  @inlinable
  public static var relationships: Relationships<Self> { [] }

  /// The default: no indexes.
  public static var indexes: RecordIndexes<Self> { RecordIndexes() }

  /// The default: records have no maximum age.
  @inlinable
  public static var freshness: Freshness? { nil }

  /// The ref that names this record.
  @inlinable
  public var ref: Ref<Self> { Ref(id) }
}

extension GraphRecord {
  /// Throws if an id could not be found again.
  ///
  /// - Throws: `KinshipError.invalidSchema(.unstableID)`.
  @inlinable
  static func requireStable(_ id: ID) throws(KinshipError) {
    if !isStable(id) { throw .invalidSchema(.unstableID(type: recordName)) }
  }

  /// Throws if an id could not be found again.
  ///
  /// - Throws: `KinshipError.invalidSchema(.unstableID)`.
  static func requireStable(ids: [ID]) throws(KinshipError) {
    if hasSoundIDs { return }
    for id in ids where !isStable(id) { throw .invalidSchema(.unstableID(type: recordName)) }
  }

  /// Throws if a record has an id that could not be found again.
  ///
  /// - Throws: `KinshipError.invalidSchema(.unstableID)`.
  @inlinable
  static func requireStable(_ records: some Sequence<Self>) throws(KinshipError) {
    if hasSoundIDs { return }
    for record in records where !isStable(record.id) {
      throw .invalidSchema(.unstableID(type: recordName))
    }
  }
}
