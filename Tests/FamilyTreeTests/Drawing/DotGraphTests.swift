import Kinship
import Testing

@testable import family_tree

struct DotGraphTests {
  @Test func eachPersonOnceAndAnEdgeToEachParent() async throws {
    let (genealogy, _) = try read(smallFamily)
    let tree = try await Archive(genealogy).pedigree(of: "@I1@", generations: 9)
    let lines = DotGraph(tree: tree).dot(title: "A \"title\"\\").split(separator: "\n")
    #expect(lines[1].contains(#"label="A \"title\"\\""#))
    #expect(lines.count { $0.contains("[label=\"Zoë Lee\\nd. bef. 1850\"") } == 1)
    #expect(
      lines.filter { $0.contains("->") } == [
        "  \"@I1@\" -> \"@I2@\";", "  \"@I1@\" -> \"@I3@\";", "  \"@I2@\" -> \"@I4@\";",
        "  \"@I3@\" -> \"@I5@\";", "  \"@I4@\" -> \"@I6@\";", "  \"@I5@\" -> \"@I6@\";",
      ])
    #expect(lines.last == "}")
  }
}
