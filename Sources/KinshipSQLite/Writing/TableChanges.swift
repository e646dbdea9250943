#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// The changes of a table of records with an erased type.
  protocol ErasedTableChanges: Sendable {
    /// Whether the changes insert and delete no rows.
    var areUpdates: Bool { get }

    func writer(_ connection: Connection) -> any ErasedTableWriter
  }

  extension TableChanges: ErasedTableChanges {
    var areUpdates: Bool { deleted.isEmpty && inserted.isEmpty }

    func writer(_ connection: Connection) -> any ErasedTableWriter {
      TableWriter(self, connection)
    }
  }

  /// Applies a change set's changes to one table.
  protocol ErasedTableWriter: AnyObject {
    /// Checks all changes against the rows before the changes.
    func check() throws
    func checkDeletions() throws
    func update() throws
    func updatePostponed() throws
    func emptyDeletedLists() throws
    func delete() throws
    func insert() throws
    func writeLists() throws
    /// Compares the submitted records with the stored ones, if they may differ.
    func compare(_ effects: SideEffects, _ report: inout CommitReport) throws
  }
#endif
