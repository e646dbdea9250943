#if PostgreSQL && SQLite
  import Foundation
  import Kinship
  import KinshipTestSupport

  /// A server with the app's records: it lists them, all or by a property, and makes changes.
  final class BookServer: Sendable {
    private typealias Response = LoopbackServer.Response

    private final class Shelf: Sendable {
      let records = Lock<(authors: [Int: Author], books: [Int: Book])>(([:], [:]))
    }

    let server: LoopbackServer

    init() throws {
      let shelf = Shelf()
      server = try LoopbackServer { request in
        do {
          return try shelf.records.withLock { records in
            let path = request.path.split(separator: "/").map(String.init)
            return switch path[0] {
            case "Author": try Self.list(records.authors, path)
            case "Book": try Self.list(records.books, path, by: \.author?.id)
            default: try Self.apply(request.body, to: &records)
            }
          }
        } catch {
          return Response(status: 500, body: Data("\(error)".utf8))
        }
      }
    }

    /// Answers with all records, or with those that a path such as `Book/author/[1, 2]` wants.
    private static func list<R: GraphRecord & Codable>(
      _ records: [Int: R], _ path: [String], by property: (R) -> Int? = { _ in nil }
    ) throws -> Response where R.ID == Int {
      let numbers = path.last.map { $0.split { !$0.isNumber }.compactMap { Int($0) } } ?? []
      let found = records.values.filter { record in
        switch path[1] {
        case "all": true
        case "id": numbers.contains(record.id)
        default: property(record).map { numbers.contains($0) } ?? false
        }
      }
      return Response(body: try JSONEncoder().encode(found))
    }

    private static func apply(
      _ body: Data, to records: inout (authors: [Int: Author], books: [Int: Book])
    ) throws -> Response {
      let decoder = JSONDecoder()
      decoder.userInfo[.kinshipSchema] = try GraphSchema(Author.self, Book.self)
      let changes = try decoder.decode(ChangeSet.self, from: body)
      try apply(changes, to: &records.authors)
      try apply(changes, to: &records.books)
      return Response()
    }

    private static func apply<R: GraphRecord>(
      _ changes: ChangeSet, to records: inout [Int: R]
    ) throws where R.ID == Int {
      for record in changes.inserted(R.self) { records[record.id] = record }
      for change in changes.updated(R.self) {
        guard let stored = records[change.ref.id] else {
          throw KinshipError.conflict(AnyRef(change.ref), mine: nil, theirs: nil)
        }
        records[stored.id] = try change.applied(to: stored)
      }
      for record in changes.deleted(R.self) { records[record.id] = nil }
    }
  }
#endif
