#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import Testing

  @testable import KinshipStoreTestSupport

  /// A music shop, a file next to the project: all its tables, unchanged.
  enum Chinook {
    static let path = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()  // KinshipSQLiteTests
      .deletingLastPathComponent().deletingLastPathComponent()  // the package
      .appending(path: "../shared/data/Chinook_Sqlite.sqlite").standardizedFileURL.path

    static var exists: Bool { FileManager.default.fileExists(atPath: path) }

    static func store(
      at path: String = path, _ access: SQLiteConfiguration.Access = .readOnly
    ) throws -> SQLiteStore {
      let dates = SQLFormats(dates: .text)
      return try SQLiteStore(
        at: path,
        SQLiteTable<Artist>(
          "Artist", id: "ArtistId",
          lists: [.toMany(\.albums, table: "Album", foreignKey: "ArtistId", key: "AlbumId")]),
        SQLiteTable<Album>(
          "Album", id: "AlbumId", columns: [.column(\.artist, "ArtistId")],
          lists: [.toMany(\.tracks, table: "Track", foreignKey: "AlbumId", key: "TrackId")]),
        SQLiteTable<Track>(
          "Track", id: "TrackId",
          columns: [
            .column(\.album, "AlbumId"), .column(\.mediaType, "MediaTypeId"),
            .column(\.genre, "GenreId"),
          ]),
        SQLiteTable<Genre>("Genre", id: "GenreId"),
        SQLiteTable<MediaType>("MediaType", id: "MediaTypeId"),
        SQLiteTable<Playlist>(
          "Playlist", id: "PlaylistId",
          lists: [
            .toMany(\.tracks, through: "PlaylistTrack", from: "PlaylistId", to: "TrackId")
          ]),
        SQLiteTable<PlaylistTrack>(
          "PlaylistTrack", id: .columns((\.playlist, "PlaylistId"), (\.track, "TrackId")),
          columns: [.column(\.playlist, "PlaylistId"), .column(\.track, "TrackId")]),
        SQLiteTable<Employee>(
          "Employee", id: "EmployeeId", columns: [.column(\.manager, "ReportsTo")],
          formats: dates),
        SQLiteTable<Customer>(
          "Customer", id: "CustomerId", columns: [.column(\.support, "SupportRepId")]),
        SQLiteTable<Invoice>(
          "Invoice", id: "InvoiceId",
          columns: [.column(\.customer, "CustomerId"), .column(\.date, "InvoiceDate")],
          lists: [
            .toMany(
              \.lines, table: "InvoiceLine", foreignKey: "InvoiceId", key: "InvoiceLineId")
          ], formats: dates),
        SQLiteTable<InvoiceLine>(
          "InvoiceLine", id: "InvoiceLineId",
          columns: [.column(\.invoice, "InvoiceId"), .column(\.track, "TrackId")]),
        configuration: SQLiteConfiguration(access: access))
    }

    static func cache(_ store: SQLiteStore) throws -> GraphCache {
      try GraphCache(
        for: Artist.self, Album.self, Track.self, Genre.self, MediaType.self, Playlist.self,
        PlaylistTrack.self, Employee.self, Customer.self, Invoice.self, InvoiceLine.self,
        store: store)
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Skips a test, with the reason, if the shop's database is missing.
    static var needsChinook: Self {
      .enabled(if: Chinook.exists, "\(Chinook.path) is not there")
    }
  }
#endif
