/// What a transaction changed of one type, put together when somebody asks for it.
///
/// Most often nobody does, and copying each record once more would be a third of what a transaction
/// costs.
@usableFromInline
final class StagedChanges<R: GraphRecord>: Sendable {
  private enum Content: Sendable {
    case staged(StagedTable<R>)
    case built(TypedChanges<R>)
  }

  private let content: Lock<Content>
  @usableFromInline let count: Int

  /// The changes that a table holds when they are asked for: it must not be staged into any more.
  @usableFromInline
  init(_ table: StagedTable<R>, count: Int) {
    content = Lock(.staged(table))
    self.count = count
  }

  /// The changes.
  var typed: TypedChanges<R> {
    let (changes, table) = content.withLock { content -> (TypedChanges<R>, StagedTable<R>?) in
      switch content {
      case .built(let changes): return (changes, nil)
      case .staged(let table):
        // By way of code that was specialised for the type.
        let changes = R.relationships.build(table)
        content = .built(changes)
        return (changes, table)
      }
    }
    // What was staged and has not changed ends with the table: outside of the lock.
    withExtendedLifetime(table) {}
    return changes
  }
}

extension StagedChanges: ErasedChanges {
  @usableFromInline var recordType: any GraphRecord.Type { R.self }
  @usableFromInline var isEmpty: Bool { count == 0 }
  @usableFromInline var refs: [AnyRef] { typed.refs }
  @usableFromInline var ids: any Sendable { typed.ids }
  @usableFromInline var summary: String { typed.summary }
  @usableFromInline var built: any ErasedChanges { typed }

  @usableFromInline
  func requireStable() throws(KinshipError) {
    if !R.hasSoundIDs { try typed.requireStable() }
  }

  @usableFromInline
  func inverted() throws(KinshipError) -> any ErasedChanges { try typed.inverted() }

  @usableFromInline
  func encode(to encoder: any Encoder) throws { try typed.encode(to: encoder) }

  @usableFromInline
  func merging(_ later: any ErasedChanges) -> any ErasedChanges { typed.merging(later) }
}
