import Kinship

/// A delete rule as a type, so that generic parameters choose the rules of a record type.
protocol StaticRule: Sendable {
  static var rule: DeleteRule { get }
}

/// The four rules.
enum StaticRules {
  enum Nullify: StaticRule { static var rule: DeleteRule { .nullify } }
  enum Cascade: StaticRule { static var rule: DeleteRule { .cascade } }
  enum Deny: StaticRule { static var rule: DeleteRule { .deny } }
  enum None: StaticRule { static var rule: DeleteRule { .none } }

  static let all: [any StaticRule.Type] = [Nullify.self, Cascade.self, Deny.self, None.self]
}
