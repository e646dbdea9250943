/// Facts about a database other than its records.
package struct DatabaseFacts: Sendable {
  /// The change log that a shared store keeps.
  package struct Log: Sendable {
    /// The numbers of the changes that are still in the log.
    package let changes: ClosedRange<Int>
    /// The tables whose changes are logged, by the names of their records: `Person in persons`.
    package let tracked: [String]
    /// The parts that are missing, or that differ from those that a shared store creates.
    package let lacking: [String]

    package init(changes: ClosedRange<Int>, tracked: [String], lacking: [String]) {
      self.changes = changes
      self.tracked = tracked
      self.lacking = lacking
    }
  }

  /// The name and version of the database system.
  package let system: String
  package let bytes: Int
  /// The number of unused bytes; `nil` if unknown.
  package let freeBytes: Int?
  /// The schema version that a program has set; `nil` if the system has none.
  package let version: Int?
  /// The change log; `nil` if there is none.
  package let log: Log?

  package init(
    system: String, bytes: Int, freeBytes: Int?, version: Int?, log: Log?
  ) {
    self.system = system
    self.bytes = bytes
    self.freeBytes = freeBytes
    self.version = version
    self.log = log
  }
}

/// A property that holds refs, perhaps within others, and the type of their targets.
package struct InspectedRef: Hashable, Sendable {
  package let type: String
  package let property: [String]
  package let target: String

  package init(type: String, property: [String], target: String) {
    self.type = type
    self.property = property
    self.target = target
  }
}
