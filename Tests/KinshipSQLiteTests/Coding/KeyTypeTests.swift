#if SQLite
  import Kinship
  import KinshipSQLite
  import Testing

  struct KeyTypeTests {
    /// Decodes its parts by keys of two types, in an order that each row decides, and a nested
    /// value by keys of another type.
    struct Parcel: GraphRecord, Codable, Equatable {
      struct Size: Codable, Equatable {
        var width: Int
        var height: Int
      }

      let id: Int
      var label: String
      var size: Size

      private enum Keys: String, CodingKey { case id, label }
      private enum SizeKeys: String, CodingKey { case width, height }

      init(id: Int, label: String, size: Size) {
        self.id = id
        self.label = label
        self.size = size
      }

      init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Keys.self)
        id = try keys.decode(Int.self, forKey: .id)
        let first = id.isMultiple(of: 2) ? try keys.decode(String.self, forKey: .label) : nil
        switch id % 3 {
        case 0: size = try Size(from: decoder)
        case 1: size = try Size(from: keys.superDecoder())
        default:
          let sizes = try decoder.container(keyedBy: SizeKeys.self)
          size = Size(
            width: try sizes.decode(Int.self, forKey: .width),
            height: try sizes.decode(Int.self, forKey: .height))
        }
        label =
          try first ?? decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .label)
      }

      func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: Keys.self)
        try keys.encode(id, forKey: .id)
        try size.encode(to: encoder)
        try keys.encode(label, forKey: .label)
      }
    }

    @Test func `a row may use keys of several types`() async throws {
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Parcel>("parcel"),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE parcel (id INTEGER PRIMARY KEY, label, width, height)"))
      let parcels = (1...40).map {
        Parcel(id: $0, label: "parcel \($0)", size: .init(width: $0 * 3, height: $0 * 5))
      }
      let cache = try GraphCache(for: Parcel.self, store: store)
      try await cache.write { tx in for parcel in parcels { try tx.insert(parcel) } }
      #expect(try await store.fetch(Parcel.self, ids: parcels.map(\.id)) == parcels)
    }
  }
#endif
