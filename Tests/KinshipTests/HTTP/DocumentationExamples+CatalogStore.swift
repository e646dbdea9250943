import Foundation
import Kinship
import KinshipFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The example of the article: all that a store over HTTP needs, of 120 lines at most.
struct CatalogStore: HTTPStore {
  let base: URL
  let source: HTTPSource
  let tokens = PageTokens<String>()

  /// The form of every answer: the records, others that they refer to, and a token for more.
  struct Answer: Decodable, Sendable {
    var albums: [Album]?
    var artists: [Artist]?
    var next: String?

    func records<R: GraphRecord>(_ type: R.Type) throws -> [R] {
      let records: Any? = type is Album.Type ? albums : artists
      guard let records = records as? [R] else {
        throw KinshipError.invalidSchema(.unknownType(R.recordName))
      }
      return records
    }
  }

  // MARK: Reading

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await get(type, ["ids": list(ids)]).records(type)
  }

  func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    let relationships = plan.relationships(of: type).map(\.relationship.name)
    if relationships.isEmpty { return nil }
    let answer = try await get(type, ["ids": list(ids), "include": list(relationships)])
    var graph = FetchedGraph(try answer.records(type))
    if R.self != Artist.self { graph.add(answer.artists ?? []) }
    return graph
  }

  func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
    query.support(filters: { text($0) != nil })
  }

  func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    let order = query.order.map { $0.direction == .ascending ? $0.name : "-\($0.name)" }
    let items = ["filter": text(query.filter.condition) ?? "", "sort": list(order)]
    return try await tokens.records(of: query) { token in
      let answer = try await get(R.self, items.merging(["token": token ?? ""]) { $1 })
      return (try answer.records(R.self), answer.next)
    }
  }

  /// A condition in the language of the API; `nil` if it has none for it.
  private func text(_ condition: FilterCondition) -> String? {
    switch condition {
    case .constant(true): ""
    case .compare(let property, .equal, let value):
      "\(property.name)=\(FilterCondition.stored(value))"
    default: nil
    }
  }

  private func list(_ values: [some Any]) -> String {
    values.map { "\($0)" }.joined(separator: ",")
  }

  private func get<R: GraphRecord>(
    _ type: R.Type, _ items: [String: String]
  ) async throws -> Answer {
    let url = base.appending(path: "\(R.recordName.lowercased())s").appending(
      queryItems: items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0, value: $1) })
    return try await source.answer(to: URLRequest(url: url, timeoutInterval: 10)) { data in
      try JSONDecoder().decode(Answer.self, from: data)
    }
  }

  // MARK: Writing

  func apply(_ changes: ChangeSet) async throws {
    var request = URLRequest(url: base.appending(path: "changes"), timeoutInterval: 10)
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(changes)
    // The server makes a change once, however often it is sent.
    request.setValue(changes.key?.description, forHTTPHeaderField: "Idempotency-Key")
    do {
      try await source.send(request)
    } catch HTTPFailure.status(let url, 409, let body) {
      // The body says which of the changes is in conflict.
      let index = Int(String(decoding: body, as: UTF8.self)) ?? -1
      guard changes.refs.indices.contains(index) else {
        throw HTTPFailure.status(url, 409, body: body)
      }
      throw KinshipError.conflict(changes.refs[index], mine: nil, theirs: nil)
    }
  }
}
