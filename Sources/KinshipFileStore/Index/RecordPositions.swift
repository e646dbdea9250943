internal import Kinship

/// An entry of a segment for the index: without its record.
struct IndexedEntry {
  let kind: LogEntry.Kind
  let id: UnsafeRawBufferPointer
  let position: Position
}

/// The positions of a type's records, by id.
///
/// The rows are in pages. A copy shares the unchanged pages, so a reader of all rows blocks nobody,
/// and nobody waits for a table that grows.
struct RecordPositions<ID: Hashable & Sendable>: ~Copyable {
  struct Row: Sendable {
    let id: ID
    /// The hash of the id.
    let tag: UInt32
    var position: Position
  }

  /// In the order of the log after a store is opened.
  private(set) var rows = PagedArray<Row>()
  private var index = SlotIndex()

  init() {}

  var count: Int { rows.count }

  subscript(id: ID) -> Position? {
    place(of: id).map { rows[$0].position }
  }

  /// Sets the position of a record, and returns the previous one.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func update(_ position: Position, for id: ID) -> Position? {
    let tag = SlotIndex.tag(of: id)
    if let place = place(of: id, tag) {
      let old = rows[place].position
      rows[place].position = position
      return old
    }
    rows.append(Row(id: id, tag: tag, position: position))
    index.insert(tag, Slot(UInt32(rows.count)))
    return nil
  }

  /// Loads entries of a segment, in the order of the log.
  ///
  /// They come in runs, so that lookups that depend on the id type happen once for each run.
  ///
  /// - Returns: The error, if an id cannot be decoded: a function that throws a typed error is not
  ///   specialised.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func load(
    _ entries: [IndexedEntry], in segment: UInt32, _ coding: IDCoding<ID>,
    by decoder: () -> any RecordDecoder, _ space: inout SpaceUse
  ) -> KinshipError? {
    var used = 0
    defer { space.use(used, of: segment) }
    for entry in entries {
      let id: ID
      do { id = try coding.decode(entry.id, by: decoder) } catch { return error }
      let isPut = entry.kind == .put
      if isPut { used += Int(entry.position.length) }
      if let old = isPut ? update(entry.position, for: id) : remove(id) { space.release(old) }
    }
    return nil
  }

  mutating func remove(_ id: ID) -> Position? {
    guard let place = place(of: id) else { return nil }
    let old = rows[place]
    index.remove(old.tag, Slot(UInt32(place + 1)))
    // The last row takes its place.
    let last = rows[rows.count - 1]
    if place + 1 < rows.count {
      index.remove(last.tag, Slot(UInt32(rows.count)))
      index.insert(last.tag, Slot(UInt32(place + 1)))
      rows[place] = last
    }
    rows.removeLast()
    return old.position
  }

  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  private func place(of id: ID) -> Int? { place(of: id, SlotIndex.tag(of: id)) }

  @inline(__always)
  private func place(of id: ID, _ tag: UInt32) -> Int? {
    index.find(tag) { rows[$0.index - 1].id == id }.map { $0.index - 1 }
  }
}

/// All records of a type at one moment: their positions, and the data to read them.
struct RecordRows<R: GraphRecord>: Sendable {
  let rows: PagedArray<RecordPositions<R.ID>.Row>
  let segments: [UInt32: LogSegment]
  let codec: RecordCodec<R>

  /// Their ids, in no particular order.
  ///
  /// - Complexity: O(*n*): do not call it while holding the lock.
  var ids: [R.ID] { rows.pages.flatMap { $0.map(\.id) } }

  /// The read of all these records, in no particular order.
  ///
  /// - Complexity: O(*n*): do not call it while holding the lock.
  var reading: RecordReading<R> {
    var (ids, positions): ([R.ID], [Position]) = ([], [])
    ids.reserveCapacity(rows.count)
    positions.reserveCapacity(rows.count)
    for page in rows.pages {
      for row in page {
        ids.append(row.id)
        positions.append(row.position)
      }
    }
    return RecordReading(ids, positions, in: segments, codec)
  }
}
