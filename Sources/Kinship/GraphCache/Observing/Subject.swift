/// The current and the last shown state of something that is observed.
protocol Subject<Value, Diff>: Sendable {
  associatedtype Value: Sendable
  associatedtype Diff: ObservedDifference

  /// The other observers whose news also concern this one.
  var related: [Observer] { get }

  /// Whether the shown value is known to be out of date.
  var isBehind: Bool { get }

  /// A short description of what it follows.
  var title: String { get }
  /// The name of the record type that it follows, if there is exactly one.
  var type: String? { get }

  /// Registers an observer, and returns what is in memory at once.
  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Value, Diff>)

  /// Applies the observer's marks, and loads what is out of date.
  ///
  /// - Returns: The change to show, or `nil` if nothing is new.
  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Diff.Record>
  ) async throws -> ObservedChange<Value, Diff>?

  /// Reloads the records that are too old.
  ///
  /// - Returns: The age of the oldest one.
  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration
}

extension Subject {
  var related: [Observer] { [] }
  var isBehind: Bool { false }
}

extension GraphCache {
  /// Loads the records that are needed before anything can be shown.
  nonisolated(nonsending) func loadUnknown<R: GraphRecord>(
    _ records: inout TrackedRecords<R.ID, R>
  ) async throws {
    if records.unknown.isEmpty { return }
    let ids = Array(records.unknown)
    let found = try await findUnrecorded(ids.map { Ref<R>($0) })
    for (id, record) in zip(ids, found) { records.resolve(id, record) }
  }

  /// Reloads the records that are too old, and returns the age of the oldest one.
  func reload<R: GraphRecord>(
    _ ids: [R.ID], of type: R.Type, _ freshness: Freshness
  ) async throws -> Duration {
    let found = try await findDatedUnrecorded(ids.map { Ref<R>($0) }, freshness)
    return found.lazy.compactMap { $0?.age }.max() ?? .zero
  }
}
