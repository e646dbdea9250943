internal import Kinship

extension LogOpening {
  /// Reads all records.
  ///
  /// If any is damaged, rewrites the intact ones, and removes all older segments.
  mutating func salvage(_ log: Log) throws {
    for type in environment.schema.types { report.damage += try dropDamaged(type) }
    if report.damage.isEmpty, let damage = try outdatedDamage(in: log) {
      report.damage.append(damage)
    }
    if !report.damage.isEmpty { report.damage += try log.rewriteAll() }
    try removeStrayHints(in: log.directory)
  }

  /// Drops the damaged records of a type, and returns their damage.
  private func dropDamaged<R: GraphRecord>(_ type: R.Type) throws(KinshipError) -> [FileDamage] {
    let all = try catalog.read { catalog throws(KinshipError) in
      try catalog.rows(of: type)
    }.reading
    var (ids, found): ([R.ID], [FileDamage]) = ([], [])
    try all.forEach { number, record, _ throws(KinshipError) in
      switch record {
      case .failure(.file(.damaged(let damage))):
        ids.append(all.ids[number])
        found.append(damage)
      // Its bytes are intact: another version of the program may be able to decode them.
      case .failure(.untranslatable), .success: return
      case .failure(let error): throw error
      }
    }
    let damaged = ids
    try catalog.change { catalog throws(KinshipError) in
      let locations = try catalog.locations(of: type)
      for id in damaged { locations.remove(id, &catalog.space) }
    }
    return found
  }

  /// The first damage that compaction, which also reads outdated entries, would meet.
  private func outdatedDamage(in log: Log) throws -> FileDamage? {
    do {
      for segment in log.segments { try segment.verify(catalog) }
      return nil
    } catch KinshipError.file(.damaged(let damage)) { return damage }
  }

  /// Removes hints of missing segments, which were reported: otherwise each opening would report
  /// them.
  private func removeStrayHints(in directory: any Directory) throws(SystemError) {
    let names = try directory.list()
    let numbers = Set(names.compactMap(SegmentName.logNumber))
    let stray = names.compactMap(SegmentName.hintNumber).filter { !numbers.contains($0) }
    if stray.isEmpty { return }
    for number in stray { try directory.remove(SegmentName.hint(number)) }
    try directory.sync()
  }
}

extension Log {
  /// Rewrites all records, removes all segments before, and returns the damage of what is left out.
  fileprivate func rewriteAll() throws -> [FileDamage] {
    var left: [FileDamage] = []
    try seal()
    for segment in sealed.map(\.segment) {
      let positions = catalog.read { catalog in
        catalog.locations.flatMap { $0.positions(in: segment.number) }.sorted()
      }
      var rest = positions[...]
      while !rest.isEmpty {
        var (entries, count): ([FoundEntry], Int) = ([], 0)
        while count < environment.tuning.movedAtOnce, let position = rest.popFirst() {
          entries.append(try segment.entry(at: position))
          count += Int(position.length)
        }
        try prepare()
        try move(entries, of: segment)
      }
      left += catalog.change { catalog in
        catalog.locations.flatMap { $0.dropAll(in: segment, &catalog.space) }
      }
    }
    let last = active.number
    while let oldest = sealed.first, oldest.segment.number < last,
      catalog.read({ ($0.space.shares[oldest.segment.number]?.live ?? 0) == 0 })
    {
      try removeOldest()
    }
    return left
  }
}

extension LogSegment {
  fileprivate func entry(at position: Position) throws -> FoundEntry {
    let offset = Int(position.offset)
    return try file.readBytes(Int(position.length), at: offset).read(of: path, at: offset) {
      reader throws(KinshipError) in
      FoundEntry(try LogEntry(from: &reader, checkedIn: number), at: position)
    }
  }
}
