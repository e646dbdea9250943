extension LogOpening {
  /// Reads all records; if anything is damaged, what is whole is written again, and all before is removed.
  ///
  /// - Throws: `SystemError` and `KinshipError`.
  mutating func salvage(_ log: Log) throws {
    for (shelf, codec) in catalog.codecs.enumerated() {
      for (id, damage) in try codec.damaged(in: catalog) {
        report.damage.append(damage)
        catalog.change { $0.shelves[shelf].forget(id, &$0.space) }
      }
    }
    if !report.damage.isEmpty { try log.rewriteAll() }
  }
}

extension Log {
  /// Writes all records again, wherever they lie, and removes all segments before.
  ///
  /// - Throws: `SystemError` and `KinshipError`.
  fileprivate func rewriteAll() throws {
    try seal()
    for segment in sealed.map(\.segment) {
      let positions = catalog.read { catalog in
        catalog.shelves.flatMap { $0.positions(in: segment.number) }.sorted()
      }
      var rest = positions[...]
      while !rest.isEmpty {
        var (entries, count): ([FoundEntry], Int) = ([], 0)
        while count < environment.tuning.movedAtOnce, let position = rest.popFirst() {
          entries.append(try FoundEntry(at: position, of: segment))
          count += Int(position.length)
        }
        try prepare()
        try move(entries, of: segment)
      }
    }
    let last = active.number
    while let oldest = sealed.first, oldest.segment.number < last,
      catalog.read({ ($0.space.shares[oldest.segment.number]?.live ?? 0) == 0 })
    {
      try removeOldest()
    }
  }
}

extension FoundEntry {
  /// Reads an entry.
  ///
  /// - Throws: `KinshipError.fileFailed` and `.damaged`.
  fileprivate init(at position: Position, of segment: LogSegment) throws {
    let bytes = try segment.file.readBytes(Int(position.length), at: Int(position.offset))
    self = try bytes.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      var reader = ByteReader(bytes, of: segment.path, at: Int(position.offset))
      let entry = try LogEntry(from: &reader, checking: true)
      return FoundEntry(
        kind: entry.kind, type: entry.type, id: Array(entry.id), record: Array(entry.record),
        position: position)
    }
  }
}
