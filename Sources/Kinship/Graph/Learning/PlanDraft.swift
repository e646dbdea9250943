/// A relationship as a plan follows it: in its direction, or against it.
struct PlanStep: Hashable, Comparable, Sendable {
  let edge: EdgeID
  var isBackward = false

  static func < (left: PlanStep, right: PlanStep) -> Bool {
    left.isBackward == right.isBackward ? left.edge < right.edge : right.isBackward
  }
}

/// The depth to which relationships are followed, in addition to the rules of another plan.
struct PlanDraft: Sendable {
  let root: TypeNumber
  var rules = PlanRules()
  var depths: [PlanStep: Int] = [:]

  /// Adds relationships; returns whether the plan leads farther now.
  mutating func widen(by steps: [PlanStep: Int]) -> Bool {
    var isWider = false
    for (step, depth) in steps where depth > depths[step] ?? 0 {
      depths[step] = depth
      isWider = true
    }
    return isWider
  }

  /// The rules of a plan for any cache with these types.
  func finished(_ schema: GraphSchema) -> PlanRules {
    var rules = rules
    for (step, generations) in depths.sorted(by: { $0.key < $1.key }) where generations > 0 {
      let edge = schema[step.edge]
      let source = schema.type(step.edge.source)
      if step.isBackward {
        let target = schema.type(edge.target)
        rules.backward.append(
          PlanRules.Backward(
            edges: { schema throws(KinshipError) in
              let source = try schema.requiredNumber(of: source)
              let target = try schema.requiredNumber(of: target)
              return [try schema.edge(of: source, edge.keyPath, to: target)]
            }, generations: generations))
      } else {
        rules.forward.append(
          PlanRules.Forward(source: source, keyPath: edge.keyPath, generations: generations))
      }
    }
    return rules
  }

  /// Returns the plan as Swift source, on several lines if it is long.
  ///
  /// Rules that say the same of one relationship are written once.
  func source(_ schema: GraphSchema) -> String {
    let rules = finished(schema)
    let root = schema.type(root)
    let steps = Self.steps(rules, schema)
    var parts: [String] = []
    if rules.allGenerations > 0 || steps.first?.start != SwiftName.of(root) {
      parts.append(".generations(\(rules.allGenerations))")
    }
    var rest = steps[...]
    while let step = rest.first {
      let same = rest.prefix {
        $0.joins && $0.start == step.start && $0.generations == step.generations
      }
      let group = step.joins ? same : rest.prefix(1)
      rest = rest.dropFirst(group.count)
      let paths = group.map { $0.path(from: SwiftName.of(root)) }.joined(separator: ", ")
      let depth = step.generations == .max ? "" : ", generations: \(step.generations)"
      parts.append(".following(\(paths)\(depth))")
    }
    if rules.budget < .max { parts.append(".limited(to: \(rules.budget))") }
    let line = "Plan<\(SwiftName.of(root))>" + parts.joined()
    if line.count <= 90 { return line }
    return "Plan<\(SwiftName.of(root))>\(parts[0])"
      + parts.dropFirst().map { "\n  \($0)" }.joined()
  }

  /// Returns the followed relationships with their depths, those of the root's type first.
  private static func steps(_ rules: PlanRules, _ schema: GraphSchema) -> [WrittenStep] {
    var depths: [PlanStep: Int] = [:]
    func follow(_ edge: GraphSchema.Edge, isBackward: Bool, _ generations: Int) {
      let step = PlanStep(edge: edge.id, isBackward: isBackward)
      depths[step] = max(depths[step] ?? 0, generations)
    }
    for rule in rules.forward where rule.generations > rules.allGenerations {
      guard let source = schema.number(of: rule.source) else { continue }
      for edge in schema.relationships[source] where edge.keyPath == rule.keyPath {
        follow(edge, isBackward: false, rule.generations)
      }
    }
    for rule in rules.backward where rule.generations > 0 {
      for edge in (try? rule.edges(schema)) ?? [] {
        follow(edge, isBackward: true, rule.generations)
      }
    }
    var written: [WrittenStep] = []
    for (step, generations) in depths.sorted(by: { $0.key < $1.key }) {
      let next = WrittenStep(step, generations, schema)
      // A property that refers to records of several types is several relationships.
      if !written.contains(next) { written.append(next) }
    }
    return written
  }
}

/// A step of a plan, as Swift source.
private struct WrittenStep: Equatable {
  /// The type of the records that it starts from.
  let start: String
  /// The type whose relationship it follows against its direction, if it does.
  let inverse: String?
  let property: String
  let generations: Int

  init(_ step: PlanStep, _ generations: Int, _ schema: GraphSchema) {
    let source = SwiftName.of(schema.type(step.edge.source))
    start = step.isBackward ? SwiftName.of(schema.type(schema[step.edge].target)) : source
    inverse = step.isBackward ? source : nil
    property = SwiftName.ofPath(schema[step.edge].name)
    self.generations = generations
  }

  /// Whether several of them are written as one.
  var joins: Bool { inverse == nil }

  func path(from root: String) -> String {
    if let inverse { return "Inverse<\(start), \(inverse)>(\\.\(property))" }
    return start == root ? "\\.\(property)" : "\\\(start).\(property)"
  }
}
