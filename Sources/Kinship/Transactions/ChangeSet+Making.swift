extension ChangeSet {
  /// Creates the changes of one type, for testing backing stores.
  ///
  /// Each record must be named once. Combine the changes of several types with ``merging(_:)``.
  package init<R: GraphRecord>(
    inserting inserted: [R] = [], updating updated: [UpdatedRecord<R>] = [],
    deleting deleted: [R] = []
  ) {
    var changes = RecordEdits<R>()
    changes.inserted = inserted
    changes.updated = updated
    changes.deleted = deleted
    self.init(types: [TypeEdits(changes)])
  }
}

extension UpdatedRecord {
  /// Creates a change of a record that was in memory, or only of properties of one that was not.
  package init(
    changing ref: Ref<R>, from old: R?, to new: R?, properties: [PropertyChange<R>]?
  ) {
    self.init(ref, old: old, new: new, properties: properties)
  }
}
