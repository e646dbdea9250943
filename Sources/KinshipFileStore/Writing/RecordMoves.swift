internal import Kinship

/// Records that are written again as they are, for the log to be compacted.
struct RecordMoves: CommitPart {
  /// A record, where it was, and where its entry lies among those of the commit.
  struct Move: Sendable {
    /// The number of its type in the schema.
    let typeNumber: TypeNumber
    let id: any Sendable
    let old: Position
    let entry: Range<Int>
  }

  var moves: [Move] = []

  func publish(_ segment: UInt32, from offset: Int, to catalog: inout Catalog) {
    for move in moves {
      catalog.locations[move.typeNumber].move(
        move.id, from: move.old, to: Position(segment, move.entry, from: offset),
        &catalog.space)
    }
    catalog.tally.moved += moves.count
  }

  func publish(to group: inout CommitGroup) {}
}
