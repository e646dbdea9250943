internal import Kinship

/// The entries of a commit while it is built.
struct EntryBuffer {
  /// The position of an entry in the commit.
  struct Mark {
    let kind: LogEntry.Kind
    let type: Int
    let id: [UInt8]
    let entry: Range<Int>
  }

  private(set) var bytes: [UInt8] = []
  private(set) var marks: [Mark] = []
  /// The types that entries may refer to by number.
  private(set) var types: TypeNumbers
  var parts: [any CommitPart] = []

  init(types: TypeNumbers) { self.types = types }

  /// The number by which entries may refer to a type; a new type is added.
  mutating func number(of type: StoredType) -> Int { types.number(of: type) }

  /// Appends an entry.
  ///
  /// - Returns: Its range.
  mutating func append(
    _ kind: LogEntry.Kind, type: Int, id: [UInt8], record: [UInt8]
  ) -> Range<Int> {
    let start = bytes.count
    LogEntry.append(kind, type: type, id: id, record: record, to: &bytes)
    let entry = start..<bytes.count
    marks.append(Mark(kind: kind, type: type, id: id, entry: entry))
    return entry
  }
}
