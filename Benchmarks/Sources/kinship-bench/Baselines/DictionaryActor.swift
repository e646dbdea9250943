import Kinship

/// A dictionary in an actor that does nothing else.
actor DictionaryActor<Member: GraphRecord> {
  private let records: [Member.ID: Member]

  init(_ records: [Member.ID: Member]) {
    self.records = records
  }

  func record(_ id: Member.ID) -> Member? {
    records[id]
  }
}
