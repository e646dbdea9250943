import Kinship
import KinshipProgram

/// Lists of persons.
extension FamilyTreeProgram {
  func list(
    _ question: PersonQuestion, _ options: Options = Options(), in archive: Archive
  ) async throws {
    let query = question.query
    let count = try await archive.cache.count(query)
    if count == 0 { throw Failure(status: .notFound, message: "nobody is like that") }
    guard options.isPaged else {
      try await archive.forEachPage(of: query) { try await write($0, in: archive) }
      return try console.write("\(count.counted("individual"))\n")
    }
    let page: Page<Person>
    do {
      let size = options.pageSize ?? Options.defaultPageSize
      page = try await archive.cache.page(query, size: size, after: options.cursor)
    } catch KinshipError.foreignCursor {
      throw Failure.misuse(
        "--after is of another question: --where and --sort must be those of the page before")
    }
    if page.records.isEmpty {
      throw Failure(status: .notFound, message: "nobody comes after that page")
    }
    try await write(page.records, in: archive)
    try console.write("\(page.records.count.grouped) of \(count.counted("individual"))\n")
    if page.hasMore, let end = page.end {
      try console.write("\(style.dim("next page:")) --after \(end.text)\n")
    }
  }

  private func write(_ persons: [Person], in archive: Archive) async throws {
    let events = try await archive.events(of: persons)
    let line = PersonLine(style: style)
    try console.write(zip(persons, events).map { line($0, $1) + "\n" }.joined())
  }
}
