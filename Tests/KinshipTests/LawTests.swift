import KinshipTestSupport
import Testing

struct LawTests {
  /// The article names each law once, and each has a suite that says that it holds it.
  @Test func everyLawHasASuite() throws {
    let article = try RepositoryFile("Sources/Kinship/Kinship.docc/Laws.md")
    let laws = article.text.matches(of: /\n- \*\*([A-Z][0-9])\*\*/).map { String($0.1) }
    #expect(laws.count == Set(laws).count)
    #expect(laws.count > 20)
    #expect(try Self.held(in: "Tests") == Set(laws))
  }

  /// The laws that suites in a folder say they hold.
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
