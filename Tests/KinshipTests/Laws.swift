import KinshipTestSupport
import Testing

/// The laws that suites hold: see the article of that name.
extension Tag {
  @Tag static var lawI1: Tag
  @Tag static var lawI2: Tag
  @Tag static var lawG1: Tag
  @Tag static var lawG2: Tag
  @Tag static var lawG3: Tag
  @Tag static var lawG4: Tag
  @Tag static var lawL1: Tag
  @Tag static var lawL2: Tag
  @Tag static var lawL3: Tag
  @Tag static var lawL4: Tag
  @Tag static var lawL5: Tag
  @Tag static var lawL6: Tag
  @Tag static var lawE1: Tag
  @Tag static var lawE2: Tag
  @Tag static var lawE3: Tag
  @Tag static var lawE4: Tag
  @Tag static var lawE5: Tag
  @Tag static var lawT1: Tag
  @Tag static var lawT2: Tag
  @Tag static var lawT3: Tag
  @Tag static var lawT4: Tag
  @Tag static var lawO1: Tag
  @Tag static var lawO2: Tag
  @Tag static var lawQ1: Tag
  @Tag static var lawQ2: Tag
  @Tag static var lawQ3: Tag
  @Tag static var lawQ4: Tag
  @Tag static var lawQ5: Tag
  @Tag static var lawQ6: Tag
  @Tag static var lawF1: Tag
  @Tag static var lawF2: Tag
  @Tag static var lawF3: Tag
  @Tag static var lawF4: Tag
  @Tag static var lawF5: Tag
  @Tag static var lawF6: Tag
  @Tag static var lawP1: Tag
  @Tag static var lawP2: Tag
  @Tag static var lawP3: Tag
  @Tag static var lawP4: Tag
  @Tag static var lawA1: Tag
  @Tag static var lawA2: Tag
  @Tag static var lawA3: Tag
  @Tag static var lawA4: Tag
}

struct LawTests {
  /// The article names each law once, and each has a suite that says that it holds it.
  @Test func everyLawHasASuite() throws {
    let article = try RepositoryFile("Sources/Kinship/Kinship.docc/Laws.md")
    let laws = article.text.matches(of: /\n- \*\*([A-Z][0-9])\*\*/).map { String($0.1) }
    #expect(laws.count == Set(laws).count)
    #expect(laws.count > 20)
    #expect(try Self.held(in: "Tests/KinshipTests") == Set(laws))
    #expect(try Self.held(in: "Tests/KinshipPostgreSQLTests").isSubset(of: laws))
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
