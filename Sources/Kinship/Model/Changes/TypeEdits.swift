/// The edits of one type, put together when somebody asks for them.
///
/// Most often nobody does, and copying each record once more would be a third of what a transaction
/// costs.
final class TypeEdits<R: GraphRecord>: Sendable {
  private enum Content: Sendable {
    case staged(StagedTable<R>)
    case known(RecordEdits<R>)
  }

  private let content: Lock<Content>
  let count: Int

  /// The edits that a table holds when they are asked for: it must not be staged into any more.
  init(_ table: StagedTable<R>, count: Int) {
    content = Lock(.staged(table))
    self.count = count
  }

  init(_ edits: RecordEdits<R>) {
    content = Lock(.known(edits))
    count = edits.inserted.count + edits.updated.count + edits.deleted.count
  }

  /// The ids of the records: nothing is put together for them.
  var ids: [R.ID] {
    content.withLock { content in
      switch content {
      case .known(let edits): edits.ids
      case .staged(let table): table.values.withLock { $0.changedIDs }
      }
    }
  }

  var edits: RecordEdits<R> {
    let (edits, table) = content.withLock { content -> (RecordEdits<R>, StagedTable<R>?) in
      switch content {
      case .known(let edits): return (edits, nil)
      case .staged(let table):
        let edits = table.values.withLock { RecordEdits($0) }
        content = .known(edits)
        return (edits, table)
      }
    }
    // What was staged and has not changed ends with the table: outside of the lock.
    withExtendedLifetime(table) {}
    return edits
  }
}

/// The edits of a type that is known at run time only.
protocol ErasedEdits: Sendable {
  var recordType: any GraphRecord.Type { get }
  var count: Int { get }
  var refs: [AnyRef] { get }
  var summary: String { get }

  /// The ids of the records of the type, which has a number.
  func ids(_ type: TypeNumber) -> IDs

  /// The edits that take these back.
  ///
  /// - Throws: `KinshipError.notInvertible`.
  func inverted() throws(KinshipError) -> any ErasedEdits

  /// Refuses edits of records with ids that could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  func requireStable() throws(KinshipError)

  /// The edits in portions, in the order in which they are made.
  var portions: [any ErasedEdits] { get }

  /// Makes the edits in what a transaction has staged.
  ///
  /// - Returns: The ids of records that must be known before it can be done; none if it is done.
  /// - Throws: What `RecordEdits.apply` throws.
  func apply(
    in staging: Staging, _ type: TypeNumber, _ map: borrowing IdentityMap
  ) throws(KinshipError) -> IDs

  /// Writes the type's name and the records.
  func encode(to encoder: any Encoder) throws

  /// These edits and later ones of the same type as one.
  func merging(_ later: any ErasedEdits) -> any ErasedEdits
}

extension TypeEdits: ErasedEdits {
  var recordType: any GraphRecord.Type { R.self }
  var refs: [AnyRef] { ids.map { AnyRef(Ref<R>($0)) } }
  var summary: String { edits.summary }

  func ids(_ type: TypeNumber) -> IDs { IDs(ids, of: type) }

  func inverted() throws(KinshipError) -> any ErasedEdits { TypeEdits(try edits.inverted()) }

  var portions: [any ErasedEdits] { edits.portions.map { TypeEdits($0) } }

  func requireStable() throws(KinshipError) {
    if !R.hasSoundIDs { try edits.requireStable() }
  }

  func apply(
    in staging: Staging, _ type: TypeNumber, _ map: borrowing IdentityMap
  ) throws(KinshipError) -> IDs {
    let unknown = try staging.table(type, of: R.self).change(in: staging) {
      values throws(KinshipError) in try edits.apply(to: &values, map)
    }
    return IDs(unknown, of: type)
  }

  func encode(to encoder: any Encoder) throws { try edits.encode(to: encoder) }

  func merging(_ later: any ErasedEdits) -> any ErasedEdits {
    guard let later = later as? TypeEdits else { return self }
    return TypeEdits(edits.merging(later.edits))
  }
}

extension GraphRecord {
  /// What a transaction has changed of the type; `nil` if it has not changed any.
  static func edits(in staging: Staging, _ type: TypeNumber) -> (any ErasedEdits)? {
    let table = staging.table(type, of: Self.self)
    let count = table.values.withLock { $0.changeCount }
    return count == 0 ? nil : TypeEdits(table, count: count)
  }
}
