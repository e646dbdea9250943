/// The edits of one type, built on first use.
///
/// Most callers never use them, and copying each record once more would be a third of a
/// transaction's cost.
///
/// Its properties are of concrete types, so that it is released at little cost.
@usableFromInline
final class TypeEdits<R: GraphRecord>: Sendable {
  /// The table that holds the edits until they are first used, and then the edits: a `StagedTable`,
  /// or `RecordEdits`.
  private let content: Lock<any Sendable>
  @usableFromInline let count: Int
  @usableFromInline let stagedCount: Int
  /// The ids of the records that a table has changed, so that they need not be built for them.
  private let changed: IDs?
  /// Builds the edits that a table holds.
  @usableFromInline typealias Make = @Sendable (StagedTable<R>) -> RecordEdits<R>
  private let make: Make?
  /// Applies the table's edits to records by their ids: see `ErasedEdits`.
  private let update: RecordOperations.Update?

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
    count = edits.inserted.count + edits.updated.count + edits.deleted.count
    stagedCount = count
    changed = nil
    make = nil
    update = nil
  }

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

/// The edits of a type that is known at run time only.
@usableFromInline
package protocol ErasedEdits: Sendable {
  var recordType: any GraphRecord.Type { get }
  var count: Int { get }
  /// The number of values that are staged for them.
  var stagedCount: Int { get }
  var refs: [AnyRef] { get }
  var summary: String { get }
  /// Whether the records are certainly unchanged.
  var areWithoutEffect: Bool { get }

  /// Returns a step that sets the changed properties in stored records, a dictionary by their ids,
  /// if these all exist and nothing else was changed.
  func update(_ records: any Sendable) -> RecordOperations.UpdateStep?

  /// The ids of the records of the type, which has a number.
  func ids(_ type: TypeNumber) -> IDs

  /// Returns the edits that undo these.
  ///
  /// - Throws: `KinshipError.notInvertible`.
  func inverted() throws(KinshipError) -> any ErasedEdits

  /// Throws if an edited record has an id that could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  func requireStable() throws(KinshipError)

  /// The number of edits, without those that had no effect.
  var editCount: Int { get }

  /// Stages a range of the edits in a transaction.
  ///
  /// - Returns: The result of `RecordEdits.apply`.
  /// - Throws: The errors of `RecordEdits.apply`.
  func apply(
    _ range: Range<Int>, in staging: Staging, _ type: TypeNumber, _ map: borrowing IdentityMap
  ) throws(KinshipError) -> (unknown: IDs, hasSetUnseen: Bool)

  /// Encodes the type's name and the records.
  func encode(to encoder: any Encoder) throws

  /// Returns the net effect of these edits and later ones of the same type.
  func merging(_ later: any ErasedEdits) -> any ErasedEdits
}

extension TypeEdits: ErasedEdits {
  @usableFromInline var recordType: any GraphRecord.Type { R.self }
  @usableFromInline var refs: [AnyRef] { ids.map { AnyRef(Ref<R>($0)) } }
  @usableFromInline var summary: String { edits.summary }
  @usableFromInline var areWithoutEffect: Bool { edits.areWithoutEffect }

  @usableFromInline
  func update(_ records: any Sendable) -> RecordOperations.UpdateStep? {
    guard let update, let table = content.withLock({ $0 }) as? any ErasedStagedTable else {
      return nil
    }
    return update(table, records)
  }

  @usableFromInline func ids(_ type: TypeNumber) -> IDs {
    if let changed, changed.type == type { return changed }
    return IDs(ids, of: type)
  }

  @usableFromInline
  func inverted() throws(KinshipError) -> any ErasedEdits { TypeEdits(try edits.inverted()) }

  @usableFromInline func requireStable() throws(KinshipError) {
    if !R.hasSoundIDs { try edits.requireStable() }
  }

  @usableFromInline var editCount: Int { edits.count }

  @usableFromInline
  func apply(
    _ range: Range<Int>, in staging: Staging, _ type: TypeNumber, _ map: borrowing IdentityMap
  ) throws(KinshipError) -> (unknown: IDs, hasSetUnseen: Bool) {
    let edits = edits
    let (unknown, hasSetUnseen) = try staging.table(type, of: R.self).change(in: staging) {
      values throws(KinshipError) in try edits.apply(range, to: &values, map)
    }
    return (IDs(unknown, of: type), hasSetUnseen)
  }

  @usableFromInline func encode(to encoder: any Encoder) throws { try edits.encode(to: encoder) }

  @usableFromInline func merging(_ later: any ErasedEdits) -> any ErasedEdits {
    guard let later = later as? TypeEdits else { return self }
    return TypeEdits(edits.merging(later.edits))
  }
}
