import Kinship
import KinshipTestSupport
import Testing

/// A ref that cannot be removed: the schema rejects the rule, and by default nothing dangles.
struct DeleteRuleSchemaTests {
  private struct Needy: GraphRecord, Equatable {
    let id: Int
    var place: Ref<TestPlace>
    static let relationships: Relationships<Needy> = [.toOne(\.place, onTargetDelete: .nullify)]
  }

  private struct Fixed: GraphRecord {
    let id: Int
    let place: Ref<TestPlace>?
    static let relationships: Relationships<Fixed> = [.toOne(\.place, onTargetDelete: .nullify)]
  }

  private struct FixedList: GraphRecord {
    let id: Int
    let places: [Ref<TestPlace>]
    static let relationships: Relationships<FixedList> = [
      .toMany(\.places, onTargetDelete: .nullify)
    ]
  }

  /// A record that cannot lose its refs, and declares no delete rule.
  private struct Keeper: GraphRecord, Equatable {
    let id: Int
    var needed: Ref<TestPlace>
    let fixed: Ref<TestPlace>?
    let list: [Ref<TestPlace>]
    var free: Ref<TestPlace>?
    static let relationships: Relationships<Keeper> = [
      .toOne(\.needed), .toOne(\.fixed), .toMany(\.list), .toOne(\.free),
    ]
  }

  @Test func `a schema rejects nullify for a property that cannot be nil`() {
    for (type, name) in [
      (Needy.self, "place"), (Fixed.self, "place"), (FixedList.self, "places"),
    ] as [(any GraphRecord.Type, String)] {
      do throws(KinshipError) {
        _ = try GraphSchema(types: [type, TestPlace.self])
        Issue.record("\(type) was accepted")
      } catch {
        guard case .invalidSchema(.cannotNullify(type: type.recordName, relationship: name)) = error
        else {
          Issue.record("another error: \(error)")
          continue
        }
      }
    }
  }

  @Test func `a property that cannot be nil denies deletions by default`() async throws {
    let places = (1...4).map { TestPlace(id: $0, name: "") }
    let keeper = Keeper(id: 1, needed: 1, fixed: 2, list: [3], free: 4)
    let store = MemoryStore(places)
    store.insert([keeper])
    let cache = try GraphCache(for: Keeper.self, TestPlace.self, store: store)
    for place in 1...3 {
      let error = await #expect(throws: KinshipError.self) {
        try await cache.write { tx in try tx.delete(Ref<TestPlace>(place)) }
      }
      guard case .deletionDenied(AnyRef(Ref<TestPlace>(place)), [AnyRef(keeper.ref)]) = error
      else {
        Issue.record("another error: \(String(describing: error))")
        continue
      }
      #expect(store[Ref<TestPlace>(place)] != nil)
    }
    try await cache.write { tx in try tx.delete(Ref<TestPlace>(4)) }
    #expect(store[keeper.ref] == Keeper(id: 1, needed: 1, fixed: 2, list: [3], free: nil))
    #expect(await cache.audit() == [])
  }
}
