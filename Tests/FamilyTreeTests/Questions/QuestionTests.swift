import Foundation
import Kinship
import KinshipTesting
import KinshipProgram
import KinshipTestTraits
import Testing

@testable import family_tree

/// Memory and every store give the same answer to a question.
@Suite(.dedicatedThreads)
struct QuestionTests {
  /// A genealogy in memory and in stores of every kind, which are closed afterwards.
  private func withArchives(
    of genealogy: Genealogy, capacity: Int, _ body: ([Archive]) async throws -> Void
  ) async throws {
    try await withTemporaryPath("asked") { path in
      var archives = [try Archive(genealogy)]
      for kind in StoreKind.allCases {
        archives.append(
          try await filledArchive(
            kind.location("\(path).\(kind)"), genealogy, capacity: capacity))
      }
      try await body(archives)
      for archive in archives { try await archive.close() }
    }
  }

  private func output(
    of archive: Archive, _ set: (inout Options) -> Void
  ) async -> (text: String, failure: Failure?) {
    let console = RecordedConsole()
    let program = FamilyTreeProgram(console: console)
    var options = Options()
    set(&options)
    do {
      if options.listsPersons {
        try await program.list(options.question, options, in: archive)
      }
      return (console.output, nil)
    } catch {
      return (console.output, error as? Failure)
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>, [2, 10_000])
  func `random questions are answered as by a search`(seed: UInt64, capacity: Int) async throws {
    let asked = AskedGenealogy(seed: seed)
    var random = SplitMix64(seed: seed &+ UInt64(capacity))
    let count = try Effort().operations(60)
    let questions = (0..<count).map { _ in PersonQuestion.random(using: &random) }
    try await withArchives(of: asked.genealogy, capacity: capacity) { archives in
      for question in questions {
        let answer = asked.answer(to: question)
        for archive in archives {
          let query = question.query
          #expect(try await archive.cache.find(query.count) == answer.count, "\(question)")
          var found: [Person] = []
          try await archive.forEachPage(of: query) { found += $0 }
          #expect(found.map(\.id) == answer.map(\.id), "\(question)")
        }
      }
    }
  }

  @Test(arguments: [3, 20, 10_000])
  func `pages add up to the answer`(size: Int) async throws {
    let asked = AskedGenealogy(seed: 9)
    var question = PersonQuestion(conditions: [.born(1_700...1_900)])
    question.order = [
      PersonOrder(key: .surname), PersonOrder(key: .born, isDescending: true),
    ]
    let answer = asked.answer(to: question)
    try #require(answer.count > 20)
    try await withArchives(of: asked.genealogy, capacity: 50) { archives in
      for archive in archives {
        var cursor: PageCursor<Person>?
        var lines: [String] = []
        repeat {
          let page = await output(of: archive) {
            $0.question = question
            ($0.pageSize, $0.cursor) = (size, cursor)
          }
          let (persons, rest) = try split(page.text)
          #expect(persons.count == min(size, answer.count - lines.count))
          #expect(rest.hasPrefix("\(persons.count.grouped) of \(answer.count) individuals"))
          lines += persons
          cursor = rest.components(separatedBy: " --after ").dropFirst().first.flatMap {
            PageCursor(text: $0.trimmingCharacters(in: .newlines))
          }
        } while cursor != nil
        #expect(lines.map { $0.split(separator: " ").last.map(String.init) } == answer.map(\.id))
      }
    }
  }

  /// The persons of a page, one for each line, and the text below them.
  private func split(_ page: String) throws -> (persons: [String], rest: String) {
    let lines = page.split(separator: "\n").map(String.init)
    let persons = lines.prefix { $0.hasSuffix("@") }
    return (Array(persons), lines.dropFirst(persons.count).joined(separator: "\n"))
  }

  @Test func `a page belongs to its question`() async throws {
    let first = await run("--where", "born=..1700", "--page-size", "2").console.output
    let cursor = try #require(first.components(separatedBy: "--after ").last)
      .trimmingCharacters(in: .newlines)
    let next = await run("--where", "born=..1700", "--after", cursor, "--page-size=3")
    #expect(next.status == .success)
    for other in [["--sort", "born"], ["--where", "born=1700..1800"]] {
      let (status, console) = await run(other + ["--after", cursor])
      #expect(status == .usage)
      #expect(console.complaints.first?.contains("--after belongs to another question") == true)
      #expect(console.output == "")
    }
  }

  @Test func `questions are answered in a small family`() async throws {
    try await withTemporaryPath("small.ged", holding: smallFamily) { file in
      for store in [[]] + StoreKind.allCases.map({ ["--store", $0.argument("\(file).\($0)")] }) {
        func answer(_ arguments: String...) async -> String {
          let (status, console) = await run([file] + store + arguments)
          #expect(status == .success)
          return console.output
        }
        #expect(
          await answer("--where", "name=LÉE", "--where", "name=zo") == """
            Zoë Lee (d. bef. 1850) @I6@
            1 individual

            """)
        #expect(
          await answer("--where", "born=..1902", "--sort", "-born") == """
            Ann Lee (1902–1980) @I1@
            John Lee (b. c. 1870) @I2@
            2 individuals

            """)
        #expect(await answer("--where=place=LEEDS") == "Ann Lee (1902–1980) @I1@\n1 individual\n")
        #expect(
          await answer("--sort", "-name", "--page-size", "6") == """
            Zoë Lee (d. bef. 1850) @I6@
            Owen Lee @I5@
            Mary Lee @I3@
            John Lee (b. c. 1870) @I2@
            Hugh Lee @I4@
            Ann Lee (1902–1980) @I1@
            6 of 6 individuals

            """)
        for nobody in [["--where", "name=Lex"], ["--find", "zack"]] {
          let (status, console) = await run([file] + store + nobody)
          #expect(status == .notFound)
          #expect(
            console.complaints.last
              == "family-tree: error: No person fulfils all conditions. Leave one out, or try "
              + "other words."
          )
        }
      }
    }
  }

  @Test(.needsRoyalFile) func `every store answers questions on the royal families`() async throws {
    let questions = [
      ["--where", "place=berlin", "--sort", "-born"],
      ["--where", "name=hanover", "--sort", "born", "--page-size", "5"],
      ["--where", "born=..1400", "--sort", "name,-born"], ["--find", "of france"],
    ]
    try await withTemporaryPath("royal") { path in
      for question in try Effort().some(of: questions) {
        let plain = await run([RoyalFile.path] + question)
        #expect(plain.status == .success)
        for kind in StoreKind.allCases {
          let store = ["--store", kind.argument("\(path).\(kind)")]
          #expect(
            await run([RoyalFile.path] + store + question).console.output
              == plain.console.output)
        }
      }
    }
  }
}
