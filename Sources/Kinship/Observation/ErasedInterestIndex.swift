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

  /// Marks records for those who observe them; returns who had no mark before.
  func noteErased(
    _ ids: IDs, _ event: RecordEvent, _ map: borrowing IdentityMap
  ) -> [ObserverRegistry.ObserverID]

  /// Marks every record as unknown for those who observe it; returns who had no mark before.
  func noteAll() -> [ObserverRegistry.ObserverID]

  /// Takes an observer's marks, with refs as their keys.
  func takeErased(_ observer: ObserverRegistry.ObserverID) -> Marks<AnyRef, any GraphRecord>

  /// Forgets an observer's marks.
  func dropMarks(of observer: ObserverRegistry.ObserverID)

  /// Whether there is anything that an observer has not heard of.
  func hasMarks(_ observer: ObserverRegistry.ObserverID) -> Bool

  func audit(known: Set<ObserverRegistry.ObserverID>) -> [String]
}
