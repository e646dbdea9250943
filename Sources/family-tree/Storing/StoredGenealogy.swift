import Kinship

/// A genealogy in a store that is open; its type is the way to such stores.
protocol StoredGenealogy: Sendable {
  /// Opens a store that has a genealogy.
  ///
  /// - Parameters:
  ///   - path: Where the store is.
  ///   - isEdited: Whether the genealogy may be changed.
  /// - Returns: The genealogy; nil if there is none yet, and then there is no more at the path than before.
  /// - Throws: `Failure`.
  static func open(_ path: String, isEdited: Bool) async throws -> Self?

  /// Writes a genealogy to a store that has none or does not exist, in one transaction.
  ///
  /// - Parameters:
  ///   - path: Where the store is.
  ///   - genealogy: The records.
  ///   - source: The file that they were read from.
  /// - Throws: `Failure`; then no record is in the store.
  static func fill(
    _ path: String, with genealogy: Genealogy, of source: SourceFile
  ) async throws

  /// What the store was imported from.
  var source: SourceFile { get }

  /// The store, without the count of its editions.
  var store: any BackingStore { get }

  /// What the user should know of how the store was found.
  var notes: [String] { get }

  /// What there is and what was done.
  var figures: [StoreFigure] { get }

  /// Releases the store.
  ///
  /// - Throws: `Failure` if it could not be left as it should be.
  func close() async throws
}
