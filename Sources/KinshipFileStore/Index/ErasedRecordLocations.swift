internal import Kinship

/// The locations of the records of an erased type.
protocol ErasedRecordLocations: AnyObject {
  var count: Int { get }

  /// Loads entries of a segment when the log is opened.
  ///
  /// - Throws: `KinshipError.untranslatable` if an id cannot be decoded.
  func load(
    _ entries: [IndexedEntry], in segment: UInt32, by decoder: () -> any RecordDecoder,
    _ space: inout SpaceUse
  ) throws(KinshipError)

  /// Drops all indexes, including those in construction, because records have changed unseen.
  func forgetIndexes()

  /// The id of an entry, if it is current.
  ///
  /// - Throws: `KinshipError.untranslatable` if the id cannot be decoded.
  func liveID(
    _ id: UnsafeRawBufferPointer, at position: Position, by decoder: () -> any RecordDecoder
  ) throws(KinshipError) -> (any Sendable)?

  /// Updates the location of a record, if it has not changed meanwhile.
  func move(
    _ id: any Sendable, from old: Position, to new: Position, _ space: inout SpaceUse)

  /// The positions of the records in a segment.
  func positions(in segment: UInt32) -> [Position]

  /// Drops a record that cannot be read.
  func forget(_ id: any Sendable, _ space: inout SpaceUse)

  /// Drops the records whose position is in a segment where compaction did not find them.
  ///
  /// - Returns: The damage of each.
  func forgetAll(in segment: LogSegment, _ space: inout SpaceUse) -> [FileDamage]
}

extension RecordLocations: ErasedRecordLocations {
  var count: Int { positions.count }

  func load(
    _ entries: [IndexedEntry], in segment: UInt32, by decoder: () -> any RecordDecoder,
    _ space: inout SpaceUse
  ) throws(KinshipError) {
    let failure = positions.load(entries, in: segment, codec.ids, by: decoder, &space)
    if let failure { throw failure }
  }

  func liveID(
    _ id: UnsafeRawBufferPointer, at position: Position, by decoder: () -> any RecordDecoder
  ) throws(KinshipError) -> (any Sendable)? {
    let id = try codec.ids.decode(id, by: decoder)
    return positions[id] == position ? id : nil
  }

  func move(
    _ id: any Sendable, from old: Position, to new: Position, _ space: inout SpaceUse
  ) {
    guard let id = id as? R.ID, positions[id] == old else { return }
    place(id, at: new, &space)
  }

  func positions(in segment: UInt32) -> [Position] {
    rows(in: segment).map(\.position)
  }

  func forget(_ id: any Sendable, _ space: inout SpaceUse) {
    if let id = id as? R.ID { remove(id, &space) }
  }

  func forgetAll(in segment: LogSegment, _ space: inout SpaceUse) -> [FileDamage] {
    rows(in: segment.number).map { row in
      remove(row.id, &space)
      return segment.damage(
        at: Int(row.position.offset), type: R.recordName, id: row.id, "its entry has another id")
    }
  }

  private func rows(in segment: UInt32) -> [RecordPositions<R.ID>.Row] {
    positions.rows.pages.flatMap { page in page.filter { $0.position.segment == segment } }
  }
}
