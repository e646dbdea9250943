/// An interest index whose record type is known by number only.
///
/// Ids are arrays of the type.
protocol ErasedInterestIndex: AnyObject {
  /// Whether nobody observes a record of the type, or the type.
  var isIdle: Bool { get }

  func add(_ observer: ObserverRegistry.ObserverID, to ids: IDs)
  func remove(_ observer: ObserverRegistry.ObserverID, from ids: IDs)
  /// Lets an observer follow all records, with a `TypeObservation` of the type if there is one.
  func addToType(_ observer: ObserverRegistry.ObserverID, _ observation: (any Sendable)?)
  func removeFromType(_ observer: ObserverRegistry.ObserverID)
  /// Lets an observer follow the records of a graph that are of the type.
  func addGraph(_ observer: ObserverRegistry.ObserverID, _ column: any ErasedGraphColumn)
  func removeGraph(_ observer: ObserverRegistry.ObserverID)
  func addQuery(_ observer: ObserverRegistry.ObserverID, _ test: PageTest)
  func removeQuery(_ observer: ObserverRegistry.ObserverID)
  /// Returns the answer that an observer of a query follows; `nil` if it does not know one.
  func captureAnswer(
    _ observer: ObserverRegistry.ObserverID, of type: TypeNumber, _ key: String
  ) -> CapturedAnswer?
  /// Gives an observer of a query the answer of a snapshot; until it follows, loads are no news.
  func restore(_ answer: CapturedAnswer, for observer: ObserverRegistry.ObserverID)
  /// Lets the observer of a restored answer follow it.
  func follow(_ observer: ObserverRegistry.ObserverID)
  /// Adds records to those that an observer of a view follows.
  func changeView(of observer: ObserverRegistry.ObserverID, adding ids: IDs)
  /// Removes records from those that an observer of a view follows.
  func changeView(of observer: ObserverRegistry.ObserverID, removing ids: IDs)
  func removeView(_ observer: ObserverRegistry.ObserverID)

  /// Marks records for their observers; returns the observers that had no mark before.
  func noteErased(
    _ ids: IDs, _ event: RecordEvent, _ map: borrowing IdentityMap
  ) -> [ObserverRegistry.ObserverID]

  /// Marks every record as unknown for its observers; returns the observers that had no mark
  /// before.
  func noteAll() -> [ObserverRegistry.ObserverID]

  /// Takes an observer's marks, with refs as their keys.
  func takeErased(_ observer: ObserverRegistry.ObserverID) -> Marks<AnyRef, any GraphRecord>

  /// Drops an observer's marks.
  func dropMarks(of observer: ObserverRegistry.ObserverID)

  /// Returns whether an observer has any marks.
  func hasMarks(_ observer: ObserverRegistry.ObserverID) -> Bool

  func audit(known: Set<ObserverRegistry.ObserverID>) -> [String]
}
