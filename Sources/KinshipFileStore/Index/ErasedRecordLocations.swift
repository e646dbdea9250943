internal import Kinship

/// Where the records of a type lie that is type is known at run time only.
protocol ErasedRecordLocations: AnyObject {
  var count: Int { get }

  /// Takes in entries of a segment, when the log is opened.
  ///
  /// - Throws: `KinshipError.untranslatable` if an id cannot be decoded.
  func load(
    _ entries: [IndexedEntry], in segment: UInt32, by decoder: () -> any RecordDecoder,
    _ space: inout SpaceUse
  ) throws(KinshipError)

  /// Forgets all indexes, and those that are being made: records have changed unseen.
  func forgetIndexes()

  /// The id of an entry, if it is not outdated.
  ///
  /// - Throws: `KinshipError.untranslatable` if the id cannot be decoded.
  func liveID(
    _ id: UnsafeRawBufferPointer, at position: Position, by decoder: () -> any RecordDecoder
  ) throws(KinshipError) -> (any Sendable)?

  /// Takes in that a record lies elsewhere, if it has not changed meanwhile.
  func move(
    _ id: any Sendable, from old: Position, to new: Position, _ space: inout SpaceUse)

  /// Where records lie in a segment.
  func positions(in segment: UInt32) -> [Position]

  /// Forgets a record that cannot be read.
  func forget(_ id: any Sendable, _ space: inout SpaceUse)

  /// Forgets the records that lie in a segment, where compaction did not find them.
  ///
  /// - Returns: What is wrong with each.
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
