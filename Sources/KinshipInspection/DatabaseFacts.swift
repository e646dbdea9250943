/// What a database says beside its records.
package struct DatabaseFacts: Sendable {
  /// The log of changes that a shared store makes.
  package struct Log: Sendable {
    /// The numbers of the changes that it still tells of.
    package let changes: ClosedRange<Int>
    /// The tables whose changes it tells, by the names of their records: `Person in persons`.
    package let tracked: [String]
    /// What of it is missing or is not as it is made.
    package let lacking: [String]

    package init(changes: ClosedRange<Int>, tracked: [String], lacking: [String]) {
      self.changes = changes
      self.tracked = tracked
      self.lacking = lacking
    }
  }

  /// The system and its version.
  package let system: String
  package let bytes: Int
  /// How many of the bytes hold nothing; `nil` if that is not told.
  package let freeBytes: Int?
  /// The number that a program has given the schema; `nil` where there is no such one.
  package let version: Int?
  /// `nil` if there is none.
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

/// A property that holds refs, and the type that they lead to.
package struct InspectedRef: Hashable, Sendable {
  package let type: String
  package let property: String
  package let target: String

  package init(type: String, property: String, target: String) {
    self.type = type
    self.property = property
    self.target = target
  }
}
