#if SQLite
  import Foundation
  import Kinship

  @testable import KinshipStoreTestSupport

  extension Chinook {
    struct Artist: GraphRecord, Codable {
      let id: Int
      var name: String?
      var albums: [Ref<Album>]

      static let relationships: Relationships<Artist> = [.toMany(\.albums)]
    }

    struct Album: GraphRecord, Codable {
      let id: Int
      var title: String
      var artist: Ref<Artist>
      var tracks: [Ref<Track>]

      static let relationships: Relationships<Album> = [.toOne(\.artist), .toMany(\.tracks)]
    }

    struct Track: GraphRecord, Codable {
      let id: Int
      var name: String
      var album: Ref<Album>?
      var mediaType: Ref<MediaType>
      var genre: Ref<Genre>?
      var composer: String?
      var milliseconds: Int
      var bytes: Int?
      var unitPrice: Double

      static let relationships: Relationships<Track> = [
        .toOne(\.album), .toOne(\.mediaType), .toOne(\.genre),
      ]
    }

    struct Genre: GraphRecord, Codable {
      let id: Int
      var name: String?
    }

    struct MediaType: GraphRecord, Codable {
      let id: Int
      var name: String?
    }

    struct Playlist: GraphRecord, Codable {
      let id: Int
      var name: String?
      var tracks: [Ref<Track>]

      static let relationships: Relationships<Playlist> = [.toMany(\.tracks)]
    }

    /// A row of a join table, as a record of its own.
    struct PlaylistTrack: GraphRecord, Codable {
      struct ID: Hashable, Codable {
        let playlist: Int
        let track: Int
      }

      let id: ID
      var playlist: Ref<Playlist> { Ref(id.playlist) }
      var track: Ref<Track> { Ref(id.track) }

      static let relationships: Relationships<PlaylistTrack> = [
        .toOne(\.playlist), .toOne(\.track),
      ]
    }

    struct Employee: GraphRecord, Codable {
      let id: Int
      var lastName: String
      var firstName: String
      var title: String?
      var manager: Ref<Employee>?
      var birthDate: Date?
      var hireDate: Date?
      var city: String?

      static let relationships: Relationships<Employee> = [.toOne(\.manager)]
    }

    struct Customer: GraphRecord, Codable {
      let id: Int
      var firstName: String
      var lastName: String
      var company: String?
      var country: String?
      var email: String
      var support: Ref<Employee>?

      static let relationships: Relationships<Customer> = [.toOne(\.support)]
    }

    struct Invoice: GraphRecord, Codable {
      let id: Int
      var customer: Ref<Customer>
      var date: Date
      var billingCountry: String?
      var total: Double
      var lines: [Ref<InvoiceLine>]

      static let relationships: Relationships<Invoice> = [.toOne(\.customer), .toMany(\.lines)]
    }

    struct InvoiceLine: GraphRecord, Codable {
      let id: Int
      var invoice: Ref<Invoice>
      var track: Ref<Track>
      var unitPrice: Double
      var quantity: Int

      static let relationships: Relationships<InvoiceLine> = [.toOne(\.invoice), .toOne(\.track)]
    }
  }
#endif
