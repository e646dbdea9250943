#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// The changes of a table of records whose type is known at run time only.
  protocol ErasedTableChanges: Sendable {
    /// Whether no row is inserted or deleted.
    var areUpdates: Bool { get }

    func writer(_ connection: Connection) -> any ErasedTableWriter
  }

  extension TableChanges: ErasedTableChanges {
    var areUpdates: Bool { deleted.isEmpty && inserted.isEmpty }

    func writer(_ connection: Connection) -> any ErasedTableWriter {
      TableWriter(self, connection)
    }
  }

  /// What a change set's changes are made by, table by table.
  protocol ErasedTableWriter: AnyObject {
    /// Checks all changes against the rows, as they were before.
    func check() throws
    func checkDeletions() throws
    func update() throws
    func updatePostponed() throws
    func emptyDeletedLists() throws
    func delete() throws
    func insert() throws
    func writeLists() throws
    /// Compares what was handed in with what is stored, if that may differ.
    func compare(_ effects: SideEffects, _ report: inout CommitReport) throws
  }
#endif
