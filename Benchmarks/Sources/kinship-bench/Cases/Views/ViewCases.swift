import CSQLite
import Foundation
import Kinship
import KinshipSQLite

/// A row of a list that shows something of two related records.
struct TrackRow: Equatable, Sendable {
  let name: String
  let album: String?
  let shelf: String?
}

extension TrackRow {
  init(_ track: Node<Track>) {
    self.init(
      name: track.name, album: track.album?.name, shelf: track.album?.album?.name)
  }
}

/// The name of a person, of the father and of his mother.
private struct AncestorRow: Equatable, Sendable {
  let name: String
  let father: String?
  let grandmother: String?
}

extension AncestorRow {
  init(_ person: Node<Ancestor>) {
    self.init(
      name: person.name, father: person.father?.name,
      grandmother: person.father?.mother?.name)
  }
}

extension Case {
  private static let sorted = RecordQuery<Track>().sorted(by: \.id)

  static let viewInMemory = Case(
    "view-in-memory", summary: "1,000 rows of three levels, all in memory; ns a row",
    sizes: { effort in effort == .full ? [1_000, 10_000] : [1_000] }
  ) { size, _ in
    let tracks = (0..<size).map { Track(number: $0) }
    let byID = Dictionary(uniqueKeysWithValues: tracks.map { ($0.id, $0) })
    let cache = try GraphCache(for: Track.self)
    try await cache.put(contentsOf: tracks)
    let refs = tracks.map(\.ref)
    let expected = tracks.count { $0.album?.id.isMultiple(of: 10) == false }
    func sample(_ rows: [TrackRow?], _ watch: Stopwatch) -> Sample {
      let elapsed = watch.elapsed
      let shelves = rows.count { $0?.shelf != nil }
      return Sample(
        elapsed, operations: size,
        checks: [
          Check("rows", rows.count, expected: size),
          Check("shelves", shelves, expected: expected),
        ])
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary, by hand") {
          let watch = Stopwatch()
          let rows = refs.map { ref -> TrackRow? in
            guard let track = byID[ref.id] else { return nil }
            let album = track.album.flatMap { byID[$0.id] }
            let shelf = album?.album.flatMap { byID[$0.id] }
            return TrackRow(name: track.name, album: album?.name, shelf: shelf?.name)
          }
          return sample(rows, watch)
        },
        System("Kinship: a view", bar: .ratio(2)) {
          let watch = Stopwatch()
          return sample(try await cache.find(refs.view(TrackRow.init)), watch)
        },
        System("Kinship: graphs, and a row of each") {
          let watch = Stopwatch()
          let graphs = try await cache.find(refs.graphs(.following(\.album, generations: 2)))
          return sample(graphs.map { graph in graph.map { TrackRow($0.root) } }, watch)
        },
      ])
  }

  static let viewCalls = Case(
    "view-calls", summary: "rows of three levels out of a store in memory; ns a row",
    sizes: { effort in effort == .full ? [10_000] : [1_000] }
  ) { size, _ in
    let tracks = (0..<size).map { Track(number: $0) }
    let refs = tracks.suffix(size / 2).map(\.ref)
    return Comparison(
      size: size,
      systems: [
        System("Kinship: a view") {
          let store = CountingStore(MemoryStore(tracks))
          let cache = try GraphCache(for: Track.self, store: store)
          let watch = Stopwatch()
          let rows = try await cache.find(refs.view(TrackRow.init))
          return Sample(
            watch.elapsed, operations: refs.count,
            checks: [
              // One track in ten is in no album.
              Check("albums", rows.count { $0?.album != nil }, expected: refs.count / 10 * 9),
              Check("store calls", store.calls, expected: 3),
            ], facts: [Fact("store calls", Double(store.calls))])
        }
      ])
  }

  static let viewFromSQLite = Case(
    "view-sqlite", summary: "1,000 rows of three levels out of SQLite, cold; ns a row",
    sizes: { _ in [1_000] }
  ) { size, effort in
    let file = try LineageFile(.distinct(count: effort.operations(100_000)))
    let database = try RawDatabase(path: file.path)
    try database.execute(file.settings)
    let join = try database.prepare(
      """
      SELECT child.name, father.name, grandmother.name FROM ancestor child
      LEFT JOIN ancestor father ON father.id = child.father
      LEFT JOIN ancestor grandmother ON grandmother.id = father.mother
      WHERE child.id < ? ORDER BY child.id
      """)
    let store = try file.handWrittenStore()
    let query = RecordQuery<Ancestor>(#Predicate { $0.id < size }).sorted(by: \.id)
    let used = try GraphCache(for: Ancestor.self, store: store)
    func byHand() throws -> [AncestorRow] {
      // The file is removed with its object.
      defer { withExtendedLifetime(file) { join.reset() } }
      join.bind(size, at: 1)
      var rows: [AncestorRow] = []
      while try join.step() {
        func name(_ column: Int32) -> String? {
          sqlite3_column_type(join.handle, column) == SQLITE_NULL ? nil : join.text(column)
        }
        rows.append(AncestorRow(name: join.text(0), father: name(1), grandmother: name(2)))
      }
      return rows
    }
    let expected = try byHand()
    func sample(_ rows: [AncestorRow], _ watch: Stopwatch) -> Sample {
      let elapsed = watch.elapsed
      return Sample(
        elapsed, operations: size,
        checks: [Check("equal rows", rows == expected ? 1 : 0, expected: 1)])
    }
    return Comparison(
      size: size,
      systems: [
        System("SQLite, a join to structs") {
          let watch = Stopwatch()
          return sample(try byHand(), watch)
        },
        System("Kinship: a new view") {
          let cache = try GraphCache(for: Ancestor.self, store: store)
          let watch = Stopwatch()
          return sample(try await cache.find(query.view(AncestorRow.init)), watch)
        },
        System("Kinship: a view that has run before", bar: .ratio(1.3)) {
          _ = try await used.find(query.view(AncestorRow.init))
          await used.removeAll()
          let watch = Stopwatch()
          return sample(try await used.find(query.view(AncestorRow.init)), watch)
        },
      ])
  }

  static let manyLists = Case(
    "many-lists", summary: "26 observed lists, while each of their rows changes; ns in all",
    sizes: { _ in [1_708] }
  ) { size, _ in
    let tracks = (0..<size).map { Track(number: $0) }
    let cache = try GraphCache(for: Track.self)
    try await cache.put(contentsOf: tracks)
    var lists: [Follower<RecordQuery<Track>>] = []
    for letter in 0..<26 {
      let list = RecordQuery<Track>(#Predicate { $0.id % 26 == letter }).sorted(by: \.id)
      lists.append(Follower(cache, list))
      try await lists[letter].begin()
    }
    let (followers, round) = (lists, Serial())
    return Comparison(
      size: size,
      systems: [
        System("Kinship", bar: .value(30_000_000)) {
          let name = "Track of round \(round.next())"
          let watch = Stopwatch()
          try await withThrowingTaskGroup { group in
            for list in followers {
              group.addTask { try await list.wait { $0.last?.name == name } }
            }
            for track in tracks {
              try await cache.write { try $0.update(track.ref, \.name, to: name) }
            }
            try await group.waitForAll()
          }
          return Sample(watch.elapsed, operations: 1, checks: [])
        }
      ])
  }

  static let viewChange = Case(
    "view-change", summary: "a change of a related record, until observers have the row; ns each",
    sizes: { effort in effort == .full ? [10_000, 100_000] : [1_000, 10_000] }
  ) { size, effort in
    // Of each album beyond the first ones, one track is in the list, and no album is.
    let tracks = (0..<size * 11).map { Track(number: $0) }
    let cache = try GraphCache(for: Track.self)
    try await cache.put(contentsOf: tracks)
    let beginning = size
    let list = RecordQuery<Track>(#Predicate { $0.id % 10 == 1 && $0.id >= beginning })
    let rows = Follower(cache, list.sorted(by: \.id).view(TrackRow.init))
    try await rows.begin()
    let count = effort.operations(200)
    let album = Ref<Track>(size / 2 + 1)
    return Comparison(
      size: size,
      systems: [
        System("the transaction alone") {
          let other = try GraphCache(for: Track.self)
          try await other.put(contentsOf: tracks)
          let watch = Stopwatch()
          for number in 0..<count {
            try await other.write { try $0.update(album, \.name, to: "album \(number)") }
          }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System("the name of the album of a row", bar: .value(10_000)) {
          try await rows.sample(count, notifies: true) {
            try $0.update(album, \.name, to: "album \($1)")
          }
        },
        System("a property that no row reads", bar: .ratio(1.5)) {
          try await rows.sample(count, notifies: false) { try $0.update(album, \.bytes, to: $1) }
        },
      ])
  }

  static let liveCount = Case(
    "live-count", summary: "a change of an observed number, until observers have it; ns each",
    sizes: { effort in effort == .full ? [100_000, 1_000_000] : [1_000, 10_000] }
  ) { size, effort in
    let songs = (0..<size).map { Song(number: $0, of: size) }
    let (count, first, half) = (effort.operations(100), songs[0].ref, size / 2)
    let (other, indexed, scanned) = (
      try GraphCache(for: Song.self), try GraphCache(for: Song.self),
      try GraphCache(for: Song.self)
    )
    for cache in [other, indexed, scanned] { try await cache.put(contentsOf: songs) }
    let long = Follower(indexed, RecordQuery<Song>(#Predicate { $0.length >= half }).count)
    let named = Follower(scanned, RecordQuery<Song>(#Predicate { $0.name == "" }).count)
    try await long.begin()
    try await named.begin()
    return Comparison(
      size: size,
      systems: [
        System("the transaction alone") {
          let watch = Stopwatch()
          for number in 0..<count {
            try await other.write { try $0.update(first, \.length, to: number) }
          }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System("Kinship, an index", bar: .ratio(2)) {
          try await long.sample(count, notifies: true) {
            try $0.update(first, \.length, to: $1.isMultiple(of: 2) ? 0 : size)
          }
        },
        System("Kinship, no index") {
          try await named.sample(count, notifies: true) {
            try $0.update(first, \.name, to: $1.isMultiple(of: 2) ? "Song" : "")
          }
        },
      ])
  }
}

extension Case {
  static let restoredView = Case(
    "restored-view", summary: "the first frame of a list after a restart; ns",
    sizes: { _ in [1_000] }
  ) { size, _ in
    let tracks = (0..<size).map { Track(number: $0) }
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let query = RecordQuery<Track>().sorted(by: \.name).limited(to: size)
    do {
      let cache = try GraphCache(for: Track.self, store: MemoryStore(tracks))
      let list = Follower(cache, query.view(TrackRow.init))
      try await list.begin()
      try await cache.snapshot(to: url)
    }
    return Comparison(
      size: size,
      systems: [
        System("Kinship: peek of a view", bar: .value(1_000_000)) {
          let store = CountingStore(MemoryStore(tracks))
          let cache = try GraphCache(for: Track.self, store: store)
          try await cache.restore(from: url)
          let watch = Stopwatch()
          let rows = cache.peek(query.view(TrackRow.init)).value
          return Sample(
            watch.elapsed, operations: 1,
            checks: [
              Check("rows", rows?.count ?? 0, expected: size),
              Check("store calls", store.calls, expected: 0),
            ])
        }
      ])
  }
}

/// An observer of the answer to a request.
private actor Follower<Asked: Request> {
  private let cache: GraphCache
  private let request: Asked
  private var changes: Changes<Asked.Observed, Asked.Diff>.Iterator?
  private var number = 0

  init(_ cache: GraphCache, _ request: Asked) {
    (self.cache, self.request) = (cache, request)
  }

  func begin() async throws {
    var changes = cache.observe(request).makeAsyncIterator()
    _ = try await changes.next()
    self.changes = changes
  }

  /// Waits until the value fulfils a condition.
  func wait(until isReached: @Sendable (Asked.Observed) -> Bool) async throws {
    guard var changes else { return }
    self.changes = nil
    while let change = try await changes.next(), !isReached(change.value) {}
    self.changes = changes
  }

  /// Changes a record again and again, each time until the observer is notified if it is.
  func sample(
    _ count: Int, notifies: Bool,
    _ body: @escaping @Sendable (inout GraphCache.Transaction, Int) throws -> Void
  ) async throws -> Sample {
    guard var changes else { return Sample(value: .nan, checks: []) }
    self.changes = nil
    var notifications = 0
    let watch = Stopwatch()
    for _ in 0..<count {
      number += 1
      let value = number
      try await cache.write { try body(&$0, value) }
      if notifies, try await changes.next() != nil { notifications += 1 }
    }
    let elapsed = watch.elapsed
    self.changes = changes
    return Sample(
      elapsed, operations: count,
      checks: [Check("changes", notifications, expected: notifies ? count : 0)])
  }
}
