import Kinship

/// One operation of the random trial of a store.
enum StoreTestCommand: Command {
  /// A record type of the contents, in their order.
  enum Kind: Int, CaseIterable {
    case person, event, place, source, citation

    var type: any TriedRecord.Type { StoreContents.types[rawValue] }
  }

  enum Edit: Sendable {
    /// Inserts the record or updates it with random values from a seed.
    case put(Kind, Int, seed: UInt64)
    /// Deletes the record, with all records that require it.
    case delete(Kind, Int)
  }

  /// Applies changes that are based on the contents some changes ago.
  case apply([Edit], StoreContents.UpdateStyle, age: Int)
  case fetch(Kind, [Int])
  /// Filters are numbers into the filters of the type; an odd one allows the opposite of its filter
  /// instead.
  ///
  /// Terms are numbers into its orders; odd ones sort in descending order.
  case query(Kind, filters: [Int] = [], terms: [Int], offset: Int, limit: Int?)
  case referrers(StoreTestEdge, [Int])

  static let numbers = 0..<6

  static func random(using generator: inout SplitMix64) -> StoreTestCommand {
    func kind() -> Kind { Kind.allCases.randomElement(using: &generator) ?? .place }
    func number() -> Int { Int.random(in: numbers, using: &generator) }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<6:
      let edits = (0...Int.random(in: 0...4, using: &generator)).map { _ -> Edit in
        generator.chance(0.25)
          ? .delete(kind(), number()) : .put(kind(), number(), seed: generator.next())
      }
      let style = StoreContents.UpdateStyle.allCases.randomElement(using: &generator) ?? .whole
      let isStale = generator.chance(0.3)
      return .apply(edits, style, age: isStale ? Int.random(in: 1...4, using: &generator) : 0)
    case 6:
      return .fetch(kind(), numbers.shuffled(using: &generator).filter { $0 % 3 != 0 } + [99])
    case 7, 8:
      let terms = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        Int.random(in: 0..<12, using: &generator)
      }
      let limit = generator.chance(0.3) ? nil : Int.random(in: 0...5, using: &generator)
      let filters = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        Int.random(in: 0..<24, using: &generator)
      }
      return .query(
        kind(), filters: filters, terms: terms, offset: Int.random(in: 0...3, using: &generator),
        limit: limit)
    default:
      let edge = StoreTestEdge.allCases.randomElement(using: &generator) ?? .father
      return .referrers(edge, numbers.filter { _ in generator.chance(0.5) })
    }
  }

  var shrunk: [StoreTestCommand] {
    switch self {
    case .apply(let edits, let style, let age):
      edits.shrunk.map { .apply($0, style, age: age) }
        + age.shrunk.map { .apply(edits, style, age: $0) }
        + (style == .whole ? [] : [.apply(edits, .whole, age: age)])
    case .fetch(let kind, let numbers): numbers.shrunk.map { .fetch(kind, $0) }
    case .query(let kind, let filters, let terms, let offset, let limit):
      filters.shrunk.map { .query(kind, filters: $0, terms: terms, offset: offset, limit: limit) }
        + terms.shrunk.map {
          .query(kind, filters: filters, terms: $0, offset: offset, limit: limit)
        }
        + offset.shrunk.map {
          .query(kind, filters: filters, terms: terms, offset: $0, limit: limit)
        }
        + (limit == nil
          ? [] : [.query(kind, filters: filters, terms: terms, offset: offset, limit: nil)])
    case .referrers(let edge, let numbers): numbers.shrunk.map { .referrers(edge, $0) }
    }
  }
}

extension StoreTestCommand: CustomStringConvertible {
  var description: String {
    switch self {
    case .apply(let edits, let style, let age):
      let known = age == 0 ? "" : ", by what was there \(age) changes ago"
      return "apply \(edits), updates given as \(style)\(known)"
    case .fetch(let kind, let numbers): return "fetch \(kind) \(numbers)"
    case .query(let kind, let filters, let terms, let offset, let limit):
      let most = limit.map { ", at most \($0)" } ?? ""
      return "query \(kind), filters \(filters), order \(terms), from \(offset)\(most)"
    case .referrers(let edge, let numbers): return "find who refers to \(numbers) by \(edge)"
    }
  }
}

extension StoreTestCommand.Edit: CustomStringConvertible {
  var description: String {
    switch self {
    case .put(let kind, let number, let seed): "put \(kind) \(number), seed \(seed)"
    case .delete(let kind, let number): "delete \(kind) \(number)"
    }
  }
}
