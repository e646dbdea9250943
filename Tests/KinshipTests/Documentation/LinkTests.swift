import KinshipTestSupport
import Testing

/// Every link to a file, a heading or an address has a target.
struct LinkTests {
  @Test func `every link has a valid target`() throws {
    let folders = [".github", "Sources", "Tests", "Benchmarks/Sources"]
    let files = try folders.flatMap {
      try RepositoryFile.all(in: $0, ending: [".md", ".tutorial", ".swift"])
    }
    var count = 0
    for file in try [RepositoryFile("README.md")] + files {
      for link in DocumentLink.all(in: file) {
        count += 1
        let fault = link.fault(in: file)
        #expect(fault == nil, "\(file.path):\(link.line): \(fault ?? "")")
      }
    }
    #expect(count > 10, "the search for links finds too few")
  }

  @Test func `links are found in articles and comments`() {
    let article = RepositoryFile(
      path: "A.md",
      text: "[a](A.md) and\n![b](b.svg \"B\") <https://c.de/f>\n```sh\n[d](d)\n```\n<doc:E>\n")
    #expect(DocumentLink.all(in: article).map(\.target) == ["A.md", "b.svg", "https://c.de/f"])
    #expect(DocumentLink.all(in: article).map(\.line) == [1, 2, 2])
    let source = RepositoryFile(
      path: "A.swift", text: "let a = f[0](b)\n  /// [b](c)\n  // http://d.ef\n")
    #expect(DocumentLink.all(in: source).map(\.target) == ["c", "http://d.ef"])
  }

  @Test(arguments: [
    ("README.md", true), ("#a-heading", true), ("LICENSE", true),
    ("Sources/../README.md#try-it", true), ("https://swift.org/documentation", true),
    ("READYOU.md", false), ("#another", false), ("README.md#read-off", false),
    ("http://swift.org", false), ("https://swift", false), ("https:///a", false),
    ("https://sw ift.org", false), ("ftp://swift.org", false),
  ]) func `a broken link is found`(target: String, isSound: Bool) {
    let file = RepositoryFile(path: "A.md", text: "# A\n## A heading\n")
    #expect((DocumentLink(target: target, line: 1).fault(in: file) == nil) == isSound)
  }
}
