import KinshipTestSupport
import Testing

struct LawTests {
  /// The article names each law once, and each law has a suite with its tag.
  @Test func `every law has a suite`() throws {
    let laws = try Self.laws()
    #expect(laws.count == Set(laws).count)
    #expect(laws.count > 20)
    #expect(try Self.held(in: "Tests") == Set(laws))
  }

  /// A comment names the law that a line decides, such as `// L2: the write is newer.`.
  @Test func `each law is named where the sources decide it`() throws {
    #expect(try Self.named(in: "Sources") == Set(Self.laws()))
  }

  /// The laws of the article, in its order.
  private static func laws() throws -> [String] {
    let article = try RepositoryFile("Sources/Kinship/Kinship.docc/Laws.md")
    return article.text.matches(of: /\n- \*\*([A-Z][0-9])\*\*/).map { String($0.1) }
  }

  /// The laws that comments in a folder name.
  private static func named(in folder: String) throws -> Set<String> {
    var named: Set<String> = []
    for file in try RepositoryFile.all(in: folder, ending: [".swift"]) {
      named.formUnion(file.text.matches(of: /\/\/ ([A-Z][0-9]):/).map { String($0.1) })
    }
    return named
  }

  /// The laws that suites in a folder name as their tags.
  private static func held(in folder: String) throws -> Set<String> {
    var held: Set<String> = []
    for file in try RepositoryFile.all(in: folder) {
      for suite in file.text.matches(of: /@Suite\((.+?)\)\n/.dotMatchesNewlines()) {
        held.formUnion(suite.1.matches(of: /\.law([A-Z][0-9])/).map { String($0.1) })
      }
    }
    return held
  }
}
