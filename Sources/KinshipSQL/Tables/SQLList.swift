public import Kinship

/// The mapping of a to-many property whose refs are in the rows of another table.
///
/// A statement that reads rows reads their lists too.
public struct SQLList<R: GraphRecord>: Sendable {
  @usableFromInline package let keyPath: any PartialKeyPath<R> & Sendable
  package let place: ListPlace
  /// Whether ids are integers, which need no mark of their kind.
  package let isPlain: Bool
  package let decode: @Sendable (any ListSource) throws -> any Sendable
  package let ids: @Sendable (R, SQLFormats) throws -> [SQLValue]

  @usableFromInline
  package init(
    _ keyPath: any PartialKeyPath<R> & Sendable, _ place: ListPlace, isPlain: Bool,
    decode: @escaping @Sendable (any ListSource) throws -> any Sendable,
    ids: @escaping @Sendable (R, SQLFormats) throws -> [SQLValue]
  ) {
    self.keyPath = keyPath
    self.place = place
    self.isPlain = isPlain
    self.decode = decode
    self.ids = ids
  }

  @inlinable
  package init<Target: GraphRecord>(
    _ keyPath: any KeyPath<R, [Ref<Target>]> & Sendable, in place: ListPlace
  ) {
    self.init(
      keyPath, place, isPlain: Target.ID.self == Int.self,
      decode: { try Self.refs(of: Target.self, from: $0) },
      ids: { record, formats in
        try record[keyPath: keyPath].map { try IDCoding.value(of: $0.id, formats) }
      })
  }

  /// Maps a list to the rows of another table that name this record in a foreign key.
  ///
  /// A transaction that changes the list sets that column after it has written all records. An
  /// added target gets this record's id. A removed target loses it, if it still has it.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - table: The targets' table.
  ///   - foreignKey: The column of that table that holds this record's id.
  ///   - key: The column of that table that holds the target's id.
  ///   - order: The column of that table by which the list is sorted; by default `key`.
  /// - Returns: The list.
  @inlinable
  public static func toMany<Target: GraphRecord>(
    _ keyPath: any KeyPath<R, [Ref<Target>]> & Sendable, table: String, foreignKey: String,
    key: String, orderedBy order: String? = nil
  ) -> SQLList {
    SQLList(
      keyPath,
      in: ListPlace(isJoin: false, table, owner: foreignKey, target: key, order: order))
  }

  /// Maps a list to a join table between the records and their targets.
  ///
  /// A transaction that changes the list replaces the record's rows of that table. Columns that are
  /// not named here get their defaults.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - table: The join table.
  ///   - from: The column that holds this record's id.
  ///   - to: The column that holds the target's id.
  ///   - order: The column by which the list is sorted. It holds the positions in the list, from 0
  ///     on. Without it, the list is sorted by `to`.
  /// - Returns: The list.
  @inlinable
  public static func toMany<Target: GraphRecord>(
    _ keyPath: any KeyPath<R, [Ref<Target>]> & Sendable, through table: String, from: String,
    to: String, orderedBy order: String? = nil
  ) -> SQLList {
    SQLList(keyPath, in: ListPlace(isJoin: true, table, owner: from, target: to, order: order))
  }

  @inlinable
  package static func refs<Target: GraphRecord>(
    of type: Target.Type, from list: any ListSource
  ) throws -> [Ref<Target>] {
    var list = list
    var refs: [Ref<Target>] = []
    if Target.ID.self == Int.self {
      while let integer = try list.nextInteger() {
        if let id = Int(integer) as? Target.ID { refs.append(Ref(id)) }
      }
    } else {
      while let value = try list.nextValue() {
        refs.append(Ref(try IDCoding.id(Target.ID.self, from: value, list.formats)))
      }
    }
    return refs
  }

  package var name: String { PropertyName.of(keyPath) }
}
