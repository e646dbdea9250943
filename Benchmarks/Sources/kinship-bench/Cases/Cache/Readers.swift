import Kinship

extension Case {
  static let readers = Case(
    "readers", summary: "100,000 records, read by threads at once, one by one; ns a read of any",
    sizeName: "threads", sizes: { _ in [1, 2, 4] }
  ) { threads, effort in
    let readers = try await Readers(threads: threads, reads: effort.operations(200_000) / threads)
    let locked = LockedDictionary(readers.population.dictionary())
    let objects = ObjectCache<Person>(keyCount: readers.population.records.count)
    for (number, record) in readers.population.records.enumerated() {
      objects.insert(record, number: number)
    }
    let shared = SharedObject(objects)
    let draws = readers.draws
    let cache = readers.cache

    return Comparison(
      size: threads,
      systems: [
        System("Dictionary behind a Mutex") {
          readers.sample(
            onThreads(threads) { thread in
              draws[thread].ids.reduce(0) { $0 &+ (locked.record($1)?.digest ?? 0) }
            })
        },
        System("Kinship, peek") {
          readers.sample(
            onThreads(threads) { thread in
              draws[thread].refs.reduce(0) { $0 &+ (cache.peek($1)?.digest ?? 0) }
            })
        },
        System("NSCache") { [objects] in
          defer { withExtendedLifetime(objects) {} }
          return readers.sample(
            onThreads(threads) { thread in
              guard let objects = shared.object else { return 0 }
              return draws[thread].numbers.reduce(0) { $0 &+ (objects.record($1)?.digest ?? 0) }
            })
        },
      ])
  }

  static let batchReaders = Case(
    "readers-await", summary: "the same by tasks that await each read, or a batch of 1,000",
    sizeName: "tasks", sizes: { _ in [1, 2, 4] }
  ) { tasks, effort in
    let readers = try await Readers(threads: tasks, reads: effort.operations(200_000) / tasks)
    let bare = DictionaryActor(readers.population.dictionary())
    let draws = readers.draws
    let cache = readers.cache

    return Comparison(
      size: tasks,
      systems: [
        System("Dictionary in an actor") {
          await readers.sample { task in
            var sum = 0
            for id in draws[task].ids { sum &+= await bare.record(id)?.digest ?? 0 }
            return sum
          }
        },
        System("Kinship, read") {
          await readers.sample { task in
            var sum = 0
            for ref in draws[task].refs { sum &+= await cache.read(ref) { $0.digest } ?? 0 }
            return sum
          }
        },
        System("Kinship, reduce") {
          let batches = draws.map { $0.refs.batches(of: 1_000) }
          return await readers.sample { task in
            var sum = 0
            for batch in batches[task] {
              sum = await cache.reduce(batch, into: sum) { $0 &+= $1.digest }
            }
            return sum
          }
        },
      ])
  }
}

/// Persons, and which of them are read by each of several readers.
private struct Readers {
  let population = Population<Person>(count: 100_000)
  let draws: [Draw<Person>]
  let cache: GraphCache
  private let expected: Int

  init(threads: Int, reads: Int) async throws {
    let records = population.records
    let draws = (0..<threads).map {
      Draw<Person>.uniform(reads, below: records.count, seed: UInt64(40 + $0))
    }
    self.draws = draws
    expected = draws.reduce(0) { $1.numbers.reduce($0) { $0 &+ records[$1].digest } }
    cache = try await population.cache()
  }

  /// The sample of a run of all threads.
  func sample(_ result: (elapsed: Duration, sum: Int)) -> Sample {
    Sample(
      result.elapsed, operations: draws.reduce(0) { $0 + $1.ids.count },
      checks: [Check("digest", result.sum, expected: expected)])
  }

  /// Reads by tasks.
  func sample(_ read: @escaping @Sendable (_ task: Int) async -> Int) async -> Sample {
    let watch = Stopwatch()
    let sum = await withTaskGroup { group in
      for task in draws.indices { group.addTask { await read(task) } }
      return await group.reduce(0, &+)
    }
    return sample((watch.elapsed, sum))
  }
}

/// An object that any thread may use, though its type does not say so: `NSCache` has a lock.
private struct SharedObject<Object: AnyObject>: Sendable {
  private let address: UInt

  init(_ object: Object) {
    address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  var object: Object? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<Object>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
