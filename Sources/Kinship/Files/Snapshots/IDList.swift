/// Ids of one type in a frame of a snapshot: those that are known to be missing, or those that a
/// lease names.
package struct IDList: Sendable {
  /// The name of the lease; empty for ids that are known to be missing.
  let name: String
  let ids: IDs
}

extension IDList {
  /// The frame's payload: the name, the number of the type, the keys, and the ids, each with its
  /// length.
  ///
  /// - Throws: `KinshipError.invalidSchema(.notCodable)`, and `.untranslatable` for an id that
  ///   cannot be encoded.
  func payload(types: [any GraphRecord.Type], coder: any RecordCoder) throws(KinshipError)
    -> [UInt8]
  {
    let encoder = coder.makeEncoder(keys: [])
    let body = try types[ids.type].encodeIDs(ids, by: encoder)
    return Self.payload(
      name: name, type: ids.type.index, keys: encoder.keys, count: ids.count, body)
  }

  /// The frame's payload, from encoded ids, each after its length.
  ///
  /// The name is that of the lease, or empty for ids that are known to be missing.
  package static func payload(
    name: String, type: Int, keys: [String], count: Int, _ ids: [UInt8]
  ) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(text: name)
    payload.append(varint: type)
    payload.append(texts: keys)
    payload.append(varint: count)
    payload.append(contentsOf: ids)
    return payload
  }

  /// Reads the frame's payload; `nil` if the type was removed.
  ///
  /// - Throws: `KinshipError.file(.damaged)`, and `.untranslatable` for an id that cannot be
  ///   decoded.
  static func read(
    _ reader: inout ByteReader, _ context: RecordBlock.Context
  ) throws(KinshipError) -> IDList? {
    let head = try Head(from: &reader)
    guard let stored = context.types[head.type] else {
      throw reader.damage("ids have a type that was not declared")
    }
    guard let type = stored.type, let today = stored.number else {
      reader.skipRest()
      return nil
    }
    let ids = try type.decodeIDs(
      head.count, of: today, from: &reader, by: context.coder.makeDecoder(keys: head.keys))
    return IDList(name: head.name, ids: ids)
  }

  /// The header of the frame, before the ids.
  package struct Head {
    package let name: String
    /// The number of the type in the file.
    package let type: Int
    package let keys: [String]
    package let count: Int

    /// - Throws: `KinshipError.file(.damaged)`.
    package init(from reader: inout ByteReader) throws(KinshipError) {
      name = try reader.readText()
      type = try reader.readNumber()
      keys = try reader.readTexts()
      count = try reader.readCount()
    }
  }
}

/// The answer to a query in a frame of a snapshot.
enum AnswerFrame {
  /// The frame's payload: whether the answer is complete and proven, the query with the ids of the
  /// answer, and the ids that may have changed since.
  ///
  /// - Throws: `KinshipError.invalidSchema(.notCodable)`, and `.untranslatable` for an id that
  ///   cannot be encoded.
  static func payload(
    of answer: CapturedAnswer, types: [any GraphRecord.Type], coder: any RecordCoder
  ) throws(KinshipError) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(varint: (answer.isComplete ? 1 : 0) + (answer.isProven ? 2 : 0))
    for list in [
      IDList(name: answer.key, ids: answer.ids()), IDList(name: "", ids: answer.changed),
    ] {
      payload += try list.payload(types: types, coder: coder)
    }
    return payload
  }

  /// Reads the frame's payload; `nil` if the type was removed.
  ///
  /// - Throws: `KinshipError.file(.damaged)`, and `.untranslatable` for an id that cannot be
  ///   decoded.
  static func read(
    _ reader: inout ByteReader, _ context: RecordBlock.Context
  ) throws(KinshipError) -> CapturedAnswer? {
    let flags = try reader.readNumber()
    if flags > 3 { throw reader.damage("an answer has unknown flags") }
    guard let list = try IDList.read(&reader, context),
      let changed = try IDList.read(&reader, context)
    else { return nil }
    guard list.ids.type == changed.ids.type else {
      throw reader.damage("an answer has ids of two types")
    }
    let ids = list.ids
    return CapturedAnswer(
      key: list.name, isComplete: flags & 1 != 0, ids: { ids }, changed: changed.ids,
      isProven: flags & 2 != 0)
  }
}

extension GraphRecord {
  /// Encodes an array of the type's ids, each with its length.
  fileprivate static func encodeIDs(
    _ ids: IDs, by encoder: any RecordEncoder
  ) throws(KinshipError) -> [UInt8] {
    var bytes: [UInt8] = []
    var encoded: [UInt8] = []
    for id in ids.of(Self.self) {
      guard let encodable = id as? any Encodable else {
        throw .invalidSchema(.notCodable(type: recordName))
      }
      encoded.removeAll(keepingCapacity: true)
      do {
        try encoder.encode(encodable, into: &encoded)
      } catch {
        throw .untranslatable(type: recordName, id: id, field: "id", cause: error)
      }
      bytes.append(varint: encoded.count)
      bytes.append(contentsOf: encoded)
    }
    return bytes
  }

  /// Decodes a number of the type's ids.
  fileprivate static func decodeIDs(
    _ count: Int, of number: TypeNumber, from reader: inout ByteReader,
    by decoder: any RecordDecoder
  ) throws(KinshipError) -> IDs {
    guard let type = ID.self as? any Decodable.Type else {
      throw .invalidSchema(.notCodable(type: recordName))
    }
    var ids: [ID] = []
    for _ in 0..<count {
      let bytes = try reader.read(try reader.readCount())
      do {
        guard let id = try decoder.decode(type, from: bytes) as? ID else { continue }
        ids.append(id)
      } catch {
        throw .untranslatable(type: recordName, id: nil, field: "id", cause: error)
      }
    }
    return IDs(ids, of: number)
  }
}
