internal import Kinship

/// An index of the records of a type, which commits update.
protocol RecordIndex<Indexed>: Sendable {
  associatedtype Indexed: GraphRecord

  /// Collects records with distinct ids during construction.
  mutating func add(_ records: [Indexed])

  /// Builds the index from the collected records, before its first use.
  ///
  /// - Complexity: O(*n* log *n*) in the records.
  mutating func finish()

  /// Adds a record, or replaces the one with the same id.
  mutating func put(_ record: Indexed)

  /// Removes a record, if it is there.
  mutating func remove(_ id: Indexed.ID)
}

/// The purpose of an index.
enum IndexKey: Hashable, Sendable {
  /// The order by some properties.
  case order([Term])
  /// The referrers by a relationship.
  case referrers(any AnyKeyPath & Sendable, to: any GraphRecord.Type)
  /// The indexes that the type declares.
  case declared

  /// A property to sort by.
  struct Term: Hashable, Sendable {
    let property: any AnyKeyPath & Sendable
    let isAscending: Bool
    let hasNilsFirst: Bool

    static func == (left: Term, right: Term) -> Bool {
      left.isAscending == right.isAscending && left.hasNilsFirst == right.hasNilsFirst
        && left.property as AnyKeyPath == right.property
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(property as AnyKeyPath)
      hasher.combine(isAscending)
      hasher.combine(hasNilsFirst)
    }
  }

  /// The order by some terms.
  static func order<R: GraphRecord>(_ terms: [SortTerm<R>]) -> IndexKey {
    .order(
      terms.map {
        Term(
          property: $0.property, isAscending: $0.direction == .ascending,
          hasNilsFirst: $0.nils == .first)
      })
  }

  static func == (left: IndexKey, right: IndexKey) -> Bool {
    switch (left, right) {
    case (.order(let left), .order(let right)): left == right
    case (.referrers(let left, let leftTarget), .referrers(let right, let rightTarget)):
      left as AnyKeyPath == right && leftTarget == rightTarget
    case (.declared, .declared): true
    case (.order, _), (.referrers, _), (.declared, _): false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .order(let terms): hasher.combine(terms)
    case .referrers(let path, let target):
      hasher.combine(path as AnyKeyPath)
      hasher.combine(ObjectIdentifier(target))
    case .declared: hasher.combine(0)
    }
  }
}
