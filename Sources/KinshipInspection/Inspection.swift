package import Kinship

/// What is in a snapshot, in the directory of a store or in a database, read without the types of
/// the records.
///
/// Nothing is written or locked, and a store may be open beside it.
package struct Inspection {
  /// What only one kind of files has.
  package enum Kind {
    case snapshot(SnapshotFacts)
    case store(StoreFacts)
    case database(DatabaseFacts)
    /// The writes of a program that waits for its store: they cannot be read without its types.
    case queue(QueueFacts)
  }

  package let path: String
  package var kind: Kind
  /// What was declared, each version of a type for itself, in the order of names and versions.
  package var types: [InspectedType] = []
  /// The records: of a snapshot in their order of use, of a store in the order of the log.
  package var records: [InspectedRecord] = []
  /// Which properties hold refs, where what was read says so.
  package var refs: [InspectedRef] = []
  /// What is not as it was written, in the order in which it was found.
  package var damage: [FileDamage] = []

  /// The name of the coder that wrote the records; of the newest ones, if there were several.
  package var coder: String {
    switch kind {
    case .snapshot(let facts): facts.coder
    case .store(let facts): facts.segments.last?.coder ?? ""
    case .database, .queue: ""
    }
  }

  package init(path: String, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// What was read of a database, in the order of its tables and their rows.
  package init(
    path: String, _ facts: DatabaseFacts, types: [InspectedType], refs: [InspectedRef],
    records: [InspectedRecord], damage: [FileDamage]
  ) {
    self.init(path: path, kind: .database(facts))
    self.types = types
    self.refs = refs
    self.records = records
    self.damage = damage
    count()
  }

  /// Counts the records of each type.
  package mutating func count() {
    var types: [TypeName: InspectedType] = [:]
    for type in self.types { types[type.id, default: type].add(fieldsOf: type) }
    for record in records {
      types[record.type, default: InspectedType(record.type)].add(record)
    }
    self.types = types.values.sorted { $0.id < $1.id }
  }
}

/// A record type in a version, as a file declares it.
package struct TypeName: Hashable, Sendable, Comparable {
  package let name: String
  package let version: Int

  package init(name: String, version: Int) {
    self.name = name
    self.version = version
  }

  package static func < (left: TypeName, right: TypeName) -> Bool {
    (left.name, left.version) < (right.name, right.version)
  }
}

/// How much there is of a type in a version.
package struct InspectedType: Sendable {
  package let id: TypeName
  /// The names of the properties, if they were declared.
  package private(set) var fields: [String]
  package private(set) var count = 0
  /// The bytes that the records take in the file; of a store, those of their entries.
  package private(set) var bytes = 0
  /// The ages of the youngest and the oldest record, in tenths of a second.
  package private(set) var ages: ClosedRange<Int>?

  package init(_ id: TypeName, fields: [String] = [], bytes: Int = 0) {
    self.id = id
    self.fields = fields
    self.bytes = bytes
  }

  fileprivate mutating func add(fieldsOf other: InspectedType) {
    if fields.isEmpty { fields = other.fields }
  }

  fileprivate mutating func add(_ record: InspectedRecord) {
    count += 1
    bytes += record.byteCount
    guard let age = record.age else { return }
    ages = min(ages?.lowerBound ?? age, age)...max(ages?.upperBound ?? age, age)
  }
}

/// Ids of one type that a snapshot names.
package struct InspectedIDs: Sendable {
  /// The name of the lease; empty for ids that are known missing.
  package let name: String
  package let type: TypeName
  package let ids: [FieldValue]

  package init(name: String, type: TypeName, ids: [FieldValue]) {
    self.name = name
    self.type = type
    self.ids = ids
  }
}

/// What a snapshot says beside its records.
package struct SnapshotFacts: Sendable {
  package var size = 0
  package var formatVersion = 1
  package var coder = ""
  /// When the records were captured, in milliseconds since 1970.
  package var moment = 0
  /// How many records there were then.
  package var captured = 0
  package var cursor: String?
  package var leases: [InspectedIDs] = []
  package var missing: [InspectedIDs] = []

  package init() {}
}

/// What is in the directory of an ``OfflineQueue``.
package struct QueueFacts: Sendable {
  /// How many writes wait for the store.
  package let waiting: Int
  /// The bytes of the file, and of the writes that wait.
  package let bytes: (all: Int, waiting: Int)
  /// Where a write begins that is not queued, or not yet.
  package let unqueued: FileDamage?

  package init(waiting: Int, bytes: (all: Int, waiting: Int), unqueued: FileDamage?) {
    self.waiting = waiting
    self.bytes = bytes
    self.unqueued = unqueued
  }
}

/// What the directory of a store says beside its records.
package struct StoreFacts: Sendable {
  /// A segment of the log.
  package struct Segment: Sendable {
    package let number: UInt32
    /// The bytes that belong to the log.
    package let bytes: Int
    package let coder: String
    /// The sequence numbers of its commits; `nil` if there are none.
    package let commits: ClosedRange<UInt64>?
    /// How many bytes of it are entries that still count.
    package var liveBytes = 0

    package init(number: UInt32, bytes: Int, coder: String, commits: ClosedRange<UInt64>?) {
      self.number = number
      self.bytes = bytes
      self.coder = coder
      self.commits = commits
    }
  }

  package var segments: [Segment] = []
  /// Whether it is a backup, of a store as it was after the last commit.
  package var isBackup = false
  /// The bytes of all files.
  package var totalBytes = 0
  /// The sequence number of the last commit; 0 if there was none.
  package var lastCommit: UInt64 = 0
  /// Where a commit begins that is not written to its end, or not yet.
  package var uncommitted: FileDamage?
  /// How many bytes there are from there on.
  package var uncommittedBytes = 0

  package init() {}

  /// The bytes of entries that still count.
  package var liveBytes: Int { segments.reduce(0) { $0 + $1.liveBytes } }
}
