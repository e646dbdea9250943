#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import Testing

  @testable import KinshipStoreTestSupport

  @Suite(.needsChinook)
  struct ChinookTests {
    /// Every row is a record, and every foreign key a ref to one.
    ///
    /// The lists follow from these, and are not counted again.
    @Test func `every row is a record and every foreign key a ref`() async throws {
      let store = try Chinook.store()
      var (rows, references) = (0, 0)
      func count<R: GraphRecord>(_ type: R.Type, _ refs: (R) -> [Any?] = { _ in [] }) async throws {
        let records = try await store.fetch(RecordQuery<R>())
        rows += records.count
        for record in records { references += refs(record).count { $0 != nil } }
      }
      try await count(Chinook.Artist.self)
      try await count(Chinook.Album.self) { [$0.artist] }
      try await count(Chinook.Track.self) { [$0.album, $0.mediaType, $0.genre] }
      try await count(Chinook.Genre.self)
      try await count(Chinook.MediaType.self)
      try await count(Chinook.Playlist.self)
      try await count(Chinook.PlaylistTrack.self) { [$0.playlist, $0.track] }
      try await count(Chinook.Employee.self) { [$0.manager] }
      try await count(Chinook.Customer.self) { [$0.support] }
      try await count(Chinook.Invoice.self) { [$0.customer] }
      try await count(Chinook.InvoiceLine.self) { [$0.invoice, $0.track] }
      #expect(rows == 15_607)
      #expect(references == 33_244)
      #expect(store.statistics.rowsRead == 15_607)

      // The join rows, as lists.
      let playlists = try await store.fetch(RecordQuery<Chinook.Playlist>())
      #expect(playlists.reduce(0) { $0 + $1.tracks.count } == 8_715)
      let albums = try await store.fetch(RecordQuery<Chinook.Album>())
      #expect(albums.reduce(0) { $0 + $1.tracks.count } == 3_503)
    }

    @Test func `artists, albums and tracks load by generations`() async throws {
      let store = try Chinook.store()
      let cache = try Chinook.cache(store)
      let plan = Plan<Chinook.Artist>.following(\.albums, generations: 1)
        .following(\Chinook.Album.tracks).following(\Chinook.Track.genre)
      let before = store.statistics.statementsExecuted
      let graph = try await cache.graph(of: Ref<Chinook.Artist>(90), plan)
      #expect(graph.root.name == "Iron Maiden")
      #expect(graph.root.albums.count == 21)
      #expect(graph.records(of: Chinook.Track.self).count == 213)
      // Artist, albums, tracks, genres.
      #expect(store.statistics.statementsExecuted - before == 4)

      let playlist = try await cache.graph(
        of: Ref<Chinook.Playlist>(1), .following(\.tracks, generations: 1))
      #expect(playlist.root.tracks.count == 3_290)
      #expect(store.statistics.statementsExecuted - before == 6)
    }

    @Test func `employees have a chain of managers`() async throws {
      let cache = try Chinook.cache(try Chinook.store())
      let graph = try await cache.graph(
        of: Ref<Chinook.Employee>(3), .following(\.manager, generations: 5))
      #expect(graph.root.lastName == "Peacock")
      #expect(graph.root.manager?.manager?.title == "General Manager")
      #expect(graph.root.manager?.manager?.manager == nil)
      #expect(graph.root.birthDate == Date(timeIntervalSince1970: 115_430_400))
      #expect(graph.horizon.isEmpty)
    }

    @Test func `invoices load with their lines`() async throws {
      let store = try Chinook.store()
      let newest = RecordQuery<Chinook.Invoice>().sorted(by: \.total, .descending).limited(to: 1)
      let invoice = try #require(try await store.fetch(newest).first)
      #expect(invoice.total == 25.86)
      let cache = try Chinook.cache(store)
      let graph = try await cache.graph(of: invoice.ref, .generations(2))
      let lines = graph.nodes(of: Chinook.InvoiceLine.self).filter { $0.generation == 1 }
      #expect(lines.count == 14)
      let sum = lines.map { $0.unitPrice * Double($0.quantity) }.reduce(0, +)
      #expect(abs(sum - invoice.total) < 0.001)
      let customers = try await store.referrers(
        to: [Ref<Chinook.Employee>(3)], by: RecordRelationship<Chinook.Customer>(\.support))
      #expect(customers.count == 21)
    }

    @Test func `a copy of the database can be written`() async throws {
      let copy = TemporaryDatabase()
      try FileManager.default.copyItem(atPath: Chinook.path, toPath: copy.path)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
      let store = try Chinook.store(at: copy.path, .readWrite)
      let cache = try Chinook.cache(store)
      let pair = Chinook.PlaylistTrack(id: .init(playlist: 18, track: 1))
      try await cache.write { tx in
        try tx.update(Ref<Chinook.Track>(1), \.name, to: "Renamed")
        try tx.insert(pair)
        try tx.delete(Ref<Chinook.PlaylistTrack>(.init(playlist: 18, track: 597)))
      }
      let again = try Chinook.cache(try Chinook.store(at: copy.path, .readWrite))
      #expect(try await again.resolve(Ref<Chinook.Track>(1)).name == "Renamed")
      #expect(try await again.resolve(Ref<Chinook.Playlist>(18)).tracks == [1])
    }
  }
#endif
