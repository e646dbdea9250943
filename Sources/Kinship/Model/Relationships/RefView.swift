/// Reads the refs to records of one type from a property's value, and changes them in it.
///
/// A property that may refer to records of several types has one view for each.
protocol RefView<Stored>: Sendable {
  associatedtype Stored: Sendable
  associatedtype Target: GraphRecord

  /// Whether the property can be without any ref.
  static var canBeEmpty: Bool { get }

  static func forEachRef(in value: Stored, _ body: (Ref<Target>) -> Void)

  /// Returns the value without the refs to some records; `nil` if it requires such a ref.
  static func removing(_ ids: Set<Target.ID>, from value: Stored) -> Stored?

  /// Returns the value with a ref: instead of the one that it holds, or added to several.
  static func inserting(_ ref: Ref<Target>, into value: Stored) -> Stored
}

extension RefView {
  /// Returns the ref at a place among those of the view.
  static func ref(in value: Stored, at place: Int) -> Ref<Target>? {
    if Stored.self == [Ref<Target>].self {
      return identical(value, as: [Ref<Target>].self)[place]
    }
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

/// The view of a property that requires a ref, for refs to one type.
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

/// The view of a property with an optional ref, for refs to one type.
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

/// The view of a property with many refs, for refs to one type.
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
