internal import Kinship

/// Records that compaction rewrites unchanged.
struct RecordMoves: CommitPart {
  /// A record, its old position, and the range of its entry in the commit.
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
