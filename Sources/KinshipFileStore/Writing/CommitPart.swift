internal import Kinship

/// The changes of a commit to the records of one type.
protocol CommitPart: Sendable {
  /// Applies the changes to the catalog, once they are in the log.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - offset: The offset in it of the commit's entries.
  ///   - catalog: The catalog.
  func publish(_ segment: UInt32, from offset: Int, to catalog: inout Catalog)

  /// Applies the changes to the group, for the later commits of the same group.
  func publish(to group: inout CommitGroup)
}

/// Records of one type that a commit puts and deletes.
struct CommittedRecords<R: GraphRecord>: CommitPart {
  /// The number of the type in the schema.
  let typeNumber: Int
  let deleted: [R.ID]
  let put: [R]
  /// By id: the fields of a put record that its type lacks.
  let strange: [R.ID: RecordFields]
  /// The range of each put record's entry in the commit.
  var entries: [Range<Int>] = []

  func publish(_ segment: UInt32, from offset: Int, to catalog: inout Catalog) {
    guard let locations = catalog.locations[typeNumber] as? RecordLocations<R> else { return }
    for id in deleted { locations.remove(id, &catalog.space) }
    for (index, entry) in entries.enumerated() {
      locations.put(put[index], at: Position(segment, entry, from: offset), &catalog.space)
    }
  }

  func publish(to group: inout CommitGroup) {
    group.change(R.self) { records in
      for id in deleted { records[id] = .some(nil) }
      for record in put { records[record.id] = record }
    }
    group.noteStrangeFields(strange, of: R.self, put)
  }
}

extension Position {
  /// The position of an entry.
  init(_ segment: UInt32, _ entry: Range<Int>, from offset: Int) {
    // A segment ends long before a commit could exceed 32 bits.
    self.init(
      segment: segment, offset: UInt32(clamping: offset + entry.lowerBound),
      length: UInt32(clamping: entry.count))
  }
}
