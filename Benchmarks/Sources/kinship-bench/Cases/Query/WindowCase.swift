import Foundation
import Kinship
import KinshipSQLite

extension Case {
  static let window = Case(
    "window", summary: "20 rows in the middle of a table in an order, by key; ns a window",
    sizeName: "rows", sizes: { effort in effort == .full ? [1_000_000, 10_000_000] : [100_000] }
  ) { size, _ in
    let directory = try ScratchDirectory()
    let path = directory.url.appending(path: "songs.sqlite").path
    let database = try RawDatabase(path: path)
    try database.execute(
      """
      \(SongDatabase.table);
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(size))
        INSERT INTO song SELECT i, 'Song number ' || i, i % 1000, i FROM n;
      CREATE INDEX song_length ON song (length);
      """)
    let store = try SQLiteStore(at: path, SQLiteTable<Song>("song"))
    let cache = try GraphCache(for: Song.self, store: store, capacity: 10_000)
    let query = RecordQuery<Song>().sorted(by: \.length)
    let near = size / 2
    // A cursor is valid for the query with any offset.
    let cursor = try await cache.page(query.skipping(near), size: 1).end

    func sample(_ elapsed: Duration, _ page: Page<Song>, _ first: Int) -> Sample {
      Sample(
        elapsed, operations: 100,
        checks: [
          Check("records", page.records.count, expected: 20),
          Check("first", page.records.first?.id ?? -1, expected: first),
        ])
    }
    return Comparison(
      size: size,
      systems: [
        System("Kinship, the first window") {
          var page = try await cache.page(query, size: 20)
          let watch = Stopwatch()
          for _ in 0..<100 { page = try await cache.page(query, size: 20) }
          return sample(watch.elapsed, page, 0)
        },
        System("Kinship, a window in the middle", bar: .ratio(2)) {
          var page = try await cache.page(query, size: 20, after: cursor)
          let watch = Stopwatch()
          for _ in 0..<100 { page = try await cache.page(query, size: 20, after: cursor) }
          return sample(watch.elapsed, page, near + 1)
        },
      ])
  }
}
