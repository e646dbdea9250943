import Kinship
import KinshipProgram

/// A genealogy in a store that is open; its type is the way to such stores.
protocol StoredGenealogy: Sendable {
  /// Opens a store that has a genealogy.
  ///
  /// - Parameters:
  ///   - address: Where the store is.
  ///   - isEdited: Whether the genealogy may be changed.
  /// - Returns: The genealogy; nil if there is none yet, and then there is no more at the address
  ///   than before.
  /// - Throws: `Failure`.
  static func open(_ address: String, isEdited: Bool) async throws -> Self?

  /// Does something with a store, whose errors become the program's.
  ///
  /// - Parameters:
  ///   - name: What messages call the store.
  ///   - status: How the program ends if the store, or the way to it, cannot be used.
  ///   - body: What is done.
  /// - Returns: What comes of it.
  /// - Throws: `Failure`, and what is thrown for reasons that are not the store's.
  static func tellingFailures<Result>(
    of name: String, _ status: ExitStatus, _ body: () async throws -> Result
  ) async throws -> Result

  /// Writes a genealogy to a store that has none or does not exist, in one transaction.
  ///
  /// - Parameters:
  ///   - address: Where the store is.
  ///   - genealogy: The records.
  ///   - source: The file that they were read from.
  /// - Returns: Whether they were written: not if another program has filled the store meanwhile.
  /// - Throws: `Failure`; then no record is in the store.
  static func fill(
    _ address: String, with genealogy: Genealogy, of source: SourceFile
  ) async throws -> Bool

  /// What the store was imported from.
  var source: SourceFile { get }

  /// The store, without the count of its editions.
  var store: any BackingStore { get }

  /// The store again, if others may edit it at the same time, and this program does so too: then it
  /// tells what they have changed.
  var shared: (any SharedStore)? { get }

  /// What the user should know of how the store was found.
  var notes: [String] { get }

  /// What there is and what was done.
  var figures: [StoreFigure] { get }

  /// Releases the store.
  ///
  /// - Throws: `Failure` if it could not be left as it should be.
  func close() async throws
}

extension GraphCache {
  /// Writes a genealogy to the store.
  ///
  /// - Returns: Whether it was written: not if the store has one by now.
  func fill(with genealogy: Genealogy, of source: SourceFile) async throws -> Bool {
    do {
      try await write { tx in
        try tx.insert(genealogy)
        try tx.insert(source)
        try tx.insert(Edition(size: genealogy.size))
      }
      return true
    } catch KinshipError.exists, KinshipError.commitFailed(KinshipError.exists) {
      return false
    }
  }
}
