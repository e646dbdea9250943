/// The edits of one type, built on first use.
///
/// Most callers never use them, and copying each record once more would be a third of a
/// transaction's cost.
///
/// Its properties are of concrete types, so that it is released at little cost.
@usableFromInline
package final class TypeEdits<R: GraphRecord>: ErasedEdits {
  /// The table that holds the edits until they are first used, and then the edits: a `StagedTable`,
  /// or `RecordEdits`.
  fileprivate let content: Lock<any Sendable>
  @usableFromInline package let count: Int
  @usableFromInline package let stagedCount: Int
  /// The ids of the records that a table has changed, so that they need not be built for them.
  fileprivate let changed: IDs?
  /// Builds the edits that a table holds.
  @usableFromInline typealias Make = @Sendable (StagedTable<R>) -> RecordEdits<R>
  private let make: Make?
  /// Applies the table's edits to records by their ids: see `ErasedEdits`.
  fileprivate let update: RecordOperations.Update?

  /// Creates the edits of a table, built on first use: nothing more may be staged in the table.
  @usableFromInline
  init(
    _ table: StagedTable<R>, _ changed: IDs, of stagedCount: Int, make: @escaping Make,
    update: RecordOperations.Update?
  ) {
    content = Lock(table)
    count = changed.count
    self.stagedCount = stagedCount
    self.changed = changed
    self.make = make
    self.update = update
  }

  init(_ edits: RecordEdits<R>) {
    content = Lock(edits)
    count = edits.count
    stagedCount = count
    changed = nil
    make = nil
    update = nil
  }

  @usableFromInline package var typed: TypeEdits { self }

  var ids: [R.ID] { changed.map { $0.of(R.self) } ?? edits.ids }

  var edits: RecordEdits<R> {
    let (edits, table) = content.withLock { content -> (RecordEdits<R>, StagedTable<R>?) in
      guard let make, let table = content as? StagedTable<R> else {
        return (checked(content, as: RecordEdits<R>.self), nil)
      }
      let edits = make(table)
      content = edits
      return (edits, table)
    }
    // Staged values that are unchanged are released with the table: outside of the lock.
    withExtendedLifetime(table) {}
    return edits
  }
}

/// The edits of a type that is known at run time only: ``TypeEdits`` alone conforms.
@usableFromInline
package protocol ErasedEdits<R>: AnyObject, Sendable {
  associatedtype R: GraphRecord

  var typed: TypeEdits<R> { get }
  var count: Int { get }
  /// The number of values that are staged for them.
  var stagedCount: Int { get }
}

extension ErasedEdits {
  package var recordType: any GraphRecord.Type { R.self }
  var refs: [AnyRef] { typed.ids.map { AnyRef(Ref<R>($0)) } }
  var summary: String { typed.edits.summary }
  /// Whether the records are certainly unchanged.
  var areWithoutEffect: Bool { typed.edits.areWithoutEffect }

  /// Returns a step that sets the changed properties in stored records, a dictionary by their ids,
  /// if these all exist and nothing else was changed.
  func update(_ records: any Sendable) -> RecordOperations.UpdateStep? {
    let content = typed.content.withLock { $0 }
    guard let update = typed.update, let table = content as? any ErasedStagedTable else {
      return nil
    }
    return update(table, records)
  }

  /// The ids of the records of the type, which has a number.
  func ids(_ type: TypeNumber) -> IDs {
    if let changed = typed.changed, changed.type == type { return changed }
    return IDs(typed.ids, of: type)
  }

  /// Returns the edits that undo these.
  ///
  /// - Throws: `KinshipError.misuse(.notInvertible)`.
  func inverted() throws(KinshipError) -> any ErasedEdits { TypeEdits(try typed.edits.inverted()) }

  /// Throws if an edited record has an id that could not be found again.
  ///
  /// - Throws: `KinshipError.invalidSchema(.unstableID)`.
  package func requireStable() throws(KinshipError) {
    if !R.hasSoundIDs { try R.requireStable(ids: typed.edits.ids) }
  }

  /// The number of edits, without those that had no effect.
  var editCount: Int { typed.edits.count }

  /// Stages a range of the edits in a transaction.
  ///
  /// - Returns: The result of `RecordEdits.apply`.
  /// - Throws: The errors of `RecordEdits.apply`.
  func apply(
    _ range: Range<Int>, in staging: Staging, _ type: TypeNumber, _ map: borrowing IdentityMap
  ) throws(KinshipError) -> (unknown: IDs, hasSetUnseen: Bool) {
    let edits = typed.edits
    let (unknown, hasSetUnseen) = try staging.table(type, of: R.self).change(in: staging) {
      values throws(KinshipError) in try edits.apply(range, to: &values, map)
    }
    return (IDs(unknown, of: type), hasSetUnseen)
  }

  /// Encodes the type's name and the records.
  func encode(to encoder: any Encoder) throws { try typed.edits.encode(to: encoder) }

  /// Returns the net effect of these edits and later ones of the same type.
  func merging(_ later: any ErasedEdits) -> any ErasedEdits {
    guard let later = later as? TypeEdits<R> else { return self }
    return TypeEdits(typed.edits.merging(later.edits))
  }
}
