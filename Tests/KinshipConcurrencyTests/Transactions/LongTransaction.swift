import KinshipTestSupport

@testable import KinshipTrials

/// A transaction with every kind of step, with deletions that cascade, and its initial world.
enum LongTransaction {
  static let world: [Key: Entry] = [
    Key(.author, 0): Entry(value: 1, many: [0]),
    Key(.author, 1): Entry(value: 1, one: 0, many: [1, 2]),
    Key(.author, 2): Entry(value: 1, one: 1, many: [3]),
    Key(.author, 3): Entry(value: 1, one: 1),
    Key(.author, 4): Entry(value: 1, one: 2),
    Key(.work, 0): Entry(value: 1, one: 0),
    Key(.work, 1): Entry(value: 1, one: 1),
    Key(.work, 2): Entry(value: 1, one: 1),
    Key(.work, 3): Entry(value: 1, one: 2),
    Key(.work, 4): Entry(value: 1, one: 3),
  ]

  static let steps: [TransactionStep] = [
    .insert(Key(.author, 5), Entry(value: 2, one: 0)),
    .updateProperty(Key(.author, 0), 2),
    .updateRelationship(Key(.author, 3), [4]),
    .updateClosure(Key(.author, 4), Entry(value: 2, one: 1)),
    .insert(Key(.work, 5), Entry(value: 2, one: 5)),
    .assign(Key(.work, 0), Entry(value: 2, one: 0, many: [4])),
    // The works 1 and 2 are deleted with it, and the authors 2, 3 and 4 lose their mentor.
    .delete(Key(.author, 1)),
    .read(Key(.author, 2)),
    .preview(Key(.author, 5)),
    // The inserted record is deleted again, and work 5 with it.
    .delete(Key(.author, 5)),
    .put(Key(.author, 1), Entry(value: 3)),
    .put(Key(.author, 2), Entry(value: 3, one: 1, many: [3])),
    // Work 4 is deleted with it because of the change above.
    .assign(Key(.author, 3), nil),
    .insert(Key(.work, 5), Entry(value: 4, one: 1)),
    .updateProperty(Key(.work, 3), 4),
    // No sequel denies the deletion any longer.
    .delete(Key(.work, 0)),
  ]

  /// All records after the transaction.
  static func after() throws -> [Key: Entry] {
    var model = ReferenceCache(capacity: .max, costLimit: .max, batchSize: .max, hasStore: true)
    model.store = world
    var reference = ReferenceTransaction(model)
    try reference.run(steps, catches: false)
    guard case .some(.some(let after)) = reference.storeAfterwards() else {
      throw Mismatch("the reference refuses the transaction")
    }
    return after
  }
}
