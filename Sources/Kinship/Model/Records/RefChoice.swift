/// A ref to a record of one of several types.
///
/// ``OneOf`` is one of two types. For more of them, or to give them names, conform an enum:
///
/// ```swift
/// enum Subject: RefChoice, Codable {
///   case person(Ref<Person>)
///   case event(Ref<Event>)
///   case place(Ref<Place>)
///
///   static let recordTypes: [any GraphRecord.Type] = [Person.self, Event.self, Place.self]
///
///   init?(_ ref: AnyRef) {
///     if let ref = ref.as(Person.self) {
///       self = .person(ref)
///     } else if let ref = ref.as(Event.self) {
///       self = .event(ref)
///     } else if let ref = ref.as(Place.self) {
///       self = .place(ref)
///     } else {
///       return nil
///     }
///   }
///
///   var ref: AnyRef {
///     switch self {
///     case .person(let ref): AnyRef(ref)
///     case .event(let ref): AnyRef(ref)
///     case .place(let ref): AnyRef(ref)
///     }
///   }
/// }
/// ```
///
/// A property that holds one is declared by `toOneOf`, and one that holds an array of them by
/// `toManyOf`: it is a relationship to each of the types. If it is `Codable`, it is encoded as the
/// name of the type and the id.
public protocol RefChoice: FollowedValue, Hashable {
  /// The possible types, each once.
  ///
  /// Refs to records of other types lead nowhere, so the list must name every type that ``ref`` can
  /// have.
  static var recordTypes: [any GraphRecord.Type] { get }

  /// The ref, if it can be chosen.
  ///
  /// - Parameter ref: The ref, of any type.
  init?(_ ref: AnyRef)

  /// The ref of any type.
  var ref: AnyRef { get }
}

extension RefChoice {
  /// Returns the ref if it names a record of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The ref, or `nil` if it is of another type.
  public func `as`<R: GraphRecord>(_ type: R.Type) -> Ref<R>? { ref.as(type) }
}
