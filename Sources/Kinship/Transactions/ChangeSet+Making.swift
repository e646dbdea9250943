extension ChangeSet {
  /// The changes of one type, as somebody says them: for those who try backing stores.
  ///
  /// Each record must be named once. Put the changes of several types together with
  /// ``merging(_:)``.
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
  /// A change of a record that was in memory, or of properties alone of one that was not.
  package init(
    changing ref: Ref<R>, from old: R?, to new: R?, properties: [PropertyChange<R>]?
  ) {
    self.init(ref, old: old, new: new, properties: properties)
  }
}
