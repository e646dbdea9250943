import Kinship
import KinshipTestSupport

extension CacheBesideModel {
  /// An error of a user's closure.
  private struct Refusal: Error {}

  /// Gives a command about one record to both.
  mutating func perform<R: LibraryRecord>(
    _ command: CacheCommand, on key: Key, _ type: R.Type
  ) async throws {
    let ref = R.ref(key.number)
    switch command {
    case .put(_, let entry):
      try await cache.put(R(key.number, entry))
      model.put(key, entry)
    case .updateProperty(_, let value):
      let isUpdated = try await cache.update(ref, \.value, to: value)
      var entry = model.records[key]
      try verifyEqual(isUpdated, entry != nil, "whether it was updated")
      entry?.value = value
      if let entry { model.put(key, entry) }
    case .updateClosure(_, let entry):
      let isUpdated = try await cache.update(ref) { $0 = R(key.number, entry.adding($0.value)) }
      let old = model.records[key]
      try verifyEqual(isUpdated, old != nil, "whether it was updated")
      if let old { model.put(key, entry.adding(old.value)) }
    case .updateThatThrows:
      do {
        let isUpdated = try await cache.update(ref) {
          $0.value += 1
          throw Refusal()
        }
        try verifyEqual(isUpdated, false, "whether an update that throws did anything")
        try verifyEqual(model.records[key] == nil, true, "whether the update was not called")
      } catch is Refusal {
        try verifyEqual(model.records[key] != nil, true, "whether the update was called")
      }
    case .remove:
      let old = await cache.remove(ref)
      try verifyEqual(old, model.remove(key).map { R(key.number, $0) }, "what was removed")
    case .evict:
      try verifyEqual(await cache.evict(ref), model.evict(key), "whether it was evicted")
    case .invalidate:
      await cache.invalidate(ref)
      model.invalidate(key)
    case .store(_, let entry):
      if let entry { store.insert([R(key.number, entry)]) } else { store.remove(ref) }
      model.store?[key] = entry
    case .graph(_, let plan): try await graph(of: key, ref, plan)
    case .graphWithin(_, let plan, let limit): try await graphWithin(of: key, ref, plan, limit)
    case .expand(let index, _, let plan, let limit):
      try await expand(index, from: key, ref, plan, within: limit)
    default: try await read(command, key, ref)
    }
  }

  private mutating func read<R: LibraryRecord>(
    _ command: CacheCommand, _ key: Key, _ ref: Ref<R>
  ) async throws {
    switch command {
    case .read:
      let record = await cache[ref]
      try verifyEqual(record, model.read(key).map { R(key.number, $0) }, "the record")
    case .readInPlace:
      let value = await cache.read(ref) { $0.value }
      try verifyEqual(value, model.read(key)?.value, "the value")
    case .find:
      let found = try await cache.find(ref)
      try verifyEqual([found], records([key], model.find([key])), "what was found")
    case .resolve:
      let answer = await outcome { [try await self.cache.resolve(ref)] }
      try verifyEqual(answer, resolved([key], model.find([key])), "what was resolved")
    case .related(_, let entry):
      switch key.kind {
      case .author: try await related(Author(key.number, entry), entry)
      case .work: try await related(Work(key.number, entry), entry)
      }
    default: throw Mismatch("\(command) is not about one record")
    }
  }

  private mutating func related(_ author: Author<ID>, _ entry: Entry) async throws {
    let mentor = await outcome { try await self.cache.resolve(author.mentor).map { [$0] } ?? [] }
    let mentors = entry.one.map { [Key(.author, $0)] } ?? []
    try verifyEqual(
      mentor, mentors.isEmpty ? .success([]) : resolved(mentors, model.find(mentors)), "the mentor")
    let works = await outcome { try await self.cache.resolve(author.works) }
    let keys = entry.many.map { Key(.work, $0) }
    try verifyEqual(works, resolved(keys, model.find(keys)), "the works")
  }

  private mutating func related(_ work: Work<ID>, _ entry: Entry) async throws {
    let author = await outcome { [try await self.cache.resolve(work.author)] }
    let key = Key(.author, entry.one ?? 0)
    try verifyEqual(author, resolved([key], model.find([key])), "the author")
    let sequels = await outcome { try await self.cache.resolve(work.sequels) }
    let keys = entry.many.map { Key(.work, $0) }
    try verifyEqual(sequels, resolved(keys, model.find(keys)), "the sequels")
  }
}
