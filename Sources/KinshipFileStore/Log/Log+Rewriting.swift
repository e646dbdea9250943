internal import Kinship

extension Log {
  /// Appends a commit with the current ones of some entries of a segment, to rewrite them.
  ///
  /// It keeps deletions if older segments may have the deleted records: only for segments of this
  /// log's own encoder.
  func rewrite(
    _ entries: [FoundEntry], of segment: LogSegment, keepingDeletions keepsDeletions: Bool,
    into group: inout CommitGroup
  ) throws(KinshipError) {
    var buffer = EntryBuffer(group.vocabulary)
    let vocabulary = segment.vocabulary
    let reader = RecordReader(coder: segment.coder, keys: vocabulary.keys)
    // Bytes can be copied if their numbers mean the same in the new segment.
    let isVerbatim =
      segment.coder.name == environment.coder.name
      && active.encoder.keys.starts(with: vocabulary.keys)
    var moves = RecordMoves()
    for entry in entries {
      let stored = try segment.type(entry.type, in: vocabulary, at: entry.position)
      // Drop records of a type that was removed from the schema.
      guard let typeNumber = stored.number, let type = stored.type else { continue }
      if entry.kind == .deleted {
        guard keepsDeletions else { continue }
        buffer.append(.deleted, type: buffer.vocabulary.number(of: stored), id: entry.id)
        continue
      }
      guard let id = try liveID(of: entry, typeNumber, segment, vocabulary) else { continue }
      let place =
        isVerbatim
        ? buffer.append(
          .put, type: buffer.vocabulary.number(of: stored), id: entry.id, record: entry.record)
        : try recode(entry, of: id, as: type, stored, segment, by: reader, into: &buffer)
      moves.moves.append(
        RecordMoves.Move(typeNumber: typeNumber, id: id, old: entry.position, entry: place))
    }
    if !moves.moves.isEmpty { buffer.parts.append(moves) }
    try group.append(buffer, active.encoder)
  }

  private func liveID(
    of entry: FoundEntry, _ typeNumber: TypeNumber, _ segment: LogSegment, _ vocabulary: Vocabulary
  ) throws(KinshipError) -> (any Sendable)? {
    try catalog.read { catalog throws(KinshipError) in
      try entry.id.span.bytes.withUnsafeBytes { id throws(KinshipError) in
        try catalog.locations[typeNumber].liveID(id, at: entry.position) {
          segment.coder.makeDecoder(keys: vocabulary.keys)
        }
      }
    }
  }

  /// Appends a record in its current encoding.
  private func recode<R: StorableRecord>(
    _ entry: FoundEntry, of id: any Sendable, as type: R.Type, _ stored: StoredType,
    _ segment: LogSegment, by reader: RecordReader, into buffer: inout EntryBuffer
  ) throws(KinshipError) -> Range<Int> {
    let (number, codec) = try catalog.read { catalog throws(KinshipError) in
      (try catalog.number(of: type), try catalog.locations(of: type).codec)
    }
    let (record, unknownFields) = try entry.record.span.bytes.withUnsafeBytes {
      bytes throws(KinshipError) in
      let record = try codec.decode(bytes, stored, by: reader)
      let found = EntryReading.Found(bytes: bytes, type: stored, reader: reader)
      return (record, try unknownFieldTable.fields(of: record, in: found))
    }
    guard record.id == id as? R.ID else {
      // Otherwise the record would reappear under an id that was never committed.
      throw segment.damage(at: entry.position.offset, "there is another record")
    }
    let declared = types[number] ?? Self.today(type, number)
    var bytes: [UInt8] = []
    return try append(
      record, unknownFields, codec, type: buffer.vocabulary.number(of: declared), &bytes,
      to: &buffer)
  }

  /// Appends a put record, with the fields that its type lacks; `bytes` is memory to reuse.
  func append<R: GraphRecord>(
    _ record: R, _ unknownFields: RecordFields?, _ codec: RecordCodec<R>, type: Int,
    _ bytes: inout [UInt8], to buffer: inout EntryBuffer
  ) throws(KinshipError) -> Range<Int> {
    var id: [UInt8] = []
    bytes.removeAll(keepingCapacity: true)
    try codec.ids.encode(record.id, by: active.encoder, into: &id)
    if let unknownFields {
      try unknownFieldTable.encode(record, with: unknownFields, by: active.encoder, into: &bytes)
    } else {
      try codec.encode(record, by: active.encoder, into: &bytes)
    }
    return buffer.append(.put, type: type, id: id, record: bytes)
  }
}
