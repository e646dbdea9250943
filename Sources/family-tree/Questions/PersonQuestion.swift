import Kinship

/// Who is asked for, and in which order.
struct PersonQuestion: Equatable, Sendable {
  /// All of them hold.
  var conditions: [PersonCondition] = []
  /// The most important first; what it leaves equal comes in the order of the file.
  var order: [PersonOrder] = []
  /// How many persons at most.
  var limit: Int?

  func query(in cache: GraphCache) async throws -> RecordQuery<Person> {
    var query = RecordQuery<Person>()
    for condition in conditions {
      query = query.filtered(by: try await condition.filter(in: cache))
    }
    for order in order { query = order.sorting(query) }
    query = query.sorted(by: \.number)
    return limit.map(query.limited) ?? query
  }
}
