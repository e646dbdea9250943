import FuzzingSupport
import Kinship
import KinshipFileStore

/// The records of a store; `nil` for those of a type that cannot all be read.
struct Contents: Equatable {
  var persons: [Int: Person]?
  var places: [String: Place]?
  var stays: [Stay.ID: Stay]?
  /// Whether a record that could not be read is damaged.
  private(set) var isDamaged = false

  init(of store: FileStore) async throws {
    persons = try await read(RecordQuery<Person>().sorted(by: \.name), store)
    places = try await read(RecordQuery<Place>(), store)
    stays = try await read(RecordQuery<Stay>(), store)
  }

  /// How many records there are; `nil` if not all can be read.
  var count: Int? {
    guard let persons, let places, let stays else { return nil }
    return persons.count + places.count + stays.count
  }

  /// The first of several unreadable records may differ.
  static func == (left: Contents, right: Contents) -> Bool {
    left.persons == right.persons && left.places == right.places && left.stays == right.stays
  }

  private mutating func read<R: GraphRecord>(
    _ query: RecordQuery<R>, _ store: FileStore
  ) async throws -> [R.ID: R]? {
    do {
      let records = try await store.fetch(query)
      return Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    } catch let partial as PartialAnswer<R> {
      for failure in partial.failures {
        switch failure.cause {
        case KinshipError.file(.damaged): isDamaged = true
        case KinshipError.untranslatable: break
        default: throw failure.cause
        }
      }
      return nil
    }
  }
}
