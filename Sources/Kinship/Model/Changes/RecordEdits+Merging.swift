extension RecordEdits {
  /// The edit of one record.
  private enum Edit {
    case inserted(R)
    case updated(UpdatedRecord<R>)
    case deleted(R)

    var id: R.ID {
      switch self {
      case .inserted(let record), .deleted(let record): record.id
      case .updated(let change): change.ref.id
      }
    }

    /// Returns the net effect of this edit and a later one; `nil` if they cancel out.
    func merging(_ later: Edit) -> Edit? {
      switch (self, later) {
      case (.deleted(let old), .inserted(let new)):
        .updated(UpdatedRecord(new.ref, old: old, new: new, properties: nil))
      case (.inserted(let record), .updated(let change)): .inserted(change.new(from: record))
      case (.inserted, .deleted): nil
      case (.updated(let change), .updated(let next)): .updated(change.merging(next))
      case (.updated(let change), .deleted(let record)): .deleted(change.old ?? record)
      default: later
      }
    }
  }

  private var all: [Edit] {
    inserted.map { .inserted($0) } + updated.map { .updated($0) } + deleted.map { .deleted($0) }
  }

  private mutating func append(_ edit: Edit) {
    switch edit {
    case .inserted(let record): inserted.append(record)
    case .updated(let change): updated.append(change)
    case .deleted(let record): deleted.append(record)
    }
  }

  /// Returns the net effect of these edits and later ones on each record.
  ///
  /// - Complexity: O(*n*) in both, on average.
  func merging(_ later: RecordEdits) -> RecordEdits {
    var positions: [R.ID: Int] = [:]
    var nets: [Edit?] = []
    for edit in all + later.all {
      if let position = positions[edit.id] {
        nets[position] = nets[position].map { $0.merging(edit) } ?? edit
      } else {
        positions[edit.id] = nets.count
        nets.append(edit)
      }
    }
    var merged = RecordEdits()
    for case let net? in nets { merged.append(net) }
    return merged
  }
}
