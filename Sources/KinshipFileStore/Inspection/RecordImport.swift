package import Kinship
package import KinshipInspection

/// A record from another source, without its type.
package struct NewRecord: Sendable {
  package let type: TypeName
  package let id: FieldValue?
  /// Its age in tenths of a second.
  package let age: Int
  package let value: FieldValue

  package init(type: TypeName, id: FieldValue?, age: Int = 0, value: FieldValue) {
    self.type = type
    self.id = id
    self.age = age
    self.value = value
  }
}

/// Creates a new snapshot, or a new store directory, from a sequence of records.
///
/// Nothing is replaced. The new file or directory does not appear before it is complete.
package struct RecordImport {
  package enum Form: Sendable {
    case store
    /// A snapshot of this many records, captured at this time in milliseconds since 1970.
    case snapshot(count: Int, moment: Int)
  }

  package enum Refusal: Error {
    case record(String)
    case file(KinshipError)
  }

  private enum Target {
    case log(NewLog, in: NewDirectory)
    case snapshot(SnapshotFile)
  }

  private let path: String
  private let coder: any RecordCoder
  private let segmentSize: Int
  private var encoder: any RecordEncoder
  private var target: Target
  /// The records that are still to be written to a log or a snapshot.
  private var entries = EntryBuffer(Vocabulary())
  private var block = RecordBlock.Body()
  private var pending = 0
  private var types: [TypeDeclaration] = []
  private var numbers: [TypeName: Int] = [:]
  private var known: Set<RecordIdentity> = []

  package init(
    to path: String, as form: Form, coder: any RecordCoder, in files: any FileSystem,
    tuning: LogTuning = LogTuning()
  ) throws(KinshipError) {
    self.path = path
    segmentSize = tuning.largestSegment
    self.coder = coder
    encoder = coder.makeEncoder(keys: [])
    do {
      switch form {
      case .store:
        let directory = try NewDirectory(at: path, in: files)
        var log = NewLog(in: directory.directory)
        try log.beginSegment(coder: coder.name)
        target = .log(log, in: directory)
      case .snapshot(let count, let moment):
        let (parent, name) = try files.placeForNew(path)
        let head = SnapshotHead(coder: coder.name, moment: moment, count: count)
        target = .snapshot(try SnapshotFile(name, in: parent, head))
      }
    } catch {
      throw .file(.failed(path: path, cause: error))
    }
  }

  /// Adds a record; if this throws, abandon the import.
  package mutating func add(_ record: NewRecord) throws(Refusal) {
    if let id = record.id, !known.insert(RecordIdentity(record.type.name, id)).inserted {
      throw .record("\(record.type.name):\(id.plainText) exists twice")
    }
    if coder is CompactCoder, record.value.hasDecimal {
      throw .record("a number has more digits than the compact form keeps: JSON keeps them")
    }
    var bytes: [UInt8] = []
    do { try encoder.encode(record.value, into: &bytes) } catch {
      throw .record("it cannot be encoded: \(error.sentences)")
    }
    guard bytes.count <= RecordBlock.largestRecord else {
      throw .record("it takes more than half a gigabyte")
    }
    switch target {
    case .log:
      guard let id = record.id else { throw .record("the record has no id") }
      entries.append(.put, type: number(of: record), id: try idBytes(id), record: bytes)
    case .snapshot(let snapshot):
      if let id = record.id, record.value.fields?["id"] == nil {
        throw .record(
          "\(record.type.name):\(id.plainText) has no field “id”, by which a snapshot knows its "
            + "records: call the field of the key “id”, or make a store, which keeps ids apart")
      }
      let rank = snapshot.count + block.count
      block.append(bytes, type: number(of: record), rank: rank, age: record.age)
    }
    pending += bytes.count
    if pending < NewLog.commitSize { return }
    do { try commit() } catch { throw .file(.file(.failed(path: path, cause: error))) }
  }

  /// Writes the remaining records, and renames the result to its final name.
  ///
  /// - Throws: `KinshipError.file(.failed)`; its cause says whether the result is complete all the
  ///   same.
  package mutating func finish() throws(KinshipError) -> Int {
    do {
      try commit()
      switch target {
      case .log(var log, let directory):
        try log.finish(coder: coder.name)
        try directory.publish()
        return log.count
      case .snapshot(var snapshot):
        try snapshot.publish()
        return snapshot.count
      }
    } catch {
      throw .file(.failed(path: path, cause: error))
    }
  }

  private mutating func number(of record: NewRecord) -> Int {
    if let number = numbers[record.type] { return number }
    numbers[record.type] = types.count
    types.append(
      TypeDeclaration(
        number: types.count, name: record.type.name, version: record.type.version,
        fields: record.value.fields?.names ?? []))
    return types.count - 1
  }

  /// The id as encoded in an entry: whole numbers and texts like an `Int` and a `String`.
  ///
  /// A type with other ids, such as `Int64`, does not find its records.
  private func idBytes(_ id: FieldValue) throws(Refusal) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      if let integer = id.int {
        try IDCoding<Int>(for: "").encode(integer, by: encoder, into: &bytes)
      } else if let text = id.text {
        try IDCoding<String>(for: "").encode(text, by: encoder, into: &bytes)
      } else {
        try IDCoding<FieldValue>(for: "").encode(id, by: encoder, into: &bytes)
      }
    } catch {
      throw .record("its id cannot be encoded: \(error.sentences)")
    }
    return bytes
  }

  private mutating func commit() throws {
    switch target {
    case .log(var log, let directory):
      if !entries.marks.isEmpty { try log.commit(entries, keys: encoder.keys, types: types) }
      if log.size >= segmentSize {
        try log.beginSegment(coder: coder.name)
        encoder = coder.makeEncoder(keys: [])
      }
      target = .log(log, in: directory)
    case .snapshot(var snapshot):
      for type in types { try snapshot.declare(type) }
      try snapshot.append(block, keys: encoder.keys)
      encoder = coder.makeEncoder(keys: [])
      target = .snapshot(snapshot)
    }
    (entries, block, pending) = (EntryBuffer(Vocabulary()), RecordBlock.Body(), 0)
  }
}

extension FieldValue {
  fileprivate var hasDecimal: Bool {
    switch self {
    case .decimal: true
    case .list(let list): list.contains(where: \.hasDecimal)
    case .fields(let fields): fields.names.contains { fields[$0]?.hasDecimal ?? false }
    default: false
    }
  }
}
