package import Kinship

/// A record for tests of file stores, with texts of all lengths, and refs.
package struct StoredNote: GraphRecord, Codable, Hashable {
  package let id: Int
  package var text: String
  package var next: Ref<StoredNote>?

  package init(id: Int, text: String, next: Ref<StoredNote>? = nil) {
    self.id = id
    self.text = text
    self.next = next
  }

  package static let relationships: Relationships<StoredNote> = [
    .toOne(\.next, onTargetDelete: DeleteRule.none)
  ]

  /// Returns the insertion of notes of one text.
  package static func inserting(_ ids: some Sequence<Int>, _ text: String = "") -> ChangeSet {
    ChangeSet(inserting: ids.map { StoredNote(id: $0, text: text) })
  }
}

/// A record with an id that only a coder can write.
package struct StoredLabel: GraphRecord, Codable, Hashable {
  package struct ID: Hashable, Codable, Sendable {
    package let space: String
    package let number: Int
  }

  package let id: ID
  package var value: Double?

  package init(_ number: Int, value: Double?) {
    id = ID(space: "labels", number: number)
    self.value = value
  }
}
