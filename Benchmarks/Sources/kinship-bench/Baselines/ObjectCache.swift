import Foundation
import Kinship

/// `NSCache`, with keys that are created beforehand.
final class ObjectCache<Member: PersonRecord> {
  private final class Entry {
    let record: Member

    init(_ record: Member) {
      self.record = record
    }
  }

  private let cache = NSCache<NSNumber, Entry>()
  private let keys: [NSNumber]

  /// Creates an empty cache for records numbered below `keyCount`.
  ///
  /// A count limit of 0 means no limit.
  init(keyCount: Int, countLimit: Int = 0) {
    keys = (0..<keyCount).map { NSNumber(value: $0) }
    cache.countLimit = countLimit
  }

  func record(_ number: Int) -> Member? {
    cache.object(forKey: keys[number])?.record
  }

  func insert(_ record: Member, number: Int) {
    cache.setObject(Entry(record), forKey: keys[number])
  }

  /// The remark for a cache at its limit, if this platform's `NSCache` drops the newest record.
  static func noteAtLimit(_ records: [Member]) -> String? {
    let limit = 2
    let cache = ObjectCache(keyCount: limit + 1, countLimit: limit)
    for number in 0...limit { cache.insert(records[number], number: number) }
    return cache.record(limit) == nil
      ? "does not do the work: drops the newest record at its count limit" : nil
  }
}
