import Kinship
import KinshipMemoryPressure
import KinshipTestSupport

extension CacheBesideModel {
  /// Gives a command to both and compares their answers.
  mutating func perform(_ command: CacheCommand) async throws {
    model.removals = []
    switch command {
    case .put(let key, _), .updateProperty(let key, _),
      .updateClosure(let key, _), .updateThatThrows(let key), .remove(let key), .read(let key),
      .readInPlace(let key),
      .find(let key), .resolve(let key), .evict(let key), .invalidate(let key),
      .related(let key, _), .graph(let key, _), .graphWithin(let key, _, _),
      .expand(_, let key, _, _), .store(let key, _):
      switch key.kind {
      case .author: try await perform(command, on: key, Author<ID>.self)
      case .work: try await perform(command, on: key, Work<ID>.self)
      }
    case .putMany(let kind, let numbers, _), .readMany(let kind, let numbers),
      .reduce(let kind, let numbers),
      .findMany(let kind, let numbers), .resolveMany(let kind, let numbers),
      .findWithin(let kind, let numbers, _), .refresh(let kind, let numbers),
      .graphs(let kind, let numbers, _, _), .lease(let kind, let numbers):
      switch kind {
      case .author: try await perform(command, on: numbers, Author<ID>.self)
      case .work: try await perform(command, on: numbers, Work<ID>.self)
      }
    case .query(let kind, let descending, let offset, let limit, let isPassing):
      switch kind {
      case .author: try await query(Author<ID>.self, descending, offset, limit, isPassing)
      case .work: try await query(Work<ID>.self, descending, offset, limit, isPassing)
      }
    case .queryWithin(let kind, let descending, let limit, let age):
      switch kind {
      case .author: try await queryFresh(Author<ID>.self, descending, limit, age)
      case .work: try await queryFresh(Work<ID>.self, descending, limit, age)
      }
    case .advance(let tenths):
      clock.advance(by: .milliseconds(tenths * 100))
      model.now += tenths
    case .removeAll:
      await cache.removeAll()
      model.removeAll()
    case .trim(let count):
      await cache.trim(to: count)
      model.trim(to: count)
    case .pressure(let level):
      await cache.trim(under: PressureLevels(level))
      model.trim(under: level)
    case .write(let write): try await self.write(write)
    case .leaseGraph(let index): leaseGraph(index)
    case .endLease(let index): endLease(index)
    case .capture: await beginCapture()
    case .readCapture(let limit): try readCapture(limit)
    case .endCapture: try endCapture()
    case .restore: try await restore()
    case .listen(let isOn): listen(isOn)
    }
  }

  private mutating func perform<R: LibraryRecord>(
    _ command: CacheCommand, on numbers: [Int], _ type: R.Type
  ) async throws {
    let keys = numbers.map { Key(R.kind, $0) }
    let refs = numbers.map { R.ref($0) }
    switch command {
    case .putMany(_, _, let entry):
      let entries = numbers.indices.map { Entry(value: $0, cost: entry.cost, one: entry.one) }
      try await cache.put(contentsOf: zip(numbers, entries).map { R($0, $1) })
      for (key, entry) in zip(keys, entries) { model.put(key, entry) }
    case .readMany:
      let read = await cache.records(for: refs)
      try verifyEqual(read, records(keys, keys.map { model.read($0) }), "the records")
    case .reduce:
      let values = await cache.reduce(refs, into: []) { $0.append($1.value) }
      try verifyEqual(values, keys.compactMap { model.read($0)?.value }, "the values")
    case .findMany:
      let found = try await cache.find(refs)
      try verifyEqual(found, records(keys, model.find(keys)), "what was found")
    case .findWithin(_, _, let limit):
      let age = Duration.milliseconds(limit * 100)
      let found =
        refs.count == 1
        ? [try await cache.find(refs[0], .within(age))] : try await cache.find(refs, .within(age))
      try verifyEqual(
        found, records(keys, model.find(keys, since: model.now - limit)), "what was found fresh")
    case .refresh:
      let found = try await cache.refresh(refs)
      try verifyEqual(found, records(keys, model.find(keys, since: .max)), "what was refreshed")
    case .resolveMany:
      let answer = await outcome { try await self.cache.resolve(refs) }
      try verifyEqual(answer, resolved(keys, model.find(keys)), "what was resolved")
    case .graphs(_, _, let plan, let limit):
      try await graphs(of: keys, refs, plan, within: limit)
    case .lease: lease(refs, keys)
    default: throw Mismatch("\(command) is not about many records of a kind")
    }
  }

  private mutating func query<R: LibraryRecord>(
    _ type: R.Type, _ descending: Bool, _ offset: Int, _ limit: Int?, _ isPassing: Bool
  ) async throws {
    var query = RecordQuery<R>().sorted(by: \.value, descending ? .descending : .ascending)
      .sorted(by: \.number).skipping(offset)
    if let limit { query = query.limited(to: limit) }
    let found = try await cache.find(query, ReadOptions(isPassing: isPassing))
    let expected = model.query(R.kind, descending, offset, limit, passing: isPassing)
    try verifyEqual(found, expected.map { R($0.number, $1) }, "what a query found")
  }

  private mutating func queryFresh<R: LibraryRecord>(
    _ type: R.Type, _ descending: Bool, _ limit: Int?, _ age: Int?
  ) async throws {
    var query = RecordQuery<R>().sorted(by: \.value, descending ? .descending : .ascending)
      .sorted(by: \.number)
    if let limit { query = query.limited(to: limit) }
    let found: [R]
    if let age {
      found = try await cache.find(query, .within(.milliseconds(age * 100)))
    } else {
      found = try await cache.refresh(query)
    }
    let expected =
      age.map { model.query(R.kind, descending, 0, limit, since: model.now - $0) }
      ?? model.refreshQuery(R.kind, descending, limit)
    try verifyEqual(found, expected.map { R($0.number, $1) }, "what a query found fresh")
  }

  /// The records of entries.
  func records<R: LibraryRecord>(_ keys: [Key], _ entries: [Entry?]) -> [R?] {
    zip(keys, entries).map { key, entry in entry.map { R(key.number, $0) } }
  }

  /// The expected answer of resolving, or else the first missing key.
  func resolved<R: LibraryRecord>(_ keys: [Key], _ entries: [Entry?]) -> Outcome<[R]> {
    for (key, entry) in zip(keys, entries) where entry == nil {
      return .failure("missing(\(R.ref(key.number)))")
    }
    return .success(records(keys, entries).compactMap(\.self))
  }

  /// An answer, or an error in words.
  func outcome<Value>(_ body: () async throws -> Value) async -> Outcome<Value> {
    do {
      return .success(try await body())
    } catch KinshipError.missing(let ref) {
      return .failure("missing(\(ref))")
    } catch KinshipError.misuse(.unrelated(let ref)) {
      return .failure("unrelated(\(ref))")
    } catch {
      return .failure("\(error)")
    }
  }
}

/// An answer, or an error in words.
enum Outcome<Value> {
  case success(Value)
  case failure(String)
}

extension Outcome: Equatable where Value: Equatable {}
