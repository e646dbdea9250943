/// The staged values of one type, in a box that can be shared as an erased type.
@usableFromInline
final class StagedTable<Element: Cacheable>: ErasedStagedTable {
  @usableFromInline let type: TypeNumber
  /// A transaction has exclusive use of it while it works: the lock is never waited for.
  @usableFromInline let values: Lock<StagedValues<Element>>

  @inlinable
  init(_ values: StagedValues<Element>, of type: TypeNumber) {
    self.type = type
    self.values = Lock(values)
  }

  @usableFromInline var typed: StagedTable { self }

  /// The staged values.
  @inlinable
  @inline(never)  // Each use would have the code of the lock.
  var staged: ContiguousArray<StagedValue<Element>> { values.withLock { $0.values } }

  /// Changes the values while the cache's lock is held: the transaction keeps replaced values until
  /// it is released.
  @inlinable
  func change<Result: Sendable, E: Error>(
    in staging: Staging, _ body: (inout StagedValues<Element>) throws(E) -> Result
  ) throws(E) -> Result {
    try values.withLock { values throws(E) in
      values.replaced = []
      defer {
        if let replaced = values.replaced, !replaced.isEmpty {
          staging.dropped.withLock { $0.append(replaced) }
        }
        values.replaced = nil
      }
      return try body(&values)
    }
  }
}

/// The staged values of a type that is known by its number only: ``StagedTable`` alone conforms.
@usableFromInline
protocol ErasedStagedTable<Element>: AnyObject, Sendable {
  associatedtype Element: Cacheable

  var type: TypeNumber { get }
  var typed: StagedTable<Element> { get }
}

extension ErasedStagedTable {
  /// Drops the staged values.
  func clear() { typed.values.withLock { $0.clear() } }

  /// The number of staged values.
  var count: Int { typed.values.withLock { $0.values.count } }

  /// Commits a range of the staged values to the map, after other writes since.
  func commitLate(_ range: Range<Int>, to map: inout IdentityMap) {
    typed.values.withLock { $0.commitLate(range, to: &map) }
  }

  /// Stages a range of it in another transaction.
  func overlay(_ range: Range<Int>, on lower: Staging, _ map: borrowing IdentityMap) {
    let upper = typed.values.withLock { $0 }
    lower.table(type, of: Element.self).change(in: lower) { $0.overlay(upper, range, map) }
  }

  /// Removes and returns the values staged since the last step.
  func takeStep() -> any ErasedStagedTable {
    StagedTable(typed.values.withLock { $0.takeStep() }, of: type)
  }

  /// Drops the values staged since the last step.
  func undoStep() { typed.values.withLock { $0.undoStep() } }

  // Use closures: a key path of a generic type would be created again each time.
  private var ids: [Element.ID] {
    // A reader of newly loaded values may wait for the lock.
    typed.staged.map { $0.id }
  }

  /// The ids of the staged values, in the order in which the transaction staged them.
  var stagedIDs: IDs { IDs(ids, of: type) }

  /// Returns whether another transaction has staged the same ids in the same order.
  func hasSameIDs(as other: any ErasedStagedTable) -> Bool { (other as? Self)?.ids == ids }

  /// Returns the ids of values of which properties at some offsets may have been set unseen.
  func setUnseen(_ offsets: [Int]) -> IDs {
    IDs(typed.values.withLock { $0.setUnseen(offsets) }, of: type)
  }
}
