import Kinship
import KinshipProgram

/// Persons who answer a question.
extension FamilyTreeProgram {
  func list(_ options: Options, in archive: Archive) async throws {
    let query = try await options.question.query(in: archive.cache)
    let count = try await archive.cache.count(query)
    if count == 0 { throw Failure(status: .notFound, message: "nobody is like that") }
    if options.isPaged {
      try await writePage(of: query, count, options, in: archive)
    } else {
      try await archive.forEachPage(of: query) { try await write($0, in: archive) }
      try console.write("\(count.counted("individual"))\n")
    }
  }

  func count(
    _ question: PersonQuestion, by grouping: PersonGrouping, in archive: Archive
  ) async throws {
    let query = try await question.query(in: archive.cache)
    let counts = try await grouping.counts(of: query, in: archive.cache)
    if counts.isEmpty { throw Failure(status: .notFound, message: "nobody is like that") }
    let total = counts.map(\.count).reduce(0, +)
    let width = total.grouped.count
    let lines = counts.map { "\($0.count.grouped.aligned(to: width))  \($0.label)\n" }
    try console.write(lines.joined() + "\(total.counted("individual"))\n")
  }

  /// Writes a page that begins by its number, or where another has ended.
  private func writePage(
    of query: RecordQuery<Person>, _ count: Int, _ options: Options, in archive: Archive
  ) async throws {
    let size = options.pageSize ?? Options.defaultPageSize
    let number = options.page ?? 1
    let pages = (count - 1) / size + 1
    let page: Page<Person>
    if let cursor = options.cursor {
      do {
        page = try await archive.cache.page(query, size: size, after: cursor)
      } catch KinshipError.foreignCursor {
        throw Failure.misuse(
          "--after is of another question: --where and --sort must be those of the page before")
      }
    } else {
      // Both numbers are limited, and so is what comes of them.
      page = try await archive.cache.page(query.skipping((number - 1) * size), size: size)
    }
    if page.records.isEmpty {
      let there = "\(count.counted("individual")) on \(pages.counted("page"))"
      throw Failure(
        status: .notFound,
        message: options.cursor == nil
          ? "there is no page \(number.grouped): \(there)" : "nobody comes after that page")
    }
    try await write(page.records, in: archive)
    let place = options.cursor == nil ? "page \(number.grouped) of \(pages.grouped), " : ""
    try console.write("\(place)\(count.counted("individual"))\n")
    if page.hasMore, let end = page.end {
      try console.write("\(style.dim("next page:")) --after \(end.text)\n")
    }
  }

  func write(_ persons: [Person], in archive: Archive) async throws {
    let events = try await archive.events(of: persons)
    let line = PersonLine(style: style)
    try console.write(zip(persons, events).map { line($0, $1) + "\n" }.joined())
  }
}
