package import Kinship

/// The contents of a snapshot, a store directory or a database, read without the record types.
///
/// Inspection writes and locks nothing, and a store may be open meanwhile.
package struct Inspection {
  /// The kind of files, and the facts that only this kind has.
  package enum Kind {
    case snapshot(SnapshotFacts)
    case store(StoreFacts)
    case database(DatabaseFacts)
    /// The queued writes of a program.
    ///
    /// They cannot be read without its types.
    case queue(QueueFacts)
  }

  package let path: String
  package var kind: Kind
  /// The declared types, one for each version, in the order of names and versions.
  package var types: [InspectedType] = []
  /// The records: of a snapshot in recency order, of a store in the order of the log.
  package var records: [InspectedRecord] = []
  /// The properties that hold refs, if the source declares them.
  package var refs: [InspectedRef] = []
  /// The damage, in the order in which it was found.
  package var damage: [FileDamage] = []

  /// The name of the coder that wrote the records; of the newest records if there were several.
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

  /// Creates the inspection of a database, in the order of its tables and their rows.
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

/// A record type in one version, as a file declares it.
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

/// The size of a type in one version.
package struct InspectedType: Sendable {
  package let id: TypeName
  /// The names of the properties, if they were declared.
  package private(set) var fields: [String]
  package private(set) var count = 0
  /// The bytes of the records in the file; for a store, of their entries.
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

/// The ids of one type that a snapshot lists.
package struct InspectedIDs: Sendable {
  /// The name of the lease; empty for ids that are known to be missing.
  package let name: String
  package let type: TypeName
  package let ids: [FieldValue]

  package init(name: String, type: TypeName, ids: [FieldValue]) {
    self.name = name
    self.type = type
    self.ids = ids
  }
}

/// Facts about a snapshot other than its records.
package struct SnapshotFacts: Sendable {
  package var size = 0
  package var formatVersion = 1
  package var coder = ""
  /// When the records were captured, in milliseconds since 1970.
  package var moment = 0
  /// The number of records at that time.
  package var captured = 0
  package var cursors: [String] = []
  package var leases: [InspectedIDs] = []
  package var missing: [InspectedIDs] = []
  /// The answers to queries, as they stand in the file.
  package var answers: [[UInt8]] = []

  package init() {}
}

/// The contents of the directory of an ``OfflineQueue``.
package struct QueueFacts: Sendable {
  /// The number of queued writes.
  package let waiting: Int
  /// The bytes of the file, and of the queued writes.
  package let bytes: (all: Int, waiting: Int)
  /// The place of a write that is not completely queued, if there is one.
  package let unqueued: FileDamage?

  package init(waiting: Int, bytes: (all: Int, waiting: Int), unqueued: FileDamage?) {
    self.waiting = waiting
    self.bytes = bytes
    self.unqueued = unqueued
  }
}

/// Facts about a store directory other than its records.
package struct StoreFacts: Sendable {
  /// A segment of the log.
  package struct Segment: Sendable {
    package let number: UInt32
    /// The bytes that are part of the log.
    package let bytes: Int
    package let coder: String
    /// The sequence numbers of its commits; `nil` if there are none.
    package let commits: ClosedRange<UInt64>?
    /// The bytes of current entries.
    package var liveBytes = 0

    package init(number: UInt32, bytes: Int, coder: String, commits: ClosedRange<UInt64>?) {
      self.number = number
      self.bytes = bytes
      self.coder = coder
      self.commits = commits
    }
  }

  package var segments: [Segment] = []
  /// Whether the directory is a backup, of the state after the last commit.
  package var isBackup = false
  /// The bytes of all files.
  package var totalBytes = 0
  /// The sequence number of the last commit; 0 if there was none.
  package var lastCommit: UInt64 = 0
  /// The place of a commit that is not completely written, if there is one.
  package var uncommitted: FileDamage?
  /// The number of bytes from there on.
  package var uncommittedBytes = 0

  package init() {}

  /// The bytes of current entries.
  package var liveBytes: Int { segments.reduce(0) { $0 + $1.liveBytes } }
}
