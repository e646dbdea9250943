/// What has changed in a store that others change too.
public struct StoreChanges: Sendable {
  /// The changes, in any order.
  public var changes: [StoreChange]
  /// The place in the store's log up to which all is known.
  public var cursor: StoreCursor

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - cursor: The place up to which all is known.
  public init(_ changes: [StoreChange], upTo cursor: StoreCursor) {
    self.changes = changes
    self.cursor = cursor
  }
}

/// Records that have been changed, by whomever.
public struct StoreChange: Sendable {
  /// Which records: it may be more than have changed, never less.
  public enum Extent: Sendable {
    /// Records that have been inserted, changed or deleted, and those whose lists have changed.
    case records([AnyRef])
    /// Any records of a type.
    case all(of: any GraphRecord.Type)
    /// Any records: what has happened is not known.
    case everything
  }

  /// Which records.
  public let extent: Extent
  /// The commit that has made the change; `nil` if no cache of this process has.
  public let commit: CommitID?

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - extent: Which records.
  ///   - commit: The commit that has made it, if a cache of this process has.
  public init(_ extent: Extent, by commit: CommitID? = nil) {
    self.extent = extent
    self.commit = commit
  }
}

extension ChangeSet {
  /// Records that a store says it has changed beyond the changes, or otherwise than they say.
  package var reported: [StoreChange.Extent] {
    notes.reports(StoreReport.self).map { StoreChange.Extent($0) }
  }
}

extension StoreChange.Extent {
  /// What must be read again because of a report.
  init(_ report: StoreReport) {
    func ref<R: GraphRecord>(of record: R) -> AnyRef { AnyRef(record.ref) }
    self =
      switch report {
      case .stored(let record): .records([ref(of: record)])
      case .changed(let refs): .records(refs)
      case .changedAll(let type): .all(of: type)
      }
  }
}

/// A place in the log of a store's changes, which only that store understands.
public struct StoreCursor: Hashable, Codable, Sendable {
  /// What the store needs to find the place again.
  public let text: String

  /// Creates a place.
  ///
  /// - Parameter text: What the store needs to find it again.
  public init(_ text: String) { self.text = text }

  /// Decodes a place from its text.
  ///
  /// - Parameter decoder: Where it is.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes a place as its text.
  ///
  /// - Parameter encoder: Where it goes.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// What one cache commits at one time.
///
/// A store that keeps a log of changes notes in it whose they are, so that the cache need not
/// forget what it has written itself.
public struct CommitID: Hashable, Sendable, CustomStringConvertible {
  /// The commit that the store is to make, in a call of ``BackingStore/apply(_:)`` by a cache that
  /// follows it.
  @TaskLocal public static var current: CommitID?

  private let cache: UInt64
  private let number: UInt64

  init(cache: UInt64, number: UInt64) {
    self.cache = cache
    self.number = number
  }

  /// Reads a commit from its description.
  ///
  /// - Parameter description: What ``description`` says; anything else is no commit.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let cache = UInt64(parts[0], radix: 16),
      let number = UInt64(parts[1])
    else { return nil }
    self.init(cache: cache, number: number)
  }

  /// The cache, by a number that no other process is likely to have, and the number of the commit.
  public var description: String { "\(String(cache, radix: 16))/\(number)" }
}
