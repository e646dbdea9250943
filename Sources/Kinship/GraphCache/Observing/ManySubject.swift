/// The differences of several things that are observed together, by their positions.
public struct PartDiffs<Diff: ObservedDifference>: ObservedDifference {
  /// The records that may differ.
  public typealias Record = Diff.Record

  /// The differences of the parts that have changed.
  public let byPosition: [Int: Diff]
}

/// Several subjects of one type, as one observer follows them.
struct ManySubject<Part: Subject>: Subject {
  private var parts: [Part]
  private var observers: [Observer] = []
  private var values: [Part.Value] = []
  private var loading: Set<Int> = []

  init(_ parts: [Part]) { self.parts = parts }

  var title: String { parts.count == 1 ? parts[0].title : "\(parts.count) together" }
  var type: String? { parts.first?.type }
  var related: [Observer] { observers + parts.flatMap(\.related) }
  var isBehind: Bool { parts.contains { $0.isBehind } }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[Part.Value], PartDiffs<Part.Diff>>) {
    (observers, values, loading) = ([], [], [])
    var diffs: [Int: Part.Diff] = [:]
    for index in parts.indices {
      let (observer, change) = try await parts[index].start(in: cache)
      observers.append(observer)
      values.append(change.value)
      diffs[index] = change.diff
      if change.isLoading { loading.insert(index) }
    }
    return (cache.startObserver(.records([])), change(diffs))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Part.Diff.Record>
  ) async throws -> ObservedChange<[Part.Value], PartDiffs<Part.Diff>>? {
    var diffs: [Int: Part.Diff] = [:]
    for index in parts.indices {
      guard let change = try await parts[index].next(observers[index], comparison) else { continue }
      values[index] = change.value
      diffs[index] = change.diff
      if change.isLoading { loading.insert(index) } else { loading.remove(index) }
    }
    return diffs.isEmpty ? nil : change(diffs)
  }

  private func change(
    _ diffs: [Int: Part.Diff]
  ) -> ObservedChange<[Part.Value], PartDiffs<Part.Diff>> {
    ObservedChange(
      value: values, diff: PartDiffs(byPosition: diffs), isLoading: !loading.isEmpty)
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    var age = Duration.zero
    for part in parts { age = max(age, try await part.reload(in: cache, freshness)) }
    return age
  }
}

/// One subject for each record that matches a query, as one observer follows them.
struct EachSubject<Root: GraphRecord, Part: Subject>: Subject {
  private struct Row: Sendable {
    var subject: Part
    let observer: Observer
    var value: Part.Value
    var isLoading: Bool
  }

  private var roots: QuerySubject<Root>
  private let part: @Sendable (Ref<Root>) -> Part
  private var ids: [Root.ID] = []
  private var rows: [Root.ID: Row] = [:]

  init(of query: RecordQuery<Root>, _ part: @escaping @Sendable (Ref<Root>) -> Part) {
    roots = QuerySubject(query)
    self.part = part
  }

  var title: String { "what belongs to \(roots.title)" }
  var type: String? { roots.type }
  var related: [Observer] {
    roots.related + rows.values.flatMap { [$0.observer] + $0.subject.related }
  }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<[Part.Value], PartDiffs<Part.Diff>>) {
    let (observer, records) = try await roots.start(in: cache)
    rows = [:]
    return (observer, change(try await follow(records.value, in: cache)))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Part.Diff.Record>
  ) async throws -> ObservedChange<[Part.Value], PartDiffs<Part.Diff>>? {
    var diffs: [Root.ID: Part.Diff] = [:]
    let old = ids
    if let records = try await roots.next(observer, RecordComparison()) {
      diffs = try await follow(records.value, in: observer.cache)
    }
    for id in ids where diffs[id] == nil {
      guard var row = rows[id], let change = try await row.subject.next(row.observer, comparison)
      else { continue }
      (row.value, row.isLoading) = (change.value, change.isLoading)
      diffs[id] = change.diff
      rows[id] = row
    }
    return diffs.isEmpty && old == ids ? nil : change(diffs)
  }

  /// Follows what belongs to other records; returns the differences of those that are new.
  private nonisolated(nonsending) mutating func follow(
    _ records: ResultList<Root>, in cache: GraphCache
  ) async throws -> [Root.ID: Part.Diff] {
    ids = records.map { $0.id }
    let kept = Set(ids)
    rows = rows.filter { kept.contains($0.key) }
    var diffs: [Root.ID: Part.Diff] = [:]
    for id in ids where rows[id] == nil {
      var subject = part(Ref(id))
      let (observer, change) = try await subject.start(in: cache)
      rows[id] = Row(
        subject: subject, observer: observer, value: change.value, isLoading: change.isLoading)
      diffs[id] = change.diff
    }
    return diffs
  }

  private func change(
    _ diffs: [Root.ID: Part.Diff]
  ) -> ObservedChange<[Part.Value], PartDiffs<Part.Diff>> {
    var byPosition: [Int: Part.Diff] = [:]
    for (position, id) in ids.enumerated() { byPosition[position] = diffs[id] }
    return ObservedChange(
      value: ids.compactMap { rows[$0]?.value }, diff: PartDiffs(byPosition: byPosition),
      isLoading: rows.values.contains { $0.isLoading })
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    var age = try await roots.reload(in: cache, freshness)
    for row in rows.values { age = max(age, try await row.subject.reload(in: cache, freshness)) }
    return age
  }
}
