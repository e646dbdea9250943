/// What a transaction changed of one type; each record is named once.
@usableFromInline
struct TypedChanges<R: GraphRecord>: Sendable {
  @usableFromInline var inserted: [R] = []
  @usableFromInline var updated: [UpdatedRecord<R>] = []
  @usableFromInline var deleted: [R] = []

  @inlinable
  init() {}

  /// The net effect of staged values.
  @inlinable
  init(_ staged: borrowing StagedValues<R>) {
    reserveCapacity(for: staged)
    for value in staged.values {
      switch (value.base, value.current) {
      case (.present(let old), .present(let new)):
        // What was only looked at has not changed.
        if value.isUntouched { continue }
        updated.append(UpdatedRecord(Ref(value.id), old: old, new: new, properties: value.changes))
      case (.present(let old), .missing): deleted.append(old)
      case (_, .present(let new)): inserted.append(new)
      case (.unknown, .unknown):
        guard let changes = value.changes, !changes.isEmpty else { continue }
        updated.append(UpdatedRecord(Ref(value.id), old: nil, new: nil, properties: changes))
      case (_, .missing), (_, .unknown): continue
      }
    }
  }
}

extension TypedChanges {
  /// Makes room once: large arrays that grow cost more than the counting.
  @inlinable
  mutating func reserveCapacity(for staged: borrowing StagedValues<R>) {
    var (insertions, updates, deletions) = (0, 0, 0)
    for position in staged.values.indices {
      switch (staged.values[position].base.isPresent, staged.values[position].current.isPresent) {
      case (true, true): updates &+= 1
      case (true, false): deletions &+= 1
      case (false, true): insertions &+= 1
      case (false, false): continue
      }
    }
    inserted.reserveCapacity(insertions)
    updated.reserveCapacity(updates)
    deleted.reserveCapacity(deletions)
  }
}

/// The changes of a type that is known at run time only.
@usableFromInline
protocol ErasedChanges: Sendable {
  var recordType: any GraphRecord.Type { get }
  var isEmpty: Bool { get }
  var count: Int { get }
  var refs: [AnyRef] { get }
  /// The ids of the records, as an array of the type's ids.
  var ids: any Sendable { get }
  var summary: String { get }
  /// The changes as a value of the type's `TypedChanges`.
  var built: any ErasedChanges { get }

  /// The changes that take these back.
  ///
  /// - Throws: `KinshipError.notInvertible`.
  func inverted() throws(KinshipError) -> any ErasedChanges

  /// Refuses changes of records with ids that could not be found again.
  ///
  /// - Throws: `KinshipError.unstableID`.
  func requireStable() throws(KinshipError)

  /// Writes the type's name and the records.
  func encode(to encoder: any Encoder) throws

  /// These changes and later ones of the same type as one.
  func merging(_ later: any ErasedChanges) -> any ErasedChanges
}

extension TypedChanges: ErasedChanges {
  @usableFromInline var recordType: any GraphRecord.Type { R.self }

  @usableFromInline var built: any ErasedChanges { self }

  @usableFromInline var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  @usableFromInline var count: Int { inserted.count + updated.count + deleted.count }

  @usableFromInline var refs: [AnyRef] {
    inserted.map { AnyRef($0.ref) } + updated.map { AnyRef($0.ref) }
      + deleted.map { AnyRef($0.ref) }
  }

  // Closures: a key path of a type that is not known here is made anew each time.
  @usableFromInline var ids: any Sendable {
    inserted.map { $0.id } + updated.map { $0.ref.id } + deleted.map { $0.id }
  }

  @usableFromInline var summary: String {
    let parts = [
      (inserted.count, "inserted"), (updated.count, "updated"), (deleted.count, "deleted"),
    ]
    let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(R.recordName): \(said)"
  }

  @usableFromInline
  func inverted() throws(KinshipError) -> any ErasedChanges {
    // By way of code that was specialised for the type.
    try R.relationships.invert(self)
  }

  @inlinable
  func inverse() throws(KinshipError) -> TypedChanges {
    var inverted = TypedChanges()
    inverted.inserted = deleted.reversed()
    inverted.deleted = inserted.reversed()
    inverted.updated.reserveCapacity(updated.count)
    for change in updated.reversed() {
      guard let back = change.inverted else { throw .notInvertible(AnyRef(change.ref)) }
      inverted.updated.append(back)
    }
    return inverted
  }

  @usableFromInline
  func merging(_ later: any ErasedChanges) -> any ErasedChanges {
    guard let later = later.built as? TypedChanges else { return self }
    var net = NetChanges<R>()
    net.add(self)
    net.add(later)
    return net.changes
  }
}

/// The net change of each record, as several change sets add up.
struct NetChanges<R: GraphRecord> {
  private enum Net {
    case inserted(R)
    case updated(UpdatedRecord<R>)
    case deleted(R)
    case nothing
  }

  private var positions: [R.ID: Int] = [:]
  private var nets: [Net] = []

  mutating func add(_ changes: TypedChanges<R>) {
    for record in changes.inserted {
      change(record.id) { net in
        net =
          switch net {
          case .deleted(let old):
            .updated(UpdatedRecord(record.ref, old: old, new: record, properties: nil))
          case .inserted, .updated, .nothing: .inserted(record)
          }
      }
    }
    for update in changes.updated {
      change(update.ref.id) { net in
        switch net {
        case .inserted(var record):
          if let new = update.new {
            record = new
          } else {
            for change in update.properties ?? [] { change.apply(to: &record) }
          }
          net = .inserted(record)
        case .updated(let earlier): net = .updated(earlier.merging(update))
        case .deleted, .nothing: net = .updated(update)
        }
      }
    }
    for record in changes.deleted {
      change(record.id) { net in
        net =
          switch net {
          case .inserted: .nothing
          case .updated(let earlier): .deleted(earlier.old ?? record)
          case .deleted, .nothing: .deleted(record)
          }
      }
    }
  }

  private mutating func change(_ id: R.ID, _ body: (inout Net) -> Void) {
    if let position = positions[id] {
      body(&nets[position])
    } else {
      positions[id] = nets.count
      nets.append(.nothing)
      body(&nets[nets.count - 1])
    }
  }

  var changes: TypedChanges<R> {
    var changes = TypedChanges<R>()
    for net in nets {
      switch net {
      case .inserted(let record): changes.inserted.append(record)
      case .updated(let change): changes.updated.append(change)
      case .deleted(let record): changes.deleted.append(record)
      case .nothing: continue
      }
    }
    return changes
  }
}
