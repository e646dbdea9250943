import Foundation
import Kinship
import KinshipPostgreSQL
import KinshipSync
import Synchronization

/// A process that watches one record of a server until it has seen the record's last change.
///
/// ``WatchingProcess`` starts this program again for it.
struct Watcher {
  /// The way in which the process watches the record.
  enum Means: String {
    /// The memory of a cache that follows the store, for an observer.
    case memory
    /// The values that the observer receives.
    case observer
    /// A session that listens, and asks for the record when it was notified.
    case session
  }

  /// The subcommand that starts it, which the help does not list.
  static let command = "watch-server"

  let means: Means
  let conninfo: String
  let id: Int
  /// The last version of the record.
  let last: Int

  init?(arguments: [String]) {
    guard arguments.count == 5, arguments[0] == Self.command,
      let means = Means(rawValue: arguments[1]), let id = Int(arguments[3]),
      let last = Int(arguments[4])
    else { return nil }
    self.init(means, conninfo: arguments[2], id: id, last: last)
  }

  init(_ means: Means, conninfo: String, id: Int, last: Int) {
    self.means = means
    self.conninfo = conninfo
    self.id = id
    self.last = last
  }

  var arguments: [String] { [Self.command, means.rawValue, conninfo, "\(id)", "\(last)"] }

  /// Reports on standard output when it is ready, and at the end its sightings.
  @concurrent
  func run() async throws {
    // The process that started this one may have ended.
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 120)
      exit(3)
    }
    let sightings = means == .session ? try watchInSession() : try await watchInCache()
    FileHandle.standardOutput.write(Data(sightings.text.utf8))
  }

  private func watchInCache() async throws -> Sightings {
    let store = try await PostgreSQLStore(
      conninfo, PostgreSQLTable<Ancestor>("ancestor", translator: AncestorTranslator()))
    let cache = try GraphCache(for: Ancestor.self, store: store)
    let following = cache.follow(store)
    defer { following.end() }
    try await store.catchUp()
    let memory = Mutex(Sightings())
    let subscription = cache.onRemoval { removal in
      guard let record = removal.record as? Ancestor else { return }
      memory.withLock { $0.end(record.version) }
    }
    defer { subscription.cancel() }
    var changes = cache.observe(Ref<Ancestor>(id)).makeAsyncIterator()
    var shown = Sightings()
    var isReady = false
    let before = cache.statistics
    while shown.last < last, let change = try await changes.next() {
      guard let version = change.value?.version else { continue }
      shown.show(version)
      if !isReady { sayReady() }
      isReady = true
    }
    var sightings = means == .memory ? memory.withLock { $0 } : shown
    sightings.last = shown.last
    sightings.fetches = cache.statistics.batches - before.batches
    return sightings
  }

  private func watchInSession() throws -> Sightings {
    let session = try LibpqSession(conninfo)
    try session.prepare("one", "SELECT \(LibpqSession.columns) FROM ancestor WHERE id = $1")
    try session.execute("LISTEN \(Self.channel)")
    var sightings = Sightings()
    while true {
      let version = try session.records("one", [LibpqSession.bytes(id)]).first?.version ?? 0
      sightings.fetches += 1
      sightings.show(version)
      if sightings.fetches == 1 { sayReady() }
      if version >= last { return sightings }
      try session.waitForNotification()
    }
  }

  private func sayReady() { FileHandle.standardOutput.write(Data("ready\n".utf8)) }

  /// The channel on which a handwritten writer notifies of its commits.
  static let channel = "watched"
}

extension Ancestor {
  /// The number of the commit that has changed the record last; 0 before the first.
  fileprivate var version: Int { Int(place) ?? 0 }
}
