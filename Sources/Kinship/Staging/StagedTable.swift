/// The staged values of one type, in a box that can be shared while its type is forgotten.
@usableFromInline
final class StagedTable<Element: Cacheable>: Sendable {
  @usableFromInline let type: TypeNumber
  /// Nobody else has it while a transaction works on it: the lock is never waited for.
  @usableFromInline let values: Lock<StagedValues<Element>>

  @inlinable
  init(_ values: StagedValues<Element>, of type: TypeNumber) {
    self.type = type
    self.values = Lock(values)
  }

  /// What is staged.
  @inlinable
  @inline(never)  // Each use would have the code of the lock.
  var staged: ContiguousArray<StagedValue<Element>> { values.withLock { $0.values } }

  /// Changes the values while the cache's lock is held: what they replace is kept until it is
  /// released.
  ///
  /// - Parameters:
  ///   - staging: The transaction, which keeps it.
  ///   - body: The changes.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
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

/// The staged values of a type that is known by its number only.
@usableFromInline
protocol ErasedStagedTable: ErasedPendingTable {
  var type: TypeNumber { get }

  /// Drops what was staged.
  func clear()

  /// How many values were staged.
  var count: Int { get }

  /// Takes a range of what was staged over into the map, where something may have been written
  /// since.
  func commitLate(_ range: Range<Int>, to map: inout IdentityMap)

  /// Stages a range of it in another transaction.
  func overlay(_ range: Range<Int>, on lower: Staging, _ map: borrowing IdentityMap)

  /// Takes out what was staged since the last step.
  func takeStep() -> any ErasedStagedTable

  /// Drops what was staged since the last step.
  func undoStep()

  /// The ids of what was staged, in the order in which the transaction came to it.
  var stagedIDs: IDs { get }

  /// Whether another transaction has staged the same ids in the same order.
  func hasSameIDs(as other: any ErasedStagedTable) -> Bool

  /// The ids of values of which properties were set unseen that may hold what lies at some offsets.
  func setUnseen(_ offsets: [Int]) -> IDs
}

extension StagedTable: ErasedStagedTable {
  @usableFromInline func clear() { values.withLock { $0.clear() } }

  @usableFromInline var count: Int { values.withLock { $0.values.count } }

  @usableFromInline
  func commitLate(_ range: Range<Int>, to map: inout IdentityMap) {
    values.withLock { $0.commitLate(range, to: &map) }
  }

  @usableFromInline
  func overlay(_ range: Range<Int>, on lower: Staging, _ map: borrowing IdentityMap) {
    let upper = values.withLock { $0 }
    lower.table(type, of: Element.self).change(in: lower) { $0.overlay(upper, range, map) }
  }

  @usableFromInline
  func takeStep() -> any ErasedStagedTable {
    StagedTable(values.withLock { $0.takeStep() }, of: type)
  }

  @usableFromInline func undoStep() { values.withLock { $0.undoStep() } }

  // Closures: a key path of a type that is not known here would be made anew each time.
  private var ids: [Element.ID] {
    // Who reads what arrives may wait for the lock.
    staged.map { $0.id }
  }

  @usableFromInline var stagedIDs: IDs { IDs(ids, of: type) }

  @usableFromInline
  func hasSameIDs(as other: any ErasedStagedTable) -> Bool { (other as? StagedTable)?.ids == ids }

  @usableFromInline
  func setUnseen(_ offsets: [Int]) -> IDs {
    IDs(values.withLock { $0.setUnseen(offsets) }, of: type)
  }
}
