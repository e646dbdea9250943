import Foundation
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipTrials

/// A record type of three versions of a program.
///
/// Each later one reads the earlier records.
struct MigrationTests {
  /// The first: one name.
  enum First {
    struct Human: GraphRecord, Codable, Equatable {
      let id: Int
      var name: String
      var born: String
      var father: Ref<Human>?
      static let relationships: Relationships<Human> = [.toOne(\.father)]
    }

    struct Draft: GraphRecord, Codable {
      let id: Int
    }
  }

  /// The second: two names, and the year of birth as a number.
  enum Second {
    struct Human: GraphRecord, Codable, Equatable {
      let id: Int
      var given: String
      var surname: String
      var born: Int?
      var father: Ref<Human>?
      static let recordVersion = 2
      static let relationships: Relationships<Human> = [.toOne(\.father)]
    }
  }

  /// The third: another name of the type, a list of events, and a new optional property.
  enum Third {
    struct Person: GraphRecord, Codable, Equatable {
      struct Event: Codable, Equatable {
        var kind: String
        var year: Int
      }

      let id: Int
      var given: String
      var surname: String
      var events: [Event]
      var father: Ref<Person>?
      var nickname: String?
      static let recordVersion = 3
      static let relationships: Relationships<Person> = [.toOne(\.father)]
    }
  }

  struct NoYear: Error {}

  static let toSecond: Migrations.Step = { human in
    let names = (human.remove("name")?.text ?? "").split(separator: " ", maxSplits: 1)
    human["given"] = .text(names.first.map(String.init) ?? "")
    human["surname"] = .text(names.count > 1 ? String(names[1]) : "")
    if let text = human["born"]?.text {
      guard let year = Int(text) else { throw NoYear() }
      human["born"] = .integer(Int128(year))
    }
  }

  static let toThird: Migrations.Step = { human in
    let year = human.remove("born")?.int
    var birth = RecordFields()
    birth["kind"] = "birth"
    birth["year"] = year.map { .integer(Int128($0)) }
    human["events"] = year == nil ? [] : [.fields(birth)]
  }

  static let forSecond = Migrations().removing("Draft")
    .step(for: Second.Human.self, from: 1, toSecond)
  static let forThird = Migrations().removing("Draft")
    .renaming("Human", to: Third.Person.self)
    .step(for: Third.Person.self, from: 1, toSecond)
    .step(for: Third.Person.self, from: 2, toThird)

  /// A snapshot of the first version.
  static func firstFile(
    _ coder: any RecordCoder, born: String = "1819"
  ) async throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    try disk.tryMakeDirectory("/d")
    let cache = try GraphCache(for: First.Human.self, First.Draft.self)
    try await cache.put(First.Draft(id: 1))
    try await cache.put(First.Human(id: 1, name: "Albert of Saxe-Coburg", born: born, father: 2))
    try await cache.put(First.Human(id: 2, name: "Ernest", born: "1784", father: nil))
    let leases = [
      cache.lease([Ref<First.Human>(2)], named: "root"),
      cache.lease([Ref<First.Draft>(1)], named: "open"),
    ]
    _ = try await cache.snapshot(to: "/d/x", in: disk, at: .now, coder: coder)
    for lease in leases { lease.end() }
    return disk
  }

  static func options(_ migrations: Migrations) -> RestoreOptions {
    var options = RestoreOptions()
    options.migrations = migrations
    return options
  }

  @Test(arguments: SnapshotLab.coders)
  func `each version reads snapshots of earlier versions`(coder: any RecordCoder) async throws {
    let disk = try await Self.firstFile(coder)
    let second = try GraphCache(for: Second.Human.self)
    let removed = try await second.restore(
      from: "/d/x", in: disk, at: .now, Self.options(Self.forSecond))
    #expect(removed.removed == 1)
    #expect(removed.restored == 2)
    #expect(
      second.peek(Ref<Second.Human>(1))
        == Second.Human(
          id: 1, given: "Albert", surname: "of Saxe-Coburg", born: 1819, father: 2))

    let fromFirst = try GraphCache(for: Third.Person.self)
    let report = try await fromFirst.restore(
      from: "/d/x", in: disk, at: .now, Self.options(Self.forThird))
    _ = try await second.snapshot(to: "/d/y", in: disk, at: .now, coder: coder)
    let fromSecond = try GraphCache(for: Third.Person.self)
    _ = try await fromSecond.restore(
      from: "/d/y", in: disk, at: .now, Self.options(Self.forThird))
    for cache in [fromFirst, fromSecond] {
      #expect(
        cache.peek(Ref<Third.Person>(1))
          == Third.Person(
            id: 1, given: "Albert", surname: "of Saxe-Coburg",
            events: [Third.Person.Event(kind: "birth", year: 1819)], father: 2, nickname: nil))
      #expect(cache.peek(Ref<Third.Person>(2))?.surname == "")
    }
    #expect(report.leases["root"] != nil)
    await fromFirst.trim(to: 0)
    #expect(fromFirst.peek(Ref<Third.Person>(2)) != nil)
  }

  private func failure<R: GraphRecord>(
    _ type: R.Type, on disk: SimulatedDisk, _ migrations: Migrations
  ) async throws -> KinshipError? {
    let cache = try GraphCache(for: R.self)
    do {
      _ = try await cache.restore(from: "/d/x", in: disk, at: .now, Self.options(migrations))
      return nil
    } catch let error as KinshipError {
      return error
    }
  }

  @Test func `a newer version or a missing step is rejected`() async throws {
    let disk = try await Self.firstFile(.compact)
    var migrations = Migrations()
    let unknown = try await failure(First.Human.self, on: disk, migrations)
    guard case .invalidSchema(.unknownType("Draft")) = unknown else {
      Issue.record("a type was left out: \(unknown as Any)")
      return
    }
    migrations = migrations.removing("Draft")
    let missing = try await failure(Second.Human.self, on: disk, migrations)
    guard case .invalidSchema(.noMigration("Human", 1)) = missing else {
      Issue.record("a step was passed over: \(missing as Any)")
      return
    }
    migrations = migrations.renaming("Human", to: Third.Person.self)
      .step(for: Third.Person.self, from: 1, Self.toSecond)
    let half = try await failure(Third.Person.self, on: disk, migrations)
    guard case .invalidSchema(.noMigration("Person", 2)) = half else {
      Issue.record("a step was passed over: \(half as Any)")
      return
    }

    let later = try GraphCache(for: Second.Human.self)
    try await later.put(Second.Human(id: 1, given: "", surname: "", born: nil, father: nil))
    _ = try await later.snapshot(to: "/d/x", in: disk, at: .now)
    let newer = try await failure(First.Human.self, on: disk, Migrations())
    guard case .file(.newerVersion("Human", 2, 1)) = newer else {
      Issue.record("a newer version was read: \(newer as Any)")
      return
    }
  }

  @Test func `a record that cannot be migrated is named`() async throws {
    let disk = try await Self.firstFile(.compact, born: "in spring")
    let error = try await failure(Second.Human.self, on: disk, Self.forSecond)
    guard case .untranslatable("Human", let id, nil, let cause) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(id as? Int == 1)
    #expect(cause is NoYear)
    var options = Self.options(Self.forSecond)
    options.damage = .salvage
    let cache = try GraphCache(for: Second.Human.self)
    let report = try await cache.restore(from: "/d/x", in: disk, at: .now, options)
    #expect(cache.peek(Ref<Second.Human>(2)) != nil)
    #expect(report.failures.count == 2, "the record, and the number of records")
  }
}
