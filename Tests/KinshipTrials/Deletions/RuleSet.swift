import Kinship

/// The rules of both relationships of a ``RuleNode``.
protocol RuleSet: Sendable {
  static var one: RulePair { get }
  static var many: RulePair { get }
}

/// Both rules of a relationship.
struct RulePair: Hashable, Sendable {
  let onDelete: DeleteRule
  let onTargetDelete: DeleteRule
}

/// Any rules: those of the to-one relationship, and then those of the to-many.
enum Rules<
  A: StaticRule, B: StaticRule, C: StaticRule, D: StaticRule
>: RuleSet {
  static var one: RulePair { RulePair(onDelete: A.rule, onTargetDelete: B.rule) }
  static var many: RulePair { RulePair(onDelete: C.rule, onTargetDelete: D.rule) }
}
