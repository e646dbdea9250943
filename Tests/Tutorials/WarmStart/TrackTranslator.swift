#if SQLite
  import Kinship
  import KinshipSQLite

  /// A track's length lies in a column of milliseconds.
  struct TrackTranslator: RowTranslator {
    let columns = ["id", "name", "milliseconds"]

    func record(from row: borrowing SQLRow) throws -> Track {
      Track(
        id: try row.value(at: 0), name: try row.value(at: 1),
        length: .milliseconds(try row.value(at: 2, as: Int.self)))
    }

    func bind(_ track: Track, to values: inout SQLValues) throws {
      try values.append(track.id)
      try values.append(track.name)
      try values.append(Int(track.length / .milliseconds(1)))
    }
  }
#endif
