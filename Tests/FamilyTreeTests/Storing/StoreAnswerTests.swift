import Kinship
import KinshipProgram
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import family_tree

/// A store gives the same answers as memory, however few records the cache holds.
@Suite(.dedicatedThreads)
struct StoreAnswerTests {
  @Test(arguments: StoreKind.allCases, [1, 7, 500, Int.max])
  func `every store answers as the sample genealogy`(in kind: StoreKind, capacity: Int) async throws
  {
    let genealogy = SampleGenealogy.make()
    try await withTemporaryPath("sample.store") { path in
      let stored = try await filledArchive(kind.location(path), genealogy, capacity: capacity)
      let plain = try Archive(genealogy)
      #expect(try await Summary(of: stored) == Summary(of: plain))
      #expect(try await stored.firstPerson() == genealogy.persons.first)
      let found = PersonQuestion(conditions: [.name(["a"])]).query
      #expect(try await stored.cache.find(found) == plain.cache.find(found))

      let tree = TextTree(style: .plain, width: 100)
      for person in try Effort().some(of: genealogy.persons.prefix(20)) {
        #expect(try await stored.cache.resolve(person.ref) == person)
        let ancestors = try await stored.pedigree(of: person.ref, generations: 100)
        let same = try await plain.pedigree(of: person.ref, generations: 100)
        #expect(tree.draw(ancestors) == tree.draw(same))
      }
      #expect(stored.cache.count <= capacity)
      try await stored.close()
    }
  }

  @Test(arguments: StoreKind.allCases, [ownAncestor, danglingParent, placesSpeltTwoWays])
  func `every store reads damaged files as memory does`(in kind: StoreKind, text: String)
    async throws
  {
    try await withTemporaryPath("odd.ged", holding: text) { file in
      let arguments = ["--ancestors", "all", "--summary"]
      let plain = await run([file] + arguments)
      let stored = await run([file, "--store", kind.argument(file + ".store")] + arguments)
      #expect(stored.status == .success)
      #expect(stored.console.output == plain.console.output)
    }
  }

  @Test(.needsRoyalFile, arguments: StoreKind.allCases)
  func `every store answers on the royal families as memory does`(in kind: StoreKind) async throws {
    try await withTemporaryPath("royal.store") { path in
      let questions = [
        ["--summary", "--person", "I609"], ["--find", "victoria"], ["--ancestors", "all"],
      ]
      var file = [RoyalFile.path]
      for question in questions {
        let plain = await run([RoyalFile.path] + question)
        for capacity in try Effort().some(of: ["100", "500", "100000"]) {
          let (status, console) = await run(
            file + ["--store", kind.argument(path), "--capacity", capacity] + question)
          #expect(status == .success)
          #expect(console.output == plain.console.output)
          // The store has the records of the file now.
          file = []
        }
      }
      let edits = "delete I1\nundo\nchanges\nshow I1"
      let stored = await shell(["--store", kind.argument(path)], edits).console.output
      #expect(stored == (await shell([RoyalFile.path], edits).console.output))
    }
  }

  /// Each page would sort all persons.
  @Test func `one query loads everyone without a store`() async throws {
    var genealogy = Genealogy()
    for number in (0..<2_000).reversed() {
      genealogy.persons.append(
        Person(id: "@I\(number)@", number: number, name: PersonName(full: "A", surname: "")))
    }
    let archive = try Archive(genealogy, Options(capacity: 1))
    var persons: [Person] = []
    try await archive.forEachPage { persons += $0 }
    #expect(persons == genealogy.persons.reversed())
    #expect(archive.cache.statistics.queries == 1)
  }
}

private let danglingParent = """
  0 HEAD
  0 @I1@ INDI
  1 NAME Ann
  1 FAMC @F1@
  1 FAMS @F9@
  0 @F1@ FAM
  1 HUSB @I9@
  1 CHIL @I1@
  1 CHIL @I8@
  0 TRLR
  """

private let placesSpeltTwoWays = """
  0 HEAD
  1 CHAR UTF-8
  0 @I1@ INDI
  1 NAME Ann
  1 BIRT
  2 PLAC K\u{F6}ln
  1 DEAT
  2 PLAC Ko\u{308}ln
  0 TRLR
  """
