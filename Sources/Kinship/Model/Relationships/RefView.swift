/// How the refs to records of one type are read from what a property holds, and changed in it.
///
/// A property that may refer to records of several types is seen once for each.
protocol RefView<Stored>: Sendable {
  associatedtype Stored: Sendable
  associatedtype Target: GraphRecord

  /// Whether the property can be without any ref.
  static var canBeEmpty: Bool { get }

  static func forEachRef(in value: Stored, _ body: (Ref<Target>) -> Void)

  /// The value without the refs to some records; nil if it cannot be without such a ref.
  static func removing(_ ids: Set<Target.ID>, from value: Stored) -> Stored?

  /// The value with a ref: in place of the one that it holds, or else added to many.
  static func inserting(_ ref: Ref<Target>, into value: Stored) -> Stored
}

extension RefView {
  /// The ref at a place among those that are seen.
  static func ref(in value: Stored, at place: Int) -> Ref<Target>? {
    var (found, count): (Ref<Target>?, Int) = (nil, 0)
    forEachRef(in: value) { ref in
      if count == place { found = ref }
      count += 1
    }
    return found
  }
}

/// All refs of a property that refers to records of one type.
enum AllRefs<Value: RelationshipValue>: RefView {
  static var canBeEmpty: Bool { !(Value.self is Ref<Value.Target>.Type) }

  static func forEachRef(in value: Value, _ body: (Ref<Value.Target>) -> Void) {
    value.forEachRef(body)
  }

  static func removing(_ ids: Set<Value.Target.ID>, from value: Value) -> Value? {
    value.removing(ids)
  }

  static func inserting(_ ref: Ref<Value.Target>, into value: Value) -> Value {
    value.inserting(ref)
  }
}

/// The ref of a property that needs one, as long as it is to a record of a type.
enum RequiredChoice<Choice: RefChoice, Target: GraphRecord>: RefView {
  static var canBeEmpty: Bool { false }

  static func forEachRef(in value: Choice, _ body: (Ref<Target>) -> Void) {
    if let ref = value.as(Target.self) { body(ref) }
  }

  static func removing(_ ids: Set<Target.ID>, from value: Choice) -> Choice? {
    value.isRef(toOneOf: ids, Target.self) ? nil : value
  }

  static func inserting(_ ref: Ref<Target>, into value: Choice) -> Choice {
    Choice(AnyRef(ref)) ?? value
  }
}

/// The ref of a property that may be without, as long as it is to a record of a type.
enum OptionalChoice<Choice: RefChoice, Target: GraphRecord>: RefView {
  static var canBeEmpty: Bool { true }

  static func forEachRef(in value: Choice?, _ body: (Ref<Target>) -> Void) {
    if let ref = value?.as(Target.self) { body(ref) }
  }

  static func removing(_ ids: Set<Target.ID>, from value: Choice?) -> Choice?? {
    .some(value.flatMap { $0.isRef(toOneOf: ids, Target.self) ? nil : $0 })
  }

  static func inserting(_ ref: Ref<Target>, into value: Choice?) -> Choice? {
    Choice(AnyRef(ref)) ?? value
  }
}

/// Those of the refs of a property with many that are to records of a type.
enum ManyChoices<Choice: RefChoice, Target: GraphRecord>: RefView {
  static var canBeEmpty: Bool { true }

  static func forEachRef(in value: [Choice], _ body: (Ref<Target>) -> Void) {
    for choice in value { if let ref = choice.as(Target.self) { body(ref) } }
  }

  static func removing(_ ids: Set<Target.ID>, from value: [Choice]) -> [Choice]? {
    value.filter { !$0.isRef(toOneOf: ids, Target.self) }
  }

  static func inserting(_ ref: Ref<Target>, into value: [Choice]) -> [Choice] {
    guard let choice = Choice(AnyRef(ref)), !value.contains(choice) else { return value }
    return value + [choice]
  }
}

extension RefChoice {
  fileprivate func isRef<R: GraphRecord>(toOneOf ids: Set<R.ID>, _ type: R.Type) -> Bool {
    self.as(type).map { ids.contains($0.id) } ?? false
  }
}
