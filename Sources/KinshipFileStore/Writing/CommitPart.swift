internal import Kinship

/// What a commit changes of the records of one type.
protocol CommitPart: Sendable {
  /// Takes in the changes, when they are in the log.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - offset: Where in it the entries of the commit begin.
  ///   - catalog: What they are taken into.
  func publish(_ segment: UInt32, from offset: Int, to catalog: inout Catalog)

  /// Takes in the changes for those commits that are written along with this one.
  func publish(to group: inout CommitGroup)
}

/// Records of one type that a commit puts and deletes.
struct CommittedRecords<R: GraphRecord>: CommitPart {
  /// The number of the type in the schema.
  let typeNumber: Int
  let deleted: [R.ID]
  let put: [R]
  /// By id: fields that a put record does not have itself.
  let strange: [R.ID: RecordFields]
  /// Where the entry of each put record lies among those of the commit.
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
    // A segment ends long before a commit could go beyond 32 bits.
    self.init(
      segment: segment, offset: UInt32(clamping: offset + entry.lowerBound),
      length: UInt32(clamping: entry.count))
  }
}
